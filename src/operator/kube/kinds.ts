import { API_VERSION, KIND, PLURAL } from '../schema/group.js';

/** A kind, with what is needed for its path in the API. */
export interface Kind {
  kind: string;
  apiVersion: string;
  plural: string;
}

const kind = (apiVersion: string, name: string, plural: string): Kind => ({ kind: name, apiVersion, plural });

export const MIDDLEWARE = kind(API_VERSION, KIND, PLURAL);
export const SECRET = kind('v1', 'Secret', 'secrets');
/** ConfigMaps of users. The operator's own ConfigMaps are among the child kinds. */
export const CONFIG_MAP = kind('v1', 'ConfigMap', 'configmaps');
/** Name of the cache of all ConfigMaps of users. */
export const ANY_CONFIG_MAP = 'AnyConfigMap';
export const POD = kind('v1', 'Pod', 'pods');
export const EVENT = kind('events.k8s.io/v1', 'Event', 'events');
export const LEASE = kind('coordination.k8s.io/v1', 'Lease', 'leases');

/** Kinds of children that exist in every cluster. */
export const CHILD_KINDS: readonly Kind[] = [
  kind('v1', 'ServiceAccount', 'serviceaccounts'),
  kind('v1', 'ConfigMap', 'configmaps'),
  kind('v1', 'Service', 'services'),
  kind('apps/v1', 'Deployment', 'deployments'),
  kind('apps/v1', 'StatefulSet', 'statefulsets'),
  kind('batch/v1', 'Job', 'jobs'),
  kind('networking.k8s.io/v1', 'Ingress', 'ingresses'),
  kind('networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies'),
  kind('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets'),
  kind('autoscaling/v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers'),
];

/** Kinds of children that other operators install. */
export const OPTIONAL_KINDS: readonly Kind[] = [
  kind('monitoring.coreos.com/v1', 'ServiceMonitor', 'servicemonitors'),
  kind('monitoring.coreos.com/v1', 'PodMonitor', 'podmonitors'),
  kind('monitoring.coreos.com/v1', 'PrometheusRule', 'prometheusrules'),
  kind('gateway.networking.k8s.io/v1', 'HTTPRoute', 'httproutes'),
  kind('postgresql.cnpg.io/v1', 'Cluster', 'clusters'),
  kind('postgresql.cnpg.io/v1', 'ScheduledBackup', 'scheduledbackups'),
];

/** Exists on OpenShift, which sets the user and groups of pods and refuses pods that set their own. */
export const USER_POLICY = kind('security.openshift.io/v1', 'SecurityContextConstraints', 'securitycontextconstraints');

const BY_NAME = new Map([MIDDLEWARE, SECRET, POD, ...CHILD_KINDS, ...OPTIONAL_KINDS].map((one) => [one.kind, one]));

/** All kinds of objects that the operator reads or writes. */
export const KIND_NAMES: readonly string[] = [...BY_NAME.keys()];

/** Throws on a kind that the operator does not make. */
export function kindOf(name: string): Kind {
  const found = BY_NAME.get(name);
  if (found === undefined) throw new Error(`The operator has no kind ${name}`);
  return found;
}

/** Path of all objects of a kind, or of those of one namespace. */
export function pathOf({ apiVersion, plural }: Kind, namespace?: string, name?: string): string {
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `${base}${scope}/${plural}${name === undefined ? '' : `/${name}`}`;
}
