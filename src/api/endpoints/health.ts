import { schemaState } from '../../store/migrate.js';
import { statusFacts } from '../../store/queries/status.js';
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
  /** Why not; absent when ready. */
  reason?: string;
  /** Of the fault that is waited out before the process begins. */
  code?: string;
  height?: number | null;
  node_height?: number | null;
  /** `ok`, or why the populator waits for the node; null when none has told of it for a minute. */
  node_state?: string | null;
  /** Key blocks behind the node; null when no populator has told of the node for a minute. */
  lag?: number | null;
  /** The first load has not yet reached the top: older heights are answered, newer ones not yet. */
  loading?: boolean;
}

export const liveness = endpoint<NoParams, NoQuery, BaseDeps>({
  method: 'get',
  path: '/healthz',
  operationId: 'getLiveness',
  tag: 'service',
  summary: 'Whether the process lives',
  answer: s.liveness,
  fixed: true,
  cost: 'none',
  cache: 'never',
  evidence: { source: 'the suite itself', test: 'api/status-and-health', plan: null },
  handle: ({ ctx }) => sendJson(ctx, '{"alive":true}'),
});

const query = { maxLag: q.optional('max-lag', maxLag), mustBeLoaded: q.present('loaded', loaded) };

/** With `max-lag` also whether it is near enough to the node, with `loaded` whether it was there once. */
export const readiness = endpoint<NoParams, typeof query, BaseDeps>({
  method: 'get',
  path: '/readyz',
  operationId: 'getReadiness',
  tag: 'service',
  summary: 'Whether the service can answer',
  query,
  answer: s.readiness,
  unavailable: s.readiness,
  fixed: true,
  cost: 'none',
  cache: 'never',
  evidence: { source: 'the suite itself', test: 'api/status-and-health', plan: 'the status' },
  async handle({ ctx, query: { maxLag, mustBeLoaded } }, deps) {
    const readiness = await read(deps, maxLag, mustBeLoaded);
    sendJson(ctx, JSON.stringify(readiness), readiness.ready ? 200 : 503);
  },
});

async function read(
  { db, draining, pending, logger }: BaseDeps,
  limit: bigint | undefined,
  mustBeLoaded: boolean,
): Promise<Readiness> {
  if (draining()) return { ready: false, reason: 'draining' };
  const waits = pending?.();
  if (waits !== undefined) return { ready: false, ...waits };
  try {
    const schema = await schemaState(db);
    if (schema.pending.length > 0) return { ready: false, reason: 'schema is older than this version' };
    if (schema.unknown.length > 0) return { ready: false, reason: 'schema is newer than this version' };
    const { row, top } = await statusFacts(db);
    const nodeHeight = row?.node_height == null ? null : Number(row.node_height);
    const lag = nodeHeight === null ? null : Math.max(nodeHeight - (top?.height ?? -1), 0);
    const facts = {
      height: top?.height ?? null,
      node_height: nodeHeight,
      node_state: row?.node_state ?? null,
      lag,
      loading: row?.loading ?? true,
    };
    if (mustBeLoaded && facts.loading) return { ready: false, reason: 'the first load is under way', ...facts };
    if (limit === undefined || (lag !== null && BigInt(lag) <= limit)) return { ready: true, ...facts };
    return { ready: false, reason: lag === null ? 'lag is unknown' : 'too far behind the node', ...facts };
  } catch (error) {
    logger.warn({ err: error }, 'Not ready: the database cannot be read');
    return { ready: false, reason: 'database cannot be read' };
  }
}
