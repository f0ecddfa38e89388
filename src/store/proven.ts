/** The proven height of the copy, updated in the commits that add, replace and remove blocks. */
import { heightOf } from '../chain/position.js';
import type { DbTransaction, Queryable } from './connection/database.js';

/** Written blocks, in chain order. */
type Written = readonly { kind: 'key' | 'micro'; position: bigint }[];

/** Updates the proven height when blocks are written: proven blocks directly above it raise it, unproven ones lower it to the height below them. */
export async function provenAfterWrite(tx: DbTransaction, blocks: Written, areProven: boolean): Promise<void> {
  const first = blocks[0];
  if (first === undefined) return;
  const [from, to] = [heightOf(first.position), heightOf(blocks.at(-1)!.position)];
  // Micro blocks alone do not prove the other blocks of their generation.
  const needed = first.kind === 'key' ? from - 1 : from;
  if (areProven) await raiseProven(tx, needed + 1, to);
  else await lowerProven(tx, from - 1);
}

/** Updates the proven height when all blocks from a position on are removed. */
export async function provenAfterRemoval(tx: DbTransaction, from: bigint): Promise<void> {
  await lowerProven(tx, from === 0n ? -1 : heightOf(from - 1n));
}

/** Lowers the proven height to `height` if it is above. */
export async function lowerProven(db: Queryable, height: number): Promise<void> {
  await db.query({
    name: 'proven.lower',
    text: 'UPDATE chain SET proven_height = $1 WHERE proven_height > $1',
    values: [height],
  });
}

/** Raises the proven height to `to` if all heights below `from` are proven. */
export async function raiseProven(db: Queryable, from: number, to: number): Promise<void> {
  await db.query({
    name: 'proven.raise',
    text: 'UPDATE chain SET proven_height = $2 WHERE proven_height >= $1 - 1 AND proven_height < $2',
    values: [from, to],
  });
}

interface Progress {
  /** -1 while nothing is proven. */
  provenHeight: number;
  /** The first height that the background verification has not verified in this round. */
  verifyHeight: number;
}

export async function readProgress(db: Queryable): Promise<Progress> {
  const { rows } = await db.query<{ proven_height: string; verify_height: string }>({
    name: 'proven.progress',
    text: 'SELECT proven_height, verify_height FROM chain',
  });
  const row = rows[0]!;
  return { provenHeight: Number(row.proven_height), verifyHeight: Number(row.verify_height) };
}

export async function writeVerifyHeight(db: Queryable, height: number): Promise<void> {
  await db.query({ name: 'proven.verify-height', text: 'UPDATE chain SET verify_height = $1', values: [height] });
}
