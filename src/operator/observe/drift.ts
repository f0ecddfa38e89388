import { FIELD_MANAGER, hashOf } from '../names.js';
import type { Drift, KubeObject } from '../types.js';

interface Owned {
  /** Parts in which only what the operator wrote, and the defaults of the API server, may stay. */
  parts: string[][];
  /** Paths within them that are left to others. */
  others?: RegExp;
}

/** `kubectl rollout restart`, OpenShift and Rancher restart pods by changing an annotation. */
const RESTARTS = /^spec\.template\.metadata\.annotations\.(.*\/restartedAt|cattle\.io\/timestamp)$/;

/**
 * What is not listed here is left to others: labels and annotations on the objects themselves, what a Service does
 * besides selecting pods and naming ports, the pull secrets of a service account, the tuning of a database cluster. A
 * ConfigMap is immutable, as is the pod template of a Job.
 */
const OWNED: Record<string, Owned> = {
  Deployment: {
    parts: [
      ['spec', 'template'],
      ['spec', 'strategy'],
    ],
    others: RESTARTS,
  },
  StatefulSet: { parts: [['spec', 'template']], others: RESTARTS },
  Service: {
    parts: [
      ['spec', 'selector'],
      ['spec', 'ports'],
    ],
    others: /\.nodePort$/,
  },
  Ingress: { parts: [['spec']], others: /^spec\.ingressClassName$/ },
  HTTPRoute: { parts: [['spec']] },
  NetworkPolicy: { parts: [['spec']] },
  PodDisruptionBudget: { parts: [['spec']] },
  HorizontalPodAutoscaler: { parts: [['spec']] },
};

/** Managed fields as the API server writes them: a tree of `f:NAME`, `k:KEYS` and `v:VALUE`. */
interface Fields {
  [step: string]: Fields;
}

interface Managed {
  manager?: string;
  operation?: string;
  subresource?: string;
  fieldsV1?: Fields;
}

export const isOwnedWhole = ({ kind }: KubeObject): boolean => kind in OWNED;

/** What others own and the operator does not, in its own parts; found from `managedFields`. */
export function driftOf(object: KubeObject): Drift[] {
  const owned = OWNED[object.kind];
  const entries = (object.metadata as { managedFields?: Managed[] }).managedFields;
  if (owned === undefined || entries === undefined) return [];
  const writers = entries.filter(({ subresource = '' }) => subresource === '');
  const own = writers.find(isOwn)?.fieldsV1;
  const drifts = new Map<string, string[]>();
  for (const { manager = 'unknown', fieldsV1 } of writers.filter((entry) => !isOwn(entry))) {
    const fields = owned.parts.flatMap((part) => {
      const steps = part.map((name) => `f:${name}`);
      return unownedFields(follow(fieldsV1, steps), follow(own, steps), part.join('.'));
    });
    const left = fields.filter((field) => owned.others?.test(field) !== true);
    if (left.length > 0) drifts.set(manager, [...(drifts.get(manager) ?? []), ...left]);
  }
  return [...drifts].map(([manager, fields]) => ({ manager, fields }));
}

const isOwn = ({ manager, operation }: Managed): boolean => manager === FIELD_MANAGER && operation === 'Apply';

const follow = (fields: Fields | undefined, steps: string[]): Fields | undefined =>
  steps.reduce<Fields | undefined>((at, step) => at?.[step], fields);

/** The uppermost fields of `theirs` that are not in `own`: a whole entry of a list rather than each field of it. */
function unownedFields(theirs: Fields | undefined, own: Fields | undefined, path: string): string[] {
  if (theirs === undefined) return [];
  if (own === undefined) return [path];
  return Object.keys(theirs)
    .filter((step) => step !== '.')
    .flatMap((step) => unownedFields(theirs[step], own[step], `${path}${shown(step)}`));
}

/** `f:env` is `.env`, `k:{"name":"A"}` is `[A]`. */
function shown(step: string): string {
  const text = step.slice(2);
  if (step.startsWith('f:')) return `.${text}`;
  return step.startsWith('k:') ? `[${Object.values(JSON.parse(text) as object).join()}]` : `[${text}]`;
}

/**
 * A JSON patch that restores the owned parts of an object. Server-side apply cannot: it leaves
 * in a list what others added. Refused with 409 if the object has changed meanwhile.
 */
export function restoration(wanted: KubeObject, live: KubeObject): unknown[] {
  const { parts, others } = ownedOf(wanted);
  return [
    { op: 'replace', path: '/metadata/resourceVersion', value: live.metadata.resourceVersion },
    ...parts.map((part) => ({
      op: 'add',
      path: `/${part.join('/')}`,
      value: withOthers(at(wanted, part), at(live, part), part.join('.'), others),
    })),
  ];
}

function withOthers(wanted: unknown, live: unknown, path: string, others: RegExp | undefined): unknown {
  if (others === undefined || !isMap(wanted) || !isMap(live)) return wanted;
  const kept = Object.entries(live).flatMap(([name, value]): [string, unknown][] => {
    if (name in wanted) return [[name, withOthers(wanted[name], value, `${path}.${name}`, others)]];
    return others.test(`${path}.${name}`) ? [[name, value]] : [];
  });
  return { ...wanted, ...Object.fromEntries(kept) };
}

/** Changes with the content of the owned parts. */
export const ownedHash = (object: KubeObject): string => hashOf(ownedOf(object).parts.map((part) => at(object, part)));

function ownedOf({ kind }: KubeObject): Owned {
  const owned = OWNED[kind];
  if (owned === undefined) throw new Error(`The operator owns no part of a ${kind} whole`);
  return owned;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const at = (object: KubeObject, part: string[]): unknown =>
  part.reduce<unknown>((value, name) => (isMap(value) ? value[name] : undefined), object);

/** The drift that was removed. */
export function removedOf(drifts: readonly Drift[], now: KubeObject): Drift[] {
  const there = new Set(now.drift?.flatMap(({ fields }) => fields));
  return drifts
    .map(({ manager, fields }) => ({ manager, fields: fields.filter((field) => !there.has(field)) }))
    .filter(({ fields }) => fields.length > 0);
}

/** Max fields that are named: an Event and a condition must stay readable. */
const NAMED = 5;

/** Who set what, for people. Without values: they may be secret. */
export const driftText = (drifts: readonly Drift[]): string =>
  drifts
    .map(({ manager, fields }) => {
      const more = fields.length > NAMED ? ` and ${fields.length - NAMED} more` : '';
      return `${fields.slice(0, NAMED).join(', ')}${more} (set by ${manager})`;
    })
    .join('; ');
