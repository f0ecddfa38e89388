import { PORT } from '../../config/ports.js';
import { childMetadata, compatibleRouteName } from '../names.js';
import type { KubeObject, Basis } from '../types.js';

/** The same as `ingress`, for the Gateway API; empty where that is not installed. The longer path wins, too. */
export function httpRoute({ resource, kinds }: Basis): KubeObject[] {
  const wanted = resource.spec.httpRoute;
  if (wanted === undefined || !kinds.has('HTTPRoute')) return [];
  const { parentRefs, hostnames, compatibleHostnames, path, websocketPath, annotations } = wanted;
  const { name } = resource.metadata;
  const rule = (value: string, port: number) => ({
    matches: [{ path: { type: 'PathPrefix', value } }],
    backendRefs: [{ name, port }],
  });
  const route = (of: string, names: string[] | undefined, rules: object[]): KubeObject => {
    const metadata = childMetadata(resource, of);
    return {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } },
      spec: { parentRefs, ...(names !== undefined && { hostnames: names }), rules },
    };
  };
  return [
    route(name, hostnames, [rule(websocketPath, PORT.websocket), rule(path, PORT.http)]),
    // Hostnames are those of all rules of a route.
    ...(compatibleHostnames === undefined
      ? []
      : [route(compatibleRouteName(name), compatibleHostnames, [rule('/', PORT.compat)])]),
  ];
}
