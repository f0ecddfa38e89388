import { PORT } from '../../config/ports.js';
import { childMetadata } from '../names.js';
import type { KubeObject, Basis } from '../types.js';

/** The same as `ingress`, for the Gateway API; empty where that is not installed. The longer path wins, too. */
export function httpRoute({ resource, kinds }: Basis): KubeObject[] {
  const wanted = resource.spec.httpRoute;
  if (wanted === undefined || !kinds.has('HTTPRoute')) return [];
  const { parentRefs, hostnames, path, websocketPath, annotations } = wanted;
  const { name } = resource.metadata;
  const metadata = childMetadata(resource, name);
  const rule = (value: string, port: number) => ({
    matches: [{ path: { type: 'PathPrefix', value } }],
    backendRefs: [{ name, port }],
  });
  return [
    {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } },
      spec: {
        parentRefs,
        ...(hostnames !== undefined && { hostnames }),
        rules: [rule(websocketPath, PORT.websocket), rule(path, PORT.http)],
      },
    },
  ];
}
