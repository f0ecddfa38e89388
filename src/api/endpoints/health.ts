import { MiddlewareError } from '../../observe/errors.js';
import type { ReadinessCode } from '../../observe/startup.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import { schemaState } from '../../store/schema/migrate.js';
import { healthFacts, heldReorgOf } from '../../store/queries/status.js';
import type { BaseDeps } from '../deps.js';
import { endpoint } from '../endpoint.js';
import * as q from '../query.js';
import { sendJson } from '../reply.js';
import { loaded, maxLag } from '../schemas/parameters.js';
import * as s from '../schemas/service.js';

type NoParams = Record<string, never>;
type NoQuery = Record<string, never>;

interface Readiness {
  ready: boolean;
  /** Why the service is not ready; absent if it is. */
  reason?: string;
  /** The reason as a code for programs. */
  code?: ReadinessCode;
  height?: number | null;
  /** Time of the head key block, ms since 1970. */
  head_time?: number | null;
  node_height?: number | null;
  /** `ok`, or why the populator waits for the node; null if no populator has reported for a minute. */
  node_state?: string | null;
  /** Key blocks behind the node; null if nobody knows the height of the node now. */
  lag?: number | null;
  /** Whether the first load has not reached the head yet. Loaded heights can already be read. */
  loading?: boolean;
  /** The reorg that waits until a second node or the administrator vouches for it; absent if there is none. */
  held_reorg?: ReturnType<typeof heldReorgOf>;
  /** Rows that this populator found wrong and could not mend; absent if it does not verify. */
  differing_rows?: number;
  /** The populator has reported before, but not recently: the height of the node is what it answers to this process. */
  populator_silent?: true;
}

/** Max time to read the state, ms. Below the timeouts of those who ask (the operator: 3 s), so that they get a reason. */
const DEADLINE_MS = 2_000;

/** Max time for the node to tell its height, ms. */
const NODE_MS = 1_000;

/** Min time without a report after which a populator counts as silent, ms. It reports every few seconds. */
const SILENT_MS = 10_000;

export const liveness = endpoint<NoParams, NoQuery, BaseDeps>({
  method: 'get',
  path: '/healthz',
  operationId: 'getLiveness',
  tag: 'service',
  summary: 'Whether the process lives',
  description: 'It asks nothing of the database.',
  answer: s.liveness,
  fixed: true,
  cost: 'none',
  cache: 'never',
  evidence: { source: 'the suite itself', test: 'api/status-and-health', plan: null },
  handle: ({ ctx }) => sendJson(ctx, '{"alive":true}'),
});

const query = { maxLag: q.optional('max-lag', maxLag), mustBeLoaded: q.present('loaded', loaded) };

/** `max-lag` also checks the lag; `loaded` also checks that the first load has ended. */
export const readiness = endpoint<NoParams, typeof query, BaseDeps>({
  method: 'get',
  path: '/readyz',
  operationId: 'getReadiness',
  tag: 'service',
  summary: 'Whether the service can answer',
  description: 'Status 503 with the same body when it cannot.',
  query,
  answer: s.readiness,
  unavailable: s.readiness,
  fixed: true,
  cost: 'none',
  cache: 'never',
  evidence: { source: 'the suite itself', test: 'api/status-and-health', plan: 'the health' },
  async handle({ ctx, query: { maxLag, mustBeLoaded } }, deps) {
    const readiness = await read(deps, maxLag, mustBeLoaded);
    sendJson(ctx, JSON.stringify(readiness), readiness.ready ? 200 : 503);
  },
});

async function read(deps: BaseDeps, limit: bigint | undefined, mustBeLoaded: boolean): Promise<Readiness> {
  if (deps.draining()) return { ready: false, reason: 'draining', code: 'draining' };
  const pending = deps.pending?.();
  if (pending !== undefined) return { ready: false, ...pending };
  try {
    const stored = await withTimeout(DEADLINE_MS, readStored(deps, limit, mustBeLoaded));
    return stored ?? { ready: false, reason: 'the database does not answer', code: 'statement_timeout' };
  } catch (error) {
    deps.logger.warn({ err: error }, 'Not ready, the database cannot be read');
    const code = error instanceof MiddlewareError ? error.code : 'internal';
    return { ready: false, reason: 'database cannot be read', code };
  }
}

/** States in which the height that the populator reported last is that of the node. */
const SEES_NODE = ['ok', 'loading'];

async function readStored(
  { db, config, metrics, nodeHeight: askNode }: BaseDeps,
  limit: bigint | undefined,
  mustBeLoaded: boolean,
): Promise<Readiness> {
  const schema = await schemaState(db);
  if (schema.pending.length > 0)
    return { ready: false, reason: 'schema is older than this version', code: 'schema_older' };
  if (schema.breaking.length > 0)
    return { ready: false, reason: 'schema is newer than this version', code: 'schema_newer' };
  const { row, head } = await healthFacts(db);
  const isSilent = Number(row?.silent_for ?? 0) > Math.max(SILENT_MS, 3 * config.pollIntervalMs);
  const isReported = !isSilent && SEES_NODE.includes(row?.node_state ?? 'ok');
  const reported = row?.node_height == null ? null : Number(row.node_height);
  const nodeHeight = isReported ? reported : ((askNode && (await withTimeout(NODE_MS, askNode()))) ?? null);
  const [differing] = (await metrics.differingRows.get()).values;
  const lag = nodeHeight === null ? null : Math.max(nodeHeight - (head?.height ?? -1), 0);
  const facts = {
    height: head?.height ?? null,
    head_time: row?.head_time == null ? null : Number(row.head_time),
    node_height: nodeHeight,
    node_state: row?.node_state ?? null,
    lag,
    loading: row?.loading ?? true,
    ...(differing !== undefined && { differing_rows: differing.value }),
    ...(row != null && { held_reorg: heldReorgOf(row) }),
    ...(isSilent && { populator_silent: true as const }),
  };
  if (mustBeLoaded && facts.loading)
    return { ready: false, reason: 'the first load is under way', code: 'loading', ...facts };
  if (limit === undefined || (lag !== null && BigInt(lag) <= limit)) return { ready: true, ...facts };
  if (lag === null) return { ready: false, reason: 'lag is unknown', code: 'lag_unknown', ...facts };
  return { ready: false, reason: 'too far behind the node', code: 'behind', ...facts };
}
