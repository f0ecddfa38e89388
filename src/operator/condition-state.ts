import type { Condition, ConditionType } from './schema/status.js';
import { inSeconds } from './times.js';
import type { ConditionState, Observed } from './types.js';

export const yes = (reason: string, message: string): ConditionState => ({ status: 'True', reason, message });
export const no = (reason: string, message: string): ConditionState => ({ status: 'False', reason, message });
export const unknown = (reason: string, message: string): ConditionState => ({ status: 'Unknown', reason, message });

/** The condition of a resource in this state. Its transition time changes only with its status. */
export function conditionIn({ resource, now }: Observed, type: ConditionType, state: ConditionState): Condition {
  const last = resource.status.conditions?.find((one) => one.type === type);
  const { status, reason, message } = state;
  const lastTransitionTime = last?.status === status ? last.lastTransitionTime : inSeconds(now);
  return { type, status, reason, message, lastTransitionTime, observedGeneration: resource.metadata.generation };
}
