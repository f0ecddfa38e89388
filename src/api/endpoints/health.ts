import { MiddlewareError } from '../../observe/errors.js';
import type { ReadinessCode } from '../../observe/startup.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import { schemaState } from '../../store/schema/migrate.js';
import { healthFacts, heldReorgOf } from '../../store/queries/status.js';
import type { BaseDeps } from '../deps.js';
import { endpoint } from '../endpoint.js';
import type { LastRead, StoredFacts } from '../last-read.js';
import * as q from '../query.js';
import { sendJson } from '../reply.js';
import { loaded, maxLag } from '../schemas/parameters.js';
import * as s from '../schemas/service.js';

type NoParams = Record<string, never>;
type NoQuery = Record<string, never>;

interface Readiness extends Partial<StoredFacts> {
  ready: boolean;
  /** Why the service is not ready, or what it does without; absent if neither. */
  reason?: string;
  /** The reason as a code for programs. */
  code?: ReadinessCode;
  /** The database cannot be read, but the server has read it before: it does what needs no database. */
  without_database?: true;
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
  description:
    'Status 503 with the same body when it cannot. A server that has read its database stays ready while the database cannot be read, with `without_database`.',
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
  const { lastRead } = deps;
  try {
    const stored = await withTimeout(DEADLINE_MS, readFacts(deps));
    if (stored === undefined) {
      const silent = { reason: 'the database does not answer', code: 'statement_timeout' } as const;
      return without(silent, lastRead, limit, mustBeLoaded);
    }
    if (lastRead !== undefined) lastRead.facts = 'loading' in stored ? stored : undefined;
    return 'loading' in stored ? judge(stored, limit, mustBeLoaded) : { ready: false, ...stored };
  } catch (error) {
    deps.logger.warn({ err: error }, 'The database cannot be read');
    const code = error instanceof MiddlewareError ? error.code : 'internal';
    return without({ reason: 'database cannot be read', code }, lastRead, limit, mustBeLoaded);
  }
}

/** States in which the height that the populator reported last is that of the node. */
const SEES_NODE = ['ok', 'loading'];

type Reason = Required<Pick<Readiness, 'reason' | 'code'>>;

/**
 * While the database cannot be read, a server that has read it stays as ready as it was: it forwards requests, and answers from
 * its cache. A process that has not read it yet is not ready, so its settings never replace those of a server that works.
 */
function without(
  reason: Reason,
  lastRead: LastRead | undefined,
  limit: bigint | undefined,
  mustBeLoaded: boolean,
): Readiness {
  const { facts } = lastRead ?? {};
  const isReady = facts !== undefined && judge(facts, limit, mustBeLoaded).ready;
  return isReady ? { ready: true, ...reason, without_database: true } : { ready: false, ...reason };
}

/** What is read from the database, or why the schema cannot be used. */
async function readFacts({ db, config, metrics, nodeHeight: askNode }: BaseDeps): Promise<StoredFacts | Reason> {
  const schema = await schemaState(db);
  if (schema.pending.length > 0) return { reason: 'schema is older than this version', code: 'schema_older' };
  if (schema.breaking.length > 0) return { reason: 'schema is newer than this version', code: 'schema_newer' };
  const { row, head } = await healthFacts(db);
  const isSilent = Number(row?.silent_for ?? 0) > Math.max(SILENT_MS, 3 * config.pollIntervalMs);
  const isReported = !isSilent && SEES_NODE.includes(row?.node_state ?? 'ok');
  const reported = row?.node_height == null ? null : Number(row.node_height);
  const nodeHeight = isReported ? reported : ((askNode && (await withTimeout(NODE_MS, askNode()))) ?? null);
  const [differing] = (await metrics.differingRows.get()).values;
  return {
    height: head?.height ?? null,
    head_time: row?.head_time == null ? null : Number(row.head_time),
    node_height: nodeHeight,
    node_state: row?.node_state ?? null,
    lag: nodeHeight === null ? null : Math.max(nodeHeight - (head?.height ?? -1), 0),
    loading: row?.loading ?? true,
    ...(differing !== undefined && { differing_rows: differing.value }),
    ...(row != null && { held_reorg: heldReorgOf(row) }),
    ...(isSilent && { populator_silent: true as const }),
  };
}

function judge(facts: StoredFacts, limit: bigint | undefined, mustBeLoaded: boolean): Readiness {
  const { lag, loading } = facts;
  if (mustBeLoaded && loading)
    return { ready: false, reason: 'the first load is under way', code: 'loading', ...facts };
  if (limit === undefined || (lag !== null && BigInt(lag) <= limit)) return { ready: true, ...facts };
  if (lag === null) return { ready: false, reason: 'lag is unknown', code: 'lag_unknown', ...facts };
  return { ready: false, reason: 'too far behind the node', code: 'behind', ...facts };
}
