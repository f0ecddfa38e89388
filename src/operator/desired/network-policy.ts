import { LABEL, childMetadata } from '../names.js';
import type { KubeObject, Basis } from '../types.js';
import { hasCompatiblePort } from './compatible-port.js';
import { PORT } from '../../config/ports.js';

/** Label that the API server sets on every namespace. */
const NAMESPACE = 'kubernetes.io/metadata.name';

const tcp = (...ports: number[]) => ports.map((port) => ({ port, protocol: 'TCP' }));
const dns = [
  { port: 53, protocol: 'UDP' },
  { port: 53, protocol: 'TCP' },
];

/** Default port of a node's Rosetta interface. */
const ROSETTA_PORT = 3213;

/**
 * Allows only what the middleware needs. A policy cannot contain DNS names of outside hosts, so outgoing connections are
 * limited by port.
 */
export function networkPolicy({ resource, database, readDatabase, operatorNamespace }: Basis): KubeObject[] {
  const { spec, metadata } = resource;
  const { enabled, clients, monitors, egress = [] } = spec.networkPolicy;
  if (!enabled) return [];
  const operator = { namespaceSelector: { matchLabels: { [NAMESPACE]: operatorNamespace } } };
  const urls = [
    ...spec.node.urls,
    ...(spec.node.internalUrl ? [spec.node.internalUrl] : []),
    ...(spec.node.rosettaUrl?.split(',') ?? []),
    ...(spec.compiler?.urls ?? []),
  ];
  const databases = [database, readDatabase].flatMap((facts) => (facts && 'ports' in facts ? facts.ports : []));
  // The operator does not read the Secret with that URL.
  const rosetta = spec.node.rosettaSecret === undefined ? [] : [ROSETTA_PORT];
  const ports = [...new Set([...urls.map(portOf), ...databases, ...rosetta])].sort((a, b) => a - b);
  const clientPorts = [PORT.http, PORT.websocket, ...(hasCompatiblePort(spec) ? [PORT.compat] : [])];
  return [
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: childMetadata(resource, metadata.name),
      spec: {
        podSelector: { matchLabels: { [LABEL.name]: 'chain-middleware', [LABEL.instance]: metadata.name } },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          { ports: tcp(...clientPorts), ...(clients && { from: clients }) },
          { ports: tcp(PORT.metrics), from: monitors ? [operator, ...monitors] : [{ namespaceSelector: {} }] },
        ],
        egress: [{ ports: dns }, { ports: tcp(...ports) }, ...egress],
      },
    },
  ];
}

function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
