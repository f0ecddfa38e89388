/** Which lists of transactions mention an id. */
import { decodeId, encodeId } from '../../chain/encoding/encoding.js';
import type { IdPrefix } from '../../chain/encoding/encoding.js';
import { ListKind } from '../../chain/lists.js';
import type { Mention } from '../../store/queries/compat/transaction-lists.js';

/** Kinds of lists by the kind of the ids that they are of. */
const LISTS: Partial<Record<IdPrefix, readonly ListKind[]>> = {
  ak: [ListKind.account, ListKind.wrapped],
  ct: [ListKind.account, ListKind.wrapped, ListKind.contract],
  ok: [ListKind.account, ListKind.wrapped, ListKind.oracle, ListKind.oracleLife, ListKind.oracleAnswer],
  nm: [ListKind.account, ListKind.wrapped, ListKind.name, ListKind.nameUse],
  ch: [ListKind.channel],
};

/** The ids with the same bytes, of all kinds. */
export const idsOf = (id: string): string[] =>
  (Object.keys(LISTS) as IdPrefix[]).map((prefix) => encodeId(prefix, decodeId(id)));

const mentionOf = (id: string, prefixes: readonly IdPrefix[]): Mention => {
  const bytes = decodeId(id);
  return {
    lists: prefixes.flatMap((prefix) => (LISTS[prefix] ?? []).map((kind) => ({ kind, id: encodeId(prefix, bytes) }))),
    ...(prefixes.includes('ct') && { contracts: [encodeId('ct', bytes)] }),
  };
};

/** Transactions that have the bytes of the id in any member, or create the object. */
export const anyMention = (id: string): Mention => mentionOf(id, Object.keys(LISTS) as IdPrefix[]);

/** Regular expression for texts of transactions in which a member, or one of several (`a|b`), wrapped ones too, has one of these values. */
export const memberIs = (member: string, values: readonly string[]): string =>
  `"(?:${member})"\\s*:\\s*"(?:${values.join('|')})"`;

/** The same for an object of one kind. */
export const mentionAs = (id: string, prefix: IdPrefix): Mention => mentionOf(id, [prefix]);
