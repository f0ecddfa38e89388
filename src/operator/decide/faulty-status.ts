import type { Condition, ConditionType, MiddlewareStatus } from '../schema/status.js';
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

/** The API server refused children: there is no progress until somebody grants or corrects something. */
export function withRefusals(
  resource: Middleware,
  status: MiddlewareStatus,
  refused: string[],
  now: number,
): MiddlewareStatus {
  const message = `The API server refuses ${refused.join('; ')}; correct what it names, or grant the operator the right`;
  const observedGeneration = resource.metadata.generation;
  const last = resource.status.conditions ?? [];
  const say = (conditions: Condition[], type: ConditionType, is: 'True' | 'False') =>
    withCondition(conditions, last, now, { type, status: is, reason: 'WriteRefused', message, observedGeneration });
  const conditions = say(say(status.conditions ?? [], 'Stalled', 'True'), 'Reconciling', 'False');
  return { ...status, phase: 'Stalled', conditions };
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
