import { createCallDecoder } from '../../src/compiler/decoder.js';
import type { ChainNode } from '../../src/node/client.js';
import { createMetrics } from '../../src/observe/metrics.js';
import { decodeCalls } from '../../src/populate/decode.js';
import { waitOrAbort } from '../../src/runtime/repeat.js';
import type { Database } from '../../src/store/connection/database.js';
import { fenceBesideWriter } from '../../src/store/lease.js';
import { silent } from './copy.js';
import { eventually } from './populator.js';

/** Reads call information and decodes calls, as the populator does in the background, until `isDone`. */
export async function decodeUntil(database: Database, node: ChainNode, isDone: () => Promise<boolean>): Promise<void> {
  const stopping = new AbortController();
  const decoding = decodeCalls({
    database,
    node,
    decoder: createCallDecoder(),
    logger: silent,
    metrics: createMetrics(),
    signal: stopping.signal,
    // As the populator: two commits at once would count members of rankings wrongly.
    fence: fenceBesideWriter,
    mayWork: () => true,
    pause: (ms) => waitOrAbort(ms / 10, stopping.signal),
  });
  try {
    await eventually(isDone, (done) => done);
  } finally {
    stopping.abort();
    await decoding;
  }
}

/** The same until nothing waits for a node. */
export const decodeAll = (database: Database, node: ChainNode): Promise<void> =>
  decodeUntil(database, node, async () => {
    const { rows } = await database.query<{ waiting: boolean }>({
      name: 'test.waiting',
      text: `
        SELECT EXISTS (SELECT FROM due_infos) OR EXISTS (SELECT FROM contract_calls WHERE state = 'pending')
          OR EXISTS (SELECT FROM contract_codes WHERE code IS NULL AND attempts = 0) AS waiting`,
    });
    return rows[0]?.waiting === false;
  });
