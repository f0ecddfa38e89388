import { childMetadata } from '../names.js';
import type { KubeObject, Middleware } from '../types.js';

/** HTTP and websockets on one host. The longer path wins, so requests to the websocket path do not go to HTTP. */
export function ingress(resource: Middleware): KubeObject[] {
  const wanted = resource.spec.ingress;
  if (wanted === undefined) return [];
  const { className, host, compatibleHost, path, websocketPath, tls, annotations } = wanted;
  const hosts = [host, ...(compatibleHost === undefined ? [] : [compatibleHost])];
  const metadata = childMetadata(resource, resource.metadata.name);
  const route = (at: string, port: string) => ({
    path: at,
    pathType: 'Prefix',
    backend: { service: { name: resource.metadata.name, port: { name: port } } },
  });
  return [
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } },
      spec: {
        ...(className !== undefined && { ingressClassName: className }),
        ...(tls && { tls: [{ hosts, secretName: tls.secretName }] }),
        rules: [
          { host, http: { paths: [route(websocketPath, 'websocket'), route(path, 'http')] } },
          ...(compatibleHost === undefined ? [] : [{ host: compatibleHost, http: { paths: [route('/', 'compat')] } }]),
        ],
      },
    },
  ];
}
