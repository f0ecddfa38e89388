import type { Router } from '@koa/router';
import { statusFacts } from '../store/queries/status.js';
import { schemaState } from '../store/migrate.js';
import type { BaseDeps } from './deps.js';
import { given } from './parse.js';
import { sendJson } from './reply.js';
import { loaded, maxLag } from './schemas/parameters.js';

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

/**
 * `/healthz`: the process lives. `/readyz`: it can answer; with `max-lag` also that it is near enough to the node, with
 * `loaded` that it was there once.
 */
export function healthRoutes(router: Router, deps: Omit<BaseDeps, 'config'>): void {
  router.get('/healthz', (ctx) => sendJson(ctx, '{"alive":true}'));

  router.get('/readyz', async (ctx) => {
    const limit = given(maxLag, 'max-lag', ctx.query);
    const readiness = await read(deps, limit, given(loaded, 'loaded', ctx.query) !== undefined);
    sendJson(ctx, JSON.stringify(readiness), readiness.ready ? 200 : 503);
  });
}

async function read(
  { db, draining, pending, logger }: Omit<BaseDeps, 'config'>,
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
