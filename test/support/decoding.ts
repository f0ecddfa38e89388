import { createDecoderCache } from '../../src/compiler/decoder-cache.js';
import { createCallDecoder } from '../../src/compiler/decoder.js';
import type { ChainNode } from '../../src/node/client.js';
import { createMetrics } from '../../src/observe/metrics.js';
import type { EnrichContext } from '../../src/populate/enrichments/enrichment.js';
import { enrich } from '../../src/populate/enrichments/groups.js';
import { waitOrAbort } from '../../src/runtime/repeat.js';
import type { Database } from '../../src/store/connection/database.js';
import { fenceBesideWriter } from '../../src/store/lease.js';
import { NO_WORK, silent } from './copy.js';
import { eventually } from './populator.js';

/** What reads call information and decodes calls, as the populator does. */
export const enrichContext = (
  database: Database,
  node: ChainNode,
  signal: AbortSignal,
  changes: Partial<EnrichContext> = {},
): EnrichContext => ({
  database,
  node,
  decoders: createDecoderCache(createCallDecoder()),
  dryRuns: true,
  internalCalls: false,
  work: NO_WORK,
  logger: silent,
  metrics: createMetrics(),
  signal,
  // As the populator: two commits at once would count members of rankings wrongly.
  fence: fenceBesideWriter,
  mayWork: () => true,
  ...changes,
});

/** Reads call information and decodes calls, as the populator does in the background, until `isDone`. */
export async function decodeUntil(database: Database, node: ChainNode, isDone: () => Promise<boolean>): Promise<void> {
  const stopping = new AbortController();
  const enriching = enrich(enrichContext(database, node, stopping.signal), (ms) =>
    waitOrAbort(ms / 10, stopping.signal),
  );
  try {
    await eventually(isDone, (done) => done);
  } finally {
    stopping.abort();
    await enriching;
  }
}

/** The same until nothing waits for a node. */
export const decodeAll = (database: Database, node: ChainNode): Promise<void> =>
  decodeUntil(database, node, () => nothingWaits(database));

export async function nothingWaits(database: Database): Promise<boolean> {
  const { rows } = await database.query<{ waiting: boolean }>({
    name: 'test.waiting',
    text: `
        SELECT EXISTS (SELECT FROM due_infos) OR EXISTS (SELECT FROM contract_calls WHERE state = 'pending')
          OR EXISTS (SELECT FROM contract_codes WHERE code IS NULL AND attempts = 0)
          OR EXISTS (SELECT FROM token_metadata WHERE state = 'due' AND attempts = 0)
          OR EXISTS (SELECT FROM token_allowances WHERE state = 'due' AND attempts = 0)
          OR EXISTS (
            SELECT FROM tokens AS t
            WHERE (t.kind IS NULL OR t.kind > 0) AND t.attempts = 0
              AND t.told_block IS DISTINCT FROM (SELECT m.hash FROM micro_blocks AS m ORDER BY m.position DESC LIMIT 1)
              AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed)
          ) AS waiting`,
  });
  return rows[0]?.waiting === false;
}
