import { z } from 'zod';
import { version } from '../../../observe/version.js';
import { compatStatus } from '../../../store/queries/compat/status.js';
import { compatible } from '../endpoint.js';

/** The version of the API that is served: clients accept a range of them, and not that of this program. */
const API_VERSION = '1.108.0';

const schema = z.looseObject({
  mdw_version: z.string(),
  mdw_revision: z.string(),
  mdw_height: z.int(),
  mdw_tx_index: z.int(),
  mdw_synced: z.boolean(),
  mdw_syncing: z.boolean(),
  mdw_gens_per_minute: z.number(),
  mdw_last_migration: z.int().nullable(),
  mdw_pending_migrations: z.looseObject({}),
  mdw_async_tasks: z.object({ producer_buffer: z.int(), long_tasks: z.int(), total_pending: z.int() }),
  node_version: z.string(),
  node_revision: z.string(),
  node_height: z.int(),
  node_syncing: z.boolean(),
  node_progress: z.number(),
});

export const status = compatible({
  v3: { path: '/status', id: 'GetStatus' },
  v2: { path: '/status', id: 'get_status' },
  plain: '/status',
  tag: 'Middleware',
  summary: 'How far the database is',
  answer: schema,
  cache: 'never',
  always: true,
  async handle(_request, { db, nodeReader }) {
    const [{ row, head }, node] = await Promise.all([compatStatus(db), nodeReader.facts()]);
    const height = head?.height ?? 0;
    const seen = row?.node_height == null ? node?.height : Number(row.node_height);
    const nodeHeight = Math.max(seen ?? height, height);
    const minutes = Number(row?.elapsed ?? 0) / 60_000;
    return {
      head,
      value: {
        mdw_version: API_VERSION,
        mdw_revision: version,
        mdw_height: height,
        mdw_tx_index: Math.max(Number(row?.transactions ?? 0) - 1, 0),
        mdw_synced: height === nodeHeight,
        mdw_syncing: row?.populating === true,
        mdw_gens_per_minute: minutes > 0 ? Math.round((Number(row?.blocks) / minutes) * 100) / 100 : 0,
        mdw_last_migration: null,
        mdw_pending_migrations: {},
        mdw_async_tasks: { producer_buffer: 0, long_tasks: 0, total_pending: 0 },
        node_version: node?.version ?? '',
        node_revision: node?.revision ?? '',
        node_height: nodeHeight,
        node_syncing: node?.syncing ?? false,
        node_progress: node?.progress ?? 100,
        // Not of the original: who answers, and how far it is behind the node.
        server: 'chain-middleware',
        server_version: version,
        lag: nodeHeight - height,
      },
    };
  },
});
