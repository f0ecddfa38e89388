/** Members that a node prints although the bytes do not contain them, as a later release of nodes may: they are not proven, so they are left out. */
import { isObject, parseExact, stringifyExact } from '../encoding/json.js';
import type { Json } from '../encoding/json.js';
import { readKeyBlock, readTransaction } from '../facts.js';
import type { KeyBlock, MicroBlock } from '../facts.js';
import type { ExtraMembers } from './level.js';

export function keyBlockWithout(block: KeyBlock, [extra]: readonly ExtraMembers[]): KeyBlock {
  return extra === undefined ? block : { ...block, body: readKeyBlock(without(block.body, extra.members)).body };
}

export function microBlockWithout(block: MicroBlock, extra: readonly ExtraMembers[]): MicroBlock {
  if (extra.length === 0) return block;
  const membersOf = new Map(extra.map(({ transaction, members }) => [transaction, members]));
  const ofHeader = membersOf.get(undefined);
  return {
    ...block,
    body: ofHeader === undefined ? block.body : without(block.body, ofHeader),
    transactions: block.transactions.map((transaction) => {
      const members = membersOf.get(transaction.hash);
      if (members === undefined) return transaction;
      return { ...readTransaction(without(transaction.body, members)), envelope: undefined };
    }),
  };
}

/** The JSON text without members, given by paths such as `tx.pointers.color`: of each item where a part of the path is a list. */
function without(text: string, paths: readonly string[]): string {
  const value = parseExact(text);
  for (const path of paths) remove(value, path);
  return stringifyExact(value);
}

function remove(value: Json | undefined, path: string): void {
  if (Array.isArray(value)) for (const item of value) remove(item, path);
  else if (!isObject(value)) return;
  // Only the name at the end of a path, that of the extra member, may have dots.
  else if (Object.hasOwn(value, path)) delete value[path];
  else if (path.includes('.')) remove(value[path.slice(0, path.indexOf('.'))], path.slice(path.indexOf('.') + 1));
}
