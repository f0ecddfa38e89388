import type { Condition, ConditionType, MiddlewareStatus } from '../schema/status.js';
import { LABEL, refOf } from '../names.js';
import type { KubeObject, Middleware } from '../types.js';

const time = (now: number): string => new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');

/** The conditions with one of them replaced. */
function withCondition(
  conditions: readonly Condition[],
  last: readonly Condition[],
  now: number,
  said: Omit<Condition, 'lastTransitionTime'>,
): Condition[] {
  const before = last.find(({ type }) => type === said.type);
  const lastTransitionTime = before?.status === said.status ? before.lastTransitionTime : time(now);
  return [...conditions.filter(({ type }) => type !== said.type), { ...said, lastTransitionTime }];
}

/** A child that the API server refuses, and why. */
export interface Refusal {
  object: KubeObject;
  message: string;
}

/** The API server refused children: there is no progress until somebody grants or corrects something. */
export function withRefusals(
  resource: Middleware,
  status: MiddlewareStatus,
  refused: readonly Refusal[],
  now: number,
): MiddlewareStatus {
  const said = refused.map(({ object, message: why }) => `${refOf(object)}${sourceOf(object, why)}: ${why}`);
  const message = `The API server refuses ${said.join('; ')}; correct what it names, or grant the operator the right`;
  const observedGeneration = resource.metadata.generation;
  const last = resource.status.conditions ?? [];
  const say = (conditions: Condition[], type: ConditionType, is: 'True' | 'False') =>
    withCondition(conditions, last, now, { type, status: is, reason: 'WriteRefused', message, observedGeneration });
  const conditions = say(say(status.conditions ?? [], 'Stalled', 'True'), 'Reconciling', 'False');
  return { ...status, phase: 'Stalled', conditions };
}

/** Fields that are handed on as they are, by how the API server names them in a pod. */
const POD_FIELDS = [
  ...['resources', 'nodeSelector', 'tolerations', 'affinity', 'topologySpreadConstraints', 'priorityClassName'],
  ...['image', 'imagePullSecrets'],
];
const OF_ALL = new Set(['image', 'imagePullSecrets']);

/** Where in the resource the refused field comes from, if it is one that is handed on as it is. */
function sourceOf({ kind, metadata }: KubeObject, message: string): string {
  // A quantity is refused without a word of where it stands.
  const names = (field: string): boolean =>
    new RegExp(field === 'resources' ? '\\b(resources|quantities)\\b' : `\\b${field}\\b`).test(message);
  if (kind === 'NetworkPolicy') return ' (spec.networkPolicy)';
  if (kind === 'Ingress') return ' (spec.ingress)';
  if (kind === 'HorizontalPodAutoscaler') return ' (spec.server.autoscaling)';
  const component = metadata.labels?.[LABEL.component] ?? '';
  const part = component === 'server' || component === 'populator' ? component : 'migration';
  const fields = POD_FIELDS.filter(names).map((field) =>
    OF_ALL.has(field) ? `spec.${field}` : `spec.${part}.${field}`,
  );
  return fields.length === 0 ? '' : ` (${fields.join(', ')})`;
}

/** A resource from an older definition that this version cannot read; nothing of it is touched. */
export function unreadableStatus(object: KubeObject, faults: string, now: number) {
  const { namespace = '', uid = '', generation = 0 } = object.metadata;
  const old = (object.status ?? {}) as MiddlewareStatus;
  const message = `${faults}; correct the resource`;
  const last = old.conditions ?? [];
  const say = (conditions: readonly Condition[], type: ConditionType, is: 'True' | 'False') =>
    withCondition(conditions, last, now, {
      type,
      status: is,
      reason: 'InvalidSpec',
      message,
      observedGeneration: generation,
    });
  const conditions = say(say(last, 'Stalled', 'True'), 'Reconciling', 'False');
  const status: MiddlewareStatus = { ...old, observedGeneration: generation, phase: 'Stalled', conditions };
  const metadata = { ...object.metadata, namespace, uid, generation };
  return { status, middleware: { metadata, status: old } as Middleware };
}
