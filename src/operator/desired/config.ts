import { PORT } from '../../config/ports.js';
import { childMetadata, hashOf } from '../names.js';
import type { KubeObject, Middleware } from '../types.js';

/** The settings of all pods. The name changes with the content, so pods of an older template restart with their old settings. */
export function configMap(resource: Middleware): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: childMetadata(resource, configName(resource)),
    immutable: true,
    data: variables(resource),
  };
}

export const configName = (resource: Middleware): string =>
  `${resource.metadata.name}-config-${hashOf(variables(resource))}`;

/** The settings as environment variables. */
export function variables({ spec }: Middleware): Record<string, string> {
  const { node, network, compiler, database, populator, server, websocket, logLevel, settings } = spec;
  const given: Record<string, string | number | undefined> = {
    NODE_URL: node.urls.join(','),
    NODE_API: node.api,
    NETWORK_ID: network?.id,
    NODE_TIMEOUT_MS: node.timeoutMs,
    NODE_INTERNAL_URL: node.internalUrl,
    NODE_CONCURRENCY: populator.nodeConcurrency,
    COMPILER_URL: compiler?.urls.join(','),
    DATABASE_POOL_SIZE: database.poolSize,
    POLL_INTERVAL_MS: populator.pollIntervalMs,
    PROOF: populator.proof,
    POW_EDGE_BITS: populator.powEdgeBits,
    POW_INTERVAL_MS: populator.powIntervalMs,
    MAX_UNPROVEN_REORG: populator.maxUnprovenReorg,
    // The default is for this machine alone, but probes come from outside of the pod.
    METRICS_ADDRESS: `0.0.0.0:${PORT.metrics}`,
    WEBSOCKET_MAX_CONNECTIONS: websocket.maxConnections,
    WEBSOCKET_MAX_PER_ADDRESS: websocket.maxPerAddress,
    WEBSOCKET_MAX_TARGETS: websocket.maxTargets,
    WEBSOCKET_GREETING: websocket.greeting,
    WEBSOCKET_DRAIN_MS: websocket.drainMs,
    STREAM_DRAIN_MS: server.streamDrainMs,
    LOG_LEVEL: logLevel,
  };
  const known = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return { ...(Object.fromEntries(known) as Record<string, string>), ...settings };
}
