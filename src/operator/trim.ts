import type { ContainerState, KubeObject, Pod } from './types.js';

/** Fields of metadata that tell who wrote what, at length, and that decide nothing here. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** An object without what the operator never looks at. */
export function trimObject(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata as KubeObject['metadata'] & { managedFields?: unknown };
  if (metadata.annotations?.[LAST_APPLIED] === undefined) return { ...object, metadata };
  const { [LAST_APPLIED]: _applied, ...annotations } = metadata.annotations;
  return { ...object, metadata: { ...metadata, annotations } };
}

/** Of a pod only who it is and how it fares. */
export function trimPod(object: KubeObject): KubeObject {
  const { metadata, status = {} } = object as Pod;
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, labels } = metadata;
  const { phase, podIP, conditions, containerStatuses } = status;
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
      conditions: conditions
        ?.filter(({ type }) => type === 'Ready')
        .map(({ type, status: is }) => ({ type, status: is })),
      containerStatuses: containerStatuses?.map(({ name: container, ready, restartCount, state, lastState }) => ({
        name: container,
        ready,
        restartCount,
        state: trimState(state),
        lastState: trimState(lastState),
      })),
    },
  };
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
