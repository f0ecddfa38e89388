import type { MiddlewareSpec } from './schema/spec.js';
import type { Color, MiddlewareStatus } from './schema/status.js';

/** The metadata of a Kubernetes object that the operator reads. */
interface Metadata {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Fields that somebody else set in a part of an object that only the operator may write. */
export interface Drift {
  /** Field manager, as the API server recorded it. */
  manager: string;
  /** Paths such as `spec.template.spec.containers[mdw].env[NODE_URL]`. */
  fields: string[];
}

export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: Metadata;
  spec?: unknown;
  status?: unknown;
  /** Only in the cache: what others set in the parts that only the operator may write. */
  drift?: readonly Drift[];
  /** Only in the cache: the operator has created the object, and not applied it since. */
  unapplied?: boolean;
  [field: string]: unknown;
}

export interface KubeCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  lastUpdateTime?: string;
}

export interface PodTemplate {
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
  spec: Record<string, unknown> & { containers: ({ name: string; image: string } & Record<string, unknown>)[] };
}

export interface Deployment extends KubeObject {
  spec: { replicas?: number; template: PodTemplate };
  status?: {
    observedGeneration?: number;
    replicas?: number;
    updatedReplicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    conditions?: KubeCondition[];
  };
}

export interface StatefulSet extends KubeObject {
  spec: { replicas?: number; template: PodTemplate };
  status?: { replicas?: number };
}

export interface Job extends KubeObject {
  status?: {
    active?: number;
    succeeded?: number;
    failed?: number;
    startTime?: string;
    completionTime?: string;
    conditions?: KubeCondition[];
  };
}

export interface ContainerState {
  waiting?: { reason?: string; message?: string };
  running?: { startedAt?: string };
  terminated?: { exitCode: number; reason?: string; message?: string; finishedAt?: string };
}

interface ContainerStatus {
  name: string;
  ready: boolean;
  restartCount: number;
  state?: ContainerState;
  lastState?: ContainerState;
}

export interface Pod extends KubeObject {
  status?: {
    phase?: string;
    podIP?: string;
    conditions?: KubeCondition[];
    /** In the cache, the statuses of init containers come first in this list. */
    containerStatuses?: ContainerStatus[];
    initContainerStatuses?: ContainerStatus[];
  };
}

export interface Service extends KubeObject {
  spec: { selector?: Record<string, string>; ports?: { name?: string; port: number }[] };
}

/** The resource: its spec checked and completed with defaults, and its last written status. */
export interface Middleware {
  metadata: Metadata & { namespace: string; uid: string; generation: number };
  spec: MiddlewareSpec;
  status: MiddlewareStatus;
}

/** Facts about the Secret that holds a database URL; never the URL itself. */
export interface SecretFacts {
  /** Uid and version of the Secret when it first had this value. It changes with the value, and tells nothing about it. */
  version: string;
  host: string;
  /** One port for each URL. */
  ports: number[];
  /** Host, port and database name: URLs with the same target name the same database. */
  target: string;
}

/** Why a Secret cannot be used. */
export interface SecretFault {
  reason: 'SecretMissing' | 'SecretKeyMissing' | 'SecretInvalid';
  message: string;
}

/** Facts about the certificates of an authority. */
export interface AuthorityFacts {
  /** Changes with the certificates, as that of a Secret with its value. */
  version: string;
}

/** Why the certificates cannot be used. */
export interface AuthorityFault {
  reason: 'AuthorityMissing' | 'AuthorityKeyMissing' | 'AuthorityInvalid';
  message: string;
}

/** What `/readyz` of a pod reports. Fields that it does not report are `undefined`. */
export interface PodHealth {
  ready: boolean;
  reason?: string | undefined;
  /** Error code of the database or node fault that the pod waits for to end before it begins. */
  code?: string | undefined;
  height?: number | undefined;
  /** Time of the head key block, ms since 1970. */
  headTime?: number | undefined;
  nodeHeight?: number | undefined;
  /** `ok`, `loading`, or what the populator waits for, for example `unreachable`. */
  nodeState?: string | undefined;
  lag?: number | undefined;
  /** The first load has not yet reached the head. */
  loading?: boolean | undefined;
  /** Heights that a Job has loaded or compared so far, and the number it has to do in all. */
  done?: number | undefined;
  total?: number | undefined;
  /** Rows that the populator found wrong and could not mend. */
  differingRows?: number | undefined;
  heldReorg?: { hash: string; height: number; depth: number } | undefined;
  /** The populator has not reported for some seconds. */
  populatorSilent?: true | undefined;
  /** A server that is ready, but cannot read its database. */
  withoutDatabase?: true | undefined;
}

/** The objects of one resource. All come from the cache, so reading them sends no request. */
export interface Children {
  deployment(name: string): Deployment | undefined;
  job(name: string): Job | undefined;
  jobs(): readonly Job[];
  service(name: string): Service | undefined;
  /** Pods of the resource that also have these labels. */
  pods(labels: Record<string, string>): readonly Pod[];
  /** An object of any kind that the operator makes. */
  get(kind: string, name: string): KubeObject | undefined;
  all(): readonly KubeObject[];
}

/** Which copy serves, and why. One write of the annotations of the live Service lets a copy serve: the commit point of a reload. */
export interface Served {
  live: Color;
  /** The reload that made the copy which serves; absent for the first copy. */
  reload?: string | undefined;
  /** The reload that made the copy which served before. */
  previous?: string | undefined;
  /** When the copy began to serve, as an ISO time. */
  promotedAt?: string | undefined;
  /** The reload that was rolled back. */
  rolledBack?: string | undefined;
}

/** What resources may ask for. An empty list allows everything, but of annotations of an Ingress no snippets. */
export interface Allowed {
  /** Names of annotations, or their beginnings with `*`. */
  ingressAnnotations: readonly string[];
  /** Types of Services besides ClusterIP. */
  serviceTypes: readonly string[];
  /** Images, repositories and registries. */
  images: readonly string[];
  ingressClasses: readonly string[];
  /** Gateways as NAMESPACE/NAME. */
  gateways: readonly string[];
  storageClasses: readonly string[];
  /** Whether databases for trials are made. */
  trial: boolean;
}

/** A removal of fields that others had set. */
interface Removal {
  /** Objects and fields. */
  text: string;
  /** When, ms since 1970. */
  at: number;
  /** Generation of the resource at that time. */
  generation: number;
  /** Whether pods may still be being replaced because of it. */
  replacesPods: boolean;
}

/** What was observed of a resource, from caches and answers: nothing is decided yet. */
export interface Observed {
  resource: Middleware;
  /** Milliseconds since 1970. */
  now: number;
  /** Image for resources that name none. */
  defaultImage: string;
  operatorVersion: string;
  /** Address before docs/runbooks/… for resources that name none; empty for none. */
  runbookBase: string;
  allowed: Allowed;
  /** Another resource whose upgrade is under way, or has failed. */
  upgrading: OtherUpgrade | undefined;
  /** Namespace of the operator's own pods, which request the health of the middleware's pods. */
  operatorNamespace: string;
  children: Children;
  database: SecretFacts | SecretFault;
  /** For a trial database: a new password, used if its Secret is made now. */
  newPassword: string | undefined;
  /** Secret of the read replicas; undefined when the resource names none. */
  readDatabase: SecretFacts | SecretFault | undefined;
  /** The certificates that the resource names, in the order of `authoritiesOf`. */
  authorities: readonly (AuthorityFacts | AuthorityFault)[];
  /** Health by the name of the pod, without pods that did not answer. */
  health: ReadonlyMap<string, PodHealth>;
  /** Name of an older resource of this namespace with the same database and schema. */
  conflictingOwner: string | undefined;
  /** What resources of other namespaces that share a schema claim. */
  claims: readonly Claim[];
  /** Optional kinds that this API server has, for example ServiceMonitor. */
  kinds: ReadonlySet<string>;
  /** Objects with a name that the resource needs, but that somebody else made; as kind/name. */
  notOwned: readonly string[];
  /** Objects that others change back after each write, each with who does that, as text. */
  contested: readonly string[];
  removed: Removal | undefined;
}

/** What manifests are made from: what was observed, and which image and templates pods have. */
export interface Basis extends Observed {
  /** Image of the pods: the image that the resource names, or the current one until the upgrade of the resource begins. */
  image: string;
  /** Pod templates that only differ because of the version of the operator stay as another version made them. */
  frozen: boolean;
}

/** Status, reason and message of a condition. */
export interface ConditionState {
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
}

/** What a resource of another namespace claims, without its name. */
export interface Claim {
  databaseId: string | undefined;
  /** Hashes of the ids of its copies; undefined if an older version of the operator recorded the database, without them. */
  copies: readonly string[] | undefined;
  /** Whether its URL names the same database. */
  hasSameUrl: boolean;
  /** Whether it is older. */
  isEarlier: boolean;
}

/** The upgrade of another resource. */
export interface OtherUpgrade {
  /** As namespace/name. */
  name: string;
  failed: boolean;
}

/** One copy of the chain: a database schema with its populator and servers. */
export interface CopyPlan {
  color: Color;
  schema: string;
  /** Whether it has a populator. */
  populates: boolean;
  /** Number of servers; `spec` for the number in the resource. With 0 there is no Deployment. */
  servers: number | 'spec';
  /** The reload that made it; absent for the first copy. */
  reload?: string | undefined;
}

export interface EventDraft {
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
}

/** The result of one pass over a resource. */
export interface Decision {
  /** The wanted children, in the order in which they are written. */
  want: KubeObject[];
  /** Whether an owned object stays although it is not wanted. All other unwanted objects are deleted. */
  keeps(object: KubeObject): boolean;
  status: MiddlewareStatus;
  events: EventDraft[];
  requeueAfterMs: number | undefined;
}
