import { createInstruments } from '../observe/instruments.js';
import { CAUSES } from './kube/errors.js';
import { ANY_CONFIG_MAP, KIND_NAMES } from './kube/kinds.js';
import { version } from '../observe/version.js';

export type OperatorMetrics = ReturnType<typeof createOperatorMetrics>;

/** Name of the queue in its metrics. */
const QUEUE = 'middleware';

const SECONDS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];

/** Metrics of the operator. Only gauges have the name of a resource as a label; it is removed with the resource. */
export function createOperatorMetrics() {
  const instruments = createInstruments();
  const { registry, labelValues, gauge, labelledCounter, histogram } = instruments;
  const time = <L extends string>(metric: string, help: string, label: L) => histogram(metric, help, SECONDS, label);
  const buildInfo = gauge('mdw_operator_build_info', 'Always 1; the label is the version of the operator', 'version');
  buildInfo.set({ version }, 1);

  const queue = queueMetrics(instruments);
  const leader = gauge('mdw_operator_leader', '1 while this process holds the lease and reconciles');
  leader.set(0);

  return {
    registry,
    labelValues,
    queue,
    reconcileSeconds: time('mdw_operator_reconcile_seconds', 'Time of one pass over a resource', 'result'),
    reconcileErrors: labelledCounter('mdw_operator_reconcile_errors_total', 'Passes that failed, by cause', {
      reason: CAUSES,
    }),
    writes: labelledCounter('mdw_operator_writes_total', 'Objects written or deleted', {
      kind: KIND_NAMES,
      verb: ['apply', 'create', 'delete', 'status'],
    }),
    resources: gauge('mdw_operator_resources', 'Resources by phase', 'phase'),
    condition: gauge(
      'mdw_operator_condition',
      '1 when the condition of the resource is True, 0 when it is False',
      'namespace',
      'name',
      'type',
    ),
    restarts: gauge(
      'mdw_operator_restarts',
      'Times that containers of the pods of the resource were started again; a pod that goes takes its own with it',
      'namespace',
      'name',
    ),
    lagBlocks: gauge(
      'mdw_operator_lag_blocks',
      'Key blocks that the resource is behind its node; absent while nobody knows that',
      'namespace',
      'name',
    ),
    reloadProgress: gauge(
      'mdw_operator_reload_progress_ratio',
      'Share of the heights of the running reload that are loaded',
      'namespace',
      'name',
    ),
    apiRequests: labelledCounter(
      'mdw_operator_api_requests_total',
      'Requests to the API server; code 0 means no answer',
      { verb: 'method of the request', code: 'status of the answer' },
    ),
    relists: labelledCounter('mdw_operator_watch_relists_total', 'Times all objects were read again', {
      kind: [...KIND_NAMES, ANY_CONFIG_MAP],
      reason: CAUSES,
    }),
    watchAge: gauge('mdw_operator_watch_age_seconds', 'Time since the last message of the watch', 'kind'),
    leader,
  };
}

/** Metrics of the work queue, with the names that other controllers use. */
function queueMetrics({ gauge, labelledCounter, histogram }: ReturnType<typeof createInstruments>) {
  const name = { name: QUEUE } as const;
  const time = (metric: string, help: string) => histogram(metric, help, SECONDS, 'name');
  const depth = gauge('workqueue_depth', 'Resources that wait to be reconciled', 'name');
  const adds = labelledCounter('workqueue_adds_total', 'Times a resource was put into the queue', {
    name: [QUEUE],
  });
  const waited = time('workqueue_queue_duration_seconds', 'Time a resource waits in the queue');
  const worked = time('workqueue_work_duration_seconds', 'Time one reconciliation of a resource takes');
  const retries = labelledCounter('workqueue_retries_total', 'Reconciliations that failed and are tried again', {
    name: [QUEUE],
  });
  const unfinished = gauge(
    'workqueue_unfinished_work_seconds',
    'Time that the running reconciliations have taken so far, summed up',
    'name',
  );
  const maxRunning = gauge(
    'workqueue_longest_running_processor_seconds',
    'Time that the longest running reconciliation has taken so far',
    'name',
  );
  return {
    depth: depth.labels(name),
    adds: adds.labels(name),
    waited: waited.labels(name),
    worked: worked.labels(name),
    retries: retries.labels(name),
    unfinished: unfinished.labels(name),
    maxRunning: maxRunning.labels(name),
  };
}
