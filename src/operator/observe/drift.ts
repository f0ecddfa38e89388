import { FIELD_MANAGER, hashOf } from '../names.js';
import type { Drift, KubeObject } from '../types.js';

interface Owned {
  /** Parts that only the operator may write, besides the defaults of the API server. */
  parts: string[][];
  /** Paths within these parts that others may write. */
  others?: RegExp;
}

/** Annotations by which `kubectl rollout restart`, OpenShift and Rancher restart pods. */
const RESTARTS = /^spec\.template\.metadata\.annotations\.(.*\/restartedAt|cattle\.io\/timestamp)$/;

/**
 * The owned parts of each kind. Others may write everything else: labels and annotations of the objects themselves, all of
 * a Service but its selector and ports, the pull secrets of a service account, the tuning of a database cluster. A ConfigMap
 * and the pod template of a Job are immutable.
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

/** A tree of managed fields as the API server writes it, with steps `f:NAME`, `k:KEYS` and `v:VALUE`. */
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

/** Fields in owned parts that others own and the operator does not, from `managedFields`. */
export function driftOf(object: KubeObject): Drift[] {
  const owned = OWNED[object.kind];
  const entries = (object.metadata as { managedFields?: Managed[] }).managedFields;
  if (owned === undefined || entries === undefined) return [];
  const writers = entries.filter(({ subresource = '' }) => subresource === '');
  const own = (writers.find(isApplied) ?? writers.find(isMade))?.fieldsV1;
  const drifts = new Map<string, string[]>();
  for (const { manager = 'unknown', fieldsV1 } of writers.filter((entry) => entry.fieldsV1 !== own)) {
    const fields = owned.parts.flatMap((part) => {
      const steps = part.map((name) => `f:${name}`);
      return unownedFields(follow(fieldsV1, steps), follow(own, steps), part.join('.'));
    });
    const drift = fields.filter((field) => owned.others?.test(field) !== true);
    if (drift.length > 0) drifts.set(manager, [...(drifts.get(manager) ?? []), ...drift]);
  }
  return [...drifts].map(([manager, fields]) => ({ manager, fields }));
}

const isOwn = ({ manager, subresource = '' }: Managed): boolean => manager === FIELD_MANAGER && subresource === '';
const isApplied = (entry: Managed): boolean => isOwn(entry) && entry.operation === 'Apply';
const isMade = (entry: Managed): boolean => isOwn(entry) && entry.operation === 'Update';

/**
 * The managed fields with which an object counts as applied, if it was created and never applied; else undefined. Without
 * them, server-side apply would never remove a field that the object was created with.
 */
export function appliedFields(object: KubeObject): Managed[] | undefined {
  const entries = (object.metadata as { managedFields?: Managed[] }).managedFields ?? [];
  if (entries.some(isApplied) || !entries.some(isMade)) return undefined;
  return entries.map((entry) => (isMade(entry) ? { ...entry, operation: 'Apply' } : entry));
}

const follow = (fields: Fields | undefined, steps: string[]): Fields | undefined =>
  steps.reduce<Fields | undefined>((at, step) => at?.[step], fields);

/** Paths of the fields in `theirs` that are not in `own`. For a new list entry: one path, not one for each of its fields. */
function unownedFields(theirs: Fields | undefined, own: Fields | undefined, path: string): string[] {
  if (theirs === undefined) return [];
  if (own === undefined) return [path];
  return Object.keys(theirs)
    .filter((step) => step !== '.')
    .flatMap((step) => unownedFields(theirs[step], own[step], `${path}${shown(step)}`));
}

/** A step as a part of a path: `f:env` gives `.env`, `k:{"name":"A"}` gives `[A]`. */
function shown(step: string): string {
  const text = step.slice(2);
  if (step.startsWith('f:')) return `.${text}`;
  return step.startsWith('k:') ? `[${Object.values(JSON.parse(text) as object).join()}]` : `[${text}]`;
}

/**
 * A JSON patch that restores the owned parts of an object. Server-side apply cannot do that: it does not remove list entries
 * that others added. The API server refuses the patch with 409 if the object has changed meanwhile.
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

/** Hash of the content of the owned parts. */
export const ownedHash = (object: KubeObject): string => hashOf(ownedOf(object).parts.map((part) => at(object, part)));

function ownedOf({ kind }: KubeObject): Owned {
  const owned = OWNED[kind];
  if (owned === undefined) throw new Error(`The operator owns no part of a ${kind}`);
  return owned;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const at = (object: KubeObject, part: string[]): unknown =>
  part.reduce<unknown>((value, name) => (isMap(value) ? value[name] : undefined), object);

/** The part of `drifts` that is no longer in the object. */
export function removedOf(drifts: readonly Drift[], now: KubeObject): Drift[] {
  const there = new Set(now.drift?.flatMap(({ fields }) => fields));
  return drifts
    .map(({ manager, fields }) => ({ manager, fields: fields.filter((field) => !there.has(field)) }))
    .filter(({ fields }) => fields.length > 0);
}

/** Max fields that a text names, so that Events and conditions stay readable. */
const MAX_NAMED = 5;

/** Text for people: which fields, and who set them. Without values, because they may be secret. */
export const driftText = (drifts: readonly Drift[]): string =>
  drifts
    .map(({ manager, fields }) => {
      const more = fields.length > MAX_NAMED ? ` and ${fields.length - MAX_NAMED} more` : '';
      return `${fields.slice(0, MAX_NAMED).join(', ')}${more} (set by ${manager})`;
    })
    .join('; ');
