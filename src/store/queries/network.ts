import type { RecordedNetwork } from '../../chain/networks.js';
import { readKeyBlock } from '../../chain/facts.js';
import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';

/** Key blocks between which the time of one is measured. */
const MEASURED = 100;

/** SQL expression: mean time between the newest key blocks up to the key block `head`, ms; null if fewer than two besides the genesis block are stored. */
export const measuredMs = (head: string): string => `
  (
    SELECT round((${head}.time - b.time)::numeric / (${head}.height - b.height))::bigint
    FROM key_blocks AS b
    WHERE b.height = GREATEST(${head}.height - ${MEASURED}, 1) AND b.height < ${head}.height
  )`;

interface NetworkRow {
  network_id: string;
  genesis_hash: string;
  /** Text of the newest key block; null while nothing is stored. */
  newest: string | null;
  /** Time between key blocks, ms; null if fewer than two besides the genesis block are stored. */
  block_ms: string | null;
  /** Null if no node has told the coin. */
  name: string | null;
  symbol: string;
  subunit: string;
  digits: number;
}

/** What the copy holds of its network; no row before the first load. */
export async function recordedNetwork(db: Queryable): Promise<Answer<RecordedNetwork>> {
  const { row, head } = await answer<NetworkRow>(db, {
    name: 'network.recorded',
    // The time of the genesis block is a setting, and may be far from that of the next one.
    text: `
      SELECT c.network_id, c.genesis_hash, k.body AS newest, y.name, y.symbol, y.subunit, y.digits,
        ${measuredMs('k')} AS block_ms
      FROM chain AS c
      LEFT JOIN currency AS y ON true
      LEFT JOIN (SELECT height, time, body FROM key_block_texts ORDER BY height DESC LIMIT 1) AS k ON true
      WHERE c.network_id IS NOT NULL AND c.genesis_hash IS NOT NULL`,
  });
  return { head, row: row === null ? null : readNetwork(row) };
}

const readNetwork = ({ network_id, genesis_hash, newest, block_ms, name, symbol, subunit, digits }: NetworkRow) => ({
  id: network_id,
  genesisHash: genesis_hash,
  consensus: newest === null ? undefined : readKeyBlock(newest).consensus,
  measuredMs: block_ms === null ? undefined : Math.max(0, Number(block_ms)),
  currency: name === null ? undefined : { name, symbol, subunit, digits },
});
