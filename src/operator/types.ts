import type { MiddlewareSpec } from './schema/spec.js';
import type { Color, MiddlewareStatus, PastReload, ReloadStatus } from './schema/status.js';

/** Metadata of an object of Kubernetes, as far as the operator reads it. */
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

/** Fields that somebody else set in a part of an object that the operator owns whole. */
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
  /** Only in the cache: what others set in the parts that the operator owns whole. */
  drift?: readonly Drift[];
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
    /** In the cache with those of init containers before them. */
    containerStatuses?: ContainerStatus[];
    initContainerStatuses?: ContainerStatus[];
  };
}

export interface Service extends KubeObject {
  spec: { selector?: Record<string, string>; ports?: { name?: string; port: number }[] };
}

/** The resource with its spec checked and completed, and the status as it was written last. */
export interface Middleware {
  metadata: Metadata & { namespace: string; uid: string; generation: number };
  spec: MiddlewareSpec;
  status: MiddlewareStatus;
}

/** What is known of the Secret that holds a database URL; never the URL itself. */
export interface SecretFacts {
  /** Changes with the value. */
  hash: string;
  host: string;
  /** Of one URL, or of each of several. */
  ports: number[];
  /** Host, port and database: two URLs with one target are the same database. */
  target: string;
}

/** Why a Secret cannot be used. */
export interface SecretFault {
  reason: 'SecretMissing' | 'SecretKeyMissing' | 'SecretInvalid';
  message: string;
}

/** What is known of the certificates of an authority. */
export interface AuthorityFacts {
  /** Changes with the certificates. */
  hash: string;
}

/** Why the certificates cannot be used. */
export interface AuthorityFault {
  reason: 'AuthorityMissing' | 'AuthorityKeyMissing' | 'AuthorityInvalid';
  message: string;
}

/** What `/readyz` of a pod reports; fields that it does not report are `undefined`. */
export interface PodHealth {
  ready: boolean;
  reason?: string | undefined;
  /** Of the fault of database or node that it waits out before it begins. */
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
  /** Heights that a Job has loaded or compared, and all it has to. */
  done?: number | undefined;
  total?: number | undefined;
  heldReorg?: { hash: string; height: number; depth: number } | undefined;
  /** The populator has not reported of late: the lag may be old. */
  populatorSilent?: true | undefined;
}

/** The objects of one resource. All come from caches: reading them costs nothing. */
export interface Children {
  deployment(name: string): Deployment | undefined;
  job(name: string): Job | undefined;
  jobs(): readonly Job[];
  service(name: string): Service | undefined;
  /** Pods with these labels, besides those of the resource. */
  pods(labels: Record<string, string>): readonly Pod[];
  /** Any other kind that the operator makes. */
  get(kind: string, name: string): KubeObject | undefined;
  all(): readonly KubeObject[];
}

/** Everything a decision may depend on. */
export interface World {
  resource: Middleware;
  /** Milliseconds since 1970. */
  now: number;
  /** Image that the operator has for resources that name none. */
  defaultImage: string;
  operatorVersion: string;
  /** Another resource whose upgrade is under way, or has failed. */
  upgrading: OtherUpgrade | undefined;
  /** Image of the pods: that of the resource, or the one its pods have until its upgrade begins. */
  image: string;
  /** What only this version of the operator would do otherwise is left as another one made it. */
  frozen: boolean;
  /** Where the operator's own pods are: they ask the others for their health. */
  operatorNamespace: string;
  children: Children;
  database: SecretFacts | SecretFault;
  /** For a database for trials: the password of its Secret, if that is made now. */
  newPassword: string | undefined;
  /** Read replicas; absent when they are not given by a Secret. */
  readDatabase: SecretFacts | SecretFault | undefined;
  /** Of the certificates that the resource names, in the order of `authoritiesOf`. */
  authorities: readonly (AuthorityFacts | AuthorityFault)[];
  /** By name of the pod; a pod that did not answer is not there. */
  health: ReadonlyMap<string, PodHealth>;
  /** Resource that used the same database first, as namespace/name. */
  conflictingOwner: string | undefined;
  /** Kinds that not every API server knows, and this one does, for example ServiceMonitor. */
  kinds: ReadonlySet<string>;
  /** Objects that the resource needs but that are not owned, as kind/name. */
  notOwned: readonly string[];
  /** Objects that others change whenever they are written, and who does, in words. */
  contested: readonly string[];
  /** What others had set and was removed, in words, and when, ms since 1970. */
  removed: { text: string; at: number } | undefined;
}

/** The world before it is decided which image the pods have. */
export type Observed = Omit<World, 'image' | 'frozen'>;

/** What a condition says. */
export interface ConditionState {
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
}

/** The upgrade of a resource, as others see it. */
export interface OtherUpgrade {
  /** As namespace/name. */
  name: string;
  failed: boolean;
}

/** One copy of the chain: a database schema with its populator and servers. */
export interface CopyPlan {
  color: Color;
  schema: string;
  /** Whether its populator runs. */
  populates: boolean;
  /** Servers it has; `spec` for what the resource asks for. 0 has none. */
  servers: number | 'spec';
  /** The reload that made it; absent for the first copy. */
  reload?: string | undefined;
}

/** Which copies there are, which one serves, and what else runs for a procedure such as a reload. */
export interface Plan {
  /** Color that the Service selects. */
  live: Color;
  /** Further annotations of the live Service, written together with its selector. */
  service?: Record<string, string>;
  /** A copy that is not here has no Deployments. */
  copies: CopyPlan[];
  /** Further Jobs that must be there. Each is made once: its name identifies its content. */
  jobs: KubeObject[];
  /** For `status`; absent fields stay away from it. */
  reload?: ReloadStatus | undefined;
  reloads?: PastReload[] | undefined;
  verification?: MiddlewareStatus['verification'];
  heldReorg?: MiddlewareStatus['heldReorg'];
  acceptedReorg?: MiddlewareStatus['acceptedReorg'];
  /** The condition Reloading. */
  reloading: { status: 'True' | 'False'; reason: string; message: string };
  /** The condition ReorgHeld. */
  reorgHeld: { status: 'True' | 'False' | 'Unknown'; reason: string; message: string };
  events: EventDraft[];
  /** Reconcile again after this time even if nothing happens, ms. */
  requeueAfterMs?: number | undefined;
}

export interface EventDraft {
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
}

/** What a pass leads to. */
export interface Decision {
  /** Children as they must be, in the order in which they are written. */
  want: KubeObject[];
  /** Owned objects that are neither wanted nor kept are deleted. */
  keeps(object: KubeObject): boolean;
  status: MiddlewareStatus;
  events: EventDraft[];
  requeueAfterMs: number | undefined;
}
