import { PORT } from '../../config/ports.js';
import { childMetadata, hashOf } from '../names.js';
import { hasCompatiblePort } from './compatible-port.js';
import { fieldVariables } from '../schema/settings.js';
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
  const { node, compiler, settings } = spec;
  return {
    NODE_URL: node.urls.join(','),
    ...(compiler && { COMPILER_URL: compiler.urls.join(',') }),
    // The default is for this machine alone, but probes come from outside of the pod.
    METRICS_ADDRESS: `0.0.0.0:${PORT.metrics}`,
    ...(hasCompatiblePort(spec) && { COMPAT_ADDRESS: `0.0.0.0:${PORT.compat}` }),
    ...fieldVariables(spec),
    ...settings,
  };
}
