/** What the tables of oracles have in common: `oracles` has the last life of each, `oracle_lives` all of them. */
import { ListKind } from '../../chain/derive.js';
import type { Operation, OracleOperation } from '../../chain/operations.js';
import type { OracleRecord } from '../../chain/protocol/oracles.js';
import { recompute } from '../../chain/recompute/transaction.js';
import type { Queryable } from '../connection/database.js';
import type { Placed } from '../facts/blocks.js';
import { listed } from './listed.js';

export const onOracles = (operations: readonly Placed<Operation>[]): Placed<OracleOperation>[] =>
  operations.filter((placed): placed is Placed<OracleOperation> => placed.op.on === 'oracle');

/** A row as PostgreSQL returns it. */
export interface StoredRecord {
  id: string;
  position: string;
  expires_at: string;
}

export const recordOf = ({ id, position, expires_at }: StoredRecord): OracleRecord => ({
  id,
  position: BigInt(position),
  expiresAt: Number(expires_at),
});

/** A life of an oracle; `position` is that of its registration, `expires` the last height at which it exists. */
interface RecomputedLife {
  id: string;
  position: string;
  expires: bigint;
}

/** The lives of oracles as their stored transactions say, in chain order. */
export async function recomputedLives(db: Queryable, ids: readonly string[]): Promise<RecomputedLife[]> {
  const lives: RecomputedLife[] = [];
  const last = new Map<string, RecomputedLife>();
  for await (const { id, position, body, info, tx_start: txStart, tx_length: txLength } of listed(
    db,
    ListKind.oracleLife,
    ids,
  )) {
    const recomputed = recompute({ body, info, txStart, txLength });
    const effect = recomputed?.effect;
    if (effect?.on !== 'oracle' || effect.id !== id) continue;
    const value = BigInt(effect.value);
    if (effect.does === 'extend') {
      const life = last.get(id);
      if (life !== undefined) life.expires += value;
    } else {
      const expires = effect.relative ? BigInt(recomputed!.blockHeight) + value : value;
      const life = { id, position, expires };
      lives.push(life);
      last.set(id, life);
    }
  }
  return lives;
}
