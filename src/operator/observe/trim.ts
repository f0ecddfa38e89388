import { appliedFields, driftOf } from './drift.js';
import type { ContainerState, KubeCondition, KubeObject, Pod } from '../types.js';

/** Annotation of `kubectl apply`: a whole copy of the object. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** An object without fields that the operator never reads. Its managed fields are reduced to the drift, and whether it was ever applied. */
export function trimObject(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata as KubeObject['metadata'] & { managedFields?: unknown };
  const drift = driftOf(object);
  const unapplied = appliedFields(object) !== undefined;
  const trimmed = { ...object, metadata, ...(drift.length > 0 && { drift }), ...(unapplied && { unapplied }) };
  if (metadata.annotations?.[LAST_APPLIED] === undefined) return trimmed;
  const { [LAST_APPLIED]: _applied, ...annotations } = metadata.annotations;
  return { ...trimmed, metadata: { ...metadata, annotations } };
}

/** A pod with only its identity and state. */
export function trimPod(object: KubeObject): KubeObject {
  const { metadata, status = {} } = object as Pod;
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, labels } = metadata;
  const { phase, podIP, conditions, initContainerStatuses = [], containerStatuses = [] } = status;
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
      ...(labels !== undefined && { labels }),
    },
    status: {
      phase,
      podIP,
      conditions: conditions?.flatMap(trimCondition),
      containerStatuses: [...initContainerStatuses, ...containerStatuses].map(
        ({ name: container, ready, restartCount, state, lastState }) => ({
          name: container,
          ready,
          restartCount,
          state: trimState(state),
          lastState: trimState(lastState),
        }),
      ),
    },
  };
}

/** The conditions that the operator reads: why a pod is not scheduled, and whether it is ready. */
function trimCondition(condition: KubeCondition): KubeCondition[] {
  const { type, status } = condition;
  if (type === 'PodScheduled' && status === 'False') return [condition];
  return type === 'Ready' ? [{ type, status }] : [];
}

function trimState(state: ContainerState | undefined): ContainerState | undefined {
  if (state?.terminated !== undefined && state.terminated !== null) {
    const { exitCode, reason, message, finishedAt } = state.terminated;
    return {
      terminated: {
        exitCode,
        ...(reason !== undefined && { reason }),
        ...(message !== undefined && { message }),
        ...(finishedAt !== undefined && { finishedAt }),
      },
    };
  }
  return state?.waiting ? { waiting: { ...state.waiting } } : undefined;
}
