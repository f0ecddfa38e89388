import type { Condition, ConditionType, MiddlewareStatus } from '../schema/status.js';
import { LABEL, refOf } from '../names.js';
import type { KubeObject, Middleware } from '../types.js';
import { inSeconds } from '../times.js';

/** The conditions, with one of them replaced. */
function withCondition(
  conditions: readonly Condition[],
  last: readonly Condition[],
  now: number,
  condition: Omit<Condition, 'lastTransitionTime'>,
): Condition[] {
  const before = last.find(({ type }) => type === condition.type);
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : inSeconds(now);
  return [...conditions.filter(({ type }) => type !== condition.type), { ...condition, lastTransitionTime }];
}

/** A child that the API server refuses, and why. */
export interface Refusal {
  object: KubeObject;
  message: string;
}

/** The status when the API server refused children: there is no progress until somebody grants a right or corrects a field. */
export function withRefusals(
  resource: Middleware,
  status: MiddlewareStatus,
  refused: readonly Refusal[],
  now: number,
): MiddlewareStatus {
  const refusals = refused.map(
    ({ object, message: why }) => `${refOf(object)}${sourceOf(object, why, resource)}: ${why}`,
  );
  const message = `The API server refuses ${refusals.join('; ')}; correct what it names, or grant the operator the right`;
  const observedGeneration = resource.metadata.generation;
  const last = resource.status.conditions ?? [];
  const set = (conditions: Condition[], type: ConditionType, is: 'True' | 'False') =>
    withCondition(conditions, last, now, { type, status: is, reason: 'WriteRefused', message, observedGeneration });
  const conditions = set(set(status.conditions ?? [], 'Stalled', 'True'), 'Reconciling', 'False');
  const failed = status.upgrade?.phase === 'Rolling' && { upgrade: { ...status.upgrade, phase: 'Failed' as const } };
  return { ...status, ...failed, phase: 'Stalled', conditions };
}

/** Fields of the resource that are copied unchanged into pods, by the name that the API server reports. */
const POD_FIELDS = [
  ...['resources', 'nodeSelector', 'tolerations', 'affinity', 'topologySpreadConstraints', 'priorityClassName'],
  ...['image', 'imagePullSecrets'],
];
const OF_ALL = new Set(['image', 'imagePullSecrets']);

/** The field of the resource from which a refused field was copied, in parentheses; empty if none is known. */
function sourceOf(object: KubeObject, message: string, { spec }: Middleware): string {
  const { kind, metadata } = object;
  // The refusal of a quantity does not name its field.
  const names = (field: string): boolean =>
    new RegExp(field === 'resources' ? '\\b(resources|quantities)\\b' : `\\b${field}\\b`).test(message);
  if (kind === 'NetworkPolicy') return ' (spec.networkPolicy)';
  if (kind === 'Ingress') return ' (spec.ingress)';
  if (kind === 'HTTPRoute') return ' (spec.httpRoute)';
  if (kind === 'StatefulSet') return ' (spec.database.trial)';
  if (kind === 'Cluster') return ' (spec.database.cluster)';
  if (kind === 'ScheduledBackup') return ' (spec.database.cluster.backups)';
  if (kind === 'HorizontalPodAutoscaler') return ' (spec.server.autoscaling)';
  const component = metadata.labels?.[LABEL.component] ?? '';
  const part = component === 'server' || component === 'populator' ? component : 'migration';
  const inTemplate = templateField(object, message, spec[part].podTemplate);
  if (inTemplate !== undefined) return ` (spec.${part}.podTemplate.${inTemplate})`;
  const fields = POD_FIELDS.filter(names).map((field) =>
    OF_ALL.has(field) ? `spec.${field}` : `spec.${part}.${field}`,
  );
  return fields.length === 0 ? '' : ` (${fields.join(', ')})`;
}

/**
 * Path of a refused field in the `podTemplate` of the resource, with list items by name; undefined if the field does not
 * come from the `podTemplate`.
 */
function templateField(object: KubeObject, message: string, template: object | undefined): string | undefined {
  const path = /\bspec\.template\.((?:spec|metadata)\.(?:[\w.]|\[[^\]]*\])+)/.exec(message)?.[1]?.replace(/\.$/, '');
  if (path === undefined) return undefined;
  const [part = '', field = ''] = path.split(/[.[]/);
  const given = (template as Record<string, object | undefined> | undefined)?.[part];
  if (given === undefined || !(field in given)) return undefined;
  let at: unknown = (object.spec as { template?: unknown }).template;
  const named = (path.match(/\[[^\]]*\]|[^.[\]]+/g) ?? []).map((step) => {
    const [, index, name] = /^\[(?:(\d+)|.*"(.*)")\]$/.exec(step) ?? [];
    at = (at as Record<string, unknown> | undefined)?.[index ?? step];
    const { mountPath, name: itsName } = (at ?? {}) as { mountPath?: unknown; name?: unknown };
    if (index !== undefined) return `[${[mountPath, itsName].find((one) => typeof one === 'string') ?? index}]`;
    return name === undefined ? `.${step}` : `[${name}]`;
  });
  return named.join('').slice(1);
}

/** Status of a resource that an older CRD accepted and that this version cannot read. Its children stay unchanged. */
export function unreadableStatus(object: KubeObject, faults: string, now: number) {
  const { namespace = '', uid = '', generation = 0 } = object.metadata;
  const old = (object.status ?? {}) as MiddlewareStatus;
  const message = `${faults}; correct the resource`;
  const last = old.conditions ?? [];
  const set = (conditions: readonly Condition[], type: ConditionType, is: 'True' | 'False') =>
    withCondition(conditions, last, now, {
      type,
      status: is,
      reason: 'InvalidSpec',
      message,
      observedGeneration: generation,
    });
  const conditions = set(set(last, 'Stalled', 'True'), 'Reconciling', 'False');
  const status: MiddlewareStatus = { ...old, observedGeneration: generation, phase: 'Stalled', conditions };
  const metadata = { ...object.metadata, namespace, uid, generation };
  return { status, middleware: { metadata, status: old } as Middleware };
}
