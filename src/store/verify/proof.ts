/** Verifies the stored blocks and transactions of a window against their hashes. */
import { readKeyBlock, readMicroBlock } from '../../chain/facts.js';
import { MalformedError } from '../../chain/malformed.js';
import {
  describeExtra,
  describeFlaw,
  describeUnknownVersion,
  proveKeyBlock,
  proveMicroBlock,
} from '../../chain/proof/block.js';
import type { Proof } from '../../chain/proof/level.js';
import { heightOfPosition } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import type { Window, WindowFacts } from '../facts/window.js';

/** Proves all members of all blocks and transactions whose type and version are known. */
export function proveWindow({ from }: Window, rows: WindowFacts, acceptUnknownProtocol: boolean): Difference[] {
  const flawOf = (place: Place, hash: string, prove: () => Proof): Difference[] =>
    differencesOf(place, hash, prove, acceptUnknownProtocol);
  const bodies = new Map<bigint, string[]>();
  for (const { position, body } of rows.transactions) {
    const micro = (BigInt(position) >> 16n) << 16n;
    const list = bodies.get(micro);
    if (list === undefined) bodies.set(micro, [body]);
    else list.push(body);
  }
  const keys = rows.keyBlocks
    .filter(({ height }) => BigInt(height) >= from)
    .flatMap(({ height, hash, body }) =>
      flawOf({ table: 'key_blocks', key: [height], height: Number(height) }, hash, () =>
        proveKeyBlock(readKeyBlock(body), 'full'),
      ),
    );
  const micros = rows.microBlocks
    .filter(({ position }) => BigInt(position) >= from << 33n)
    .flatMap(({ position, hash, body }) =>
      flawOf({ table: 'micro_blocks', key: [position], height: heightOfPosition(position) }, hash, () => {
        const transactions = bodies.get(BigInt(position)) ?? [];
        return proveMicroBlock(readMicroBlock(body, `{"transactions":[${transactions.join(',')}]}`), 'full');
      }),
    );
  return [...keys, ...micros];
}

type Place = Pick<Difference, 'table' | 'key' | 'height'>;

function differencesOf(place: Place, hash: string, prove: () => Proof, acceptUnknown: boolean): Difference[] {
  const differs = (stored: string): Difference[] => [
    { ...place, column: 'body', expected: 'a text with this hash', stored },
  ];
  try {
    const { flaw, unknownVersion, extra } = prove();
    if (extra !== undefined) return differs(describeExtra(extra));
    if (unknownVersion !== undefined && !acceptUnknown) return differs(describeUnknownVersion(hash, unknownVersion));
    return flaw === undefined ? [] : differs(describeFlaw(flaw));
  } catch (error) {
    if (error instanceof MalformedError) return differs(error.message);
    throw error;
  }
}
