import type { KubeObject } from '../types.js';

/** Kinds of the objects that children name, by field. The value of a field is a name, an object with a name, or a list of these. */
const KINDS: Record<string, string> = {
  serviceAccountName: 'ServiceAccount',
  secretName: 'Secret',
  secret: 'Secret',
  secretRef: 'Secret',
  secretKeyRef: 'Secret',
  configMap: 'ConfigMap',
  configMapRef: 'ConfigMap',
  configMapKeyRef: 'ConfigMap',
  service: 'Service',
  serviceName: 'Service',
  backendRefs: 'Service',
  scaleTargetRef: 'Deployment',
  cluster: 'Cluster',
};

/** The objects that a child names in its spec, each as kind/name. */
export const referencesOf = ({ spec }: KubeObject): string[] => referencesIn(spec);

function referencesIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([field, inner]: [string, unknown]) => {
    const kind = Object.hasOwn(KINDS, field) ? KINDS[field] : undefined;
    const names = kind === undefined ? [] : [inner].flat().flatMap(nameOf);
    return [...names.map((name) => `${kind}/${name}`), ...referencesIn(inner)];
  });
}

function nameOf(value: unknown): string | [] {
  if (typeof value === 'string') return value;
  const name: unknown = value !== null && typeof value === 'object' && 'name' in value ? value.name : undefined;
  return typeof name === 'string' ? name : [];
}
