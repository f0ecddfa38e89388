import type { AlertCase, Series } from './alert-cases.js';

const SCRAPED = 'job="mdw-operator",pod="o"';
const RESOURCE = `${SCRAPED},namespace="n",name="m"`;

const condition = (type: string, values: string, labels = RESOURCE): Series => ({
  [`mdw_operator_condition{${labels},type="${type}"}`]: values,
});

export const OPERATOR_ALERT_CASES: Record<string, AlertCase> = {
  MiddlewareNotReady: {
    fires: condition('Ready', '0x20'),
    // A standby operator that has not seen the change yet, next to a leader that has.
    quiet: {
      ...condition('Ready', '1x20'),
      ...condition('Ready', '0x20', 'job="mdw-operator",pod="p",namespace="n",name="m"'),
    },
    at: '15m',
  },
  MiddlewareDegraded: { fires: condition('Degraded', '1x20'), quiet: condition('Degraded', '1x10 0 1x10'), at: '18m' },
  MiddlewareNotVerified: {
    fires: condition('Verified', '_x2 1x3 0x10'),
    // Nothing was verified yet, then it was.
    quiet: condition('Verified', '_x5 1x10'),
    at: '8m',
  },
  MiddlewareStalled: { fires: condition('Stalled', '1x10'), quiet: condition('Stalled', '0x10'), at: '8m' },
  MiddlewareOutdated: {
    fires: condition('Outdated', '1x1500'),
    quiet: condition('Outdated', '1x1000 0 1x500'),
    at: '1445m',
  },
  MiddlewareCrashing: {
    fires: { [`mdw_operator_restarts{${RESOURCE}}`]: '_ 0 1 2 2 3 3 3 4 4 4 4' },
    // Two restarts, and a pod that goes.
    quiet: { [`mdw_operator_restarts{${RESOURCE}}`]: '_ 0 1 2 2 2 0 0 0 0 0 0' },
    at: '11m',
  },
  MiddlewareReloadStuck: {
    fires: { ...condition('Reloading', '1x200'), [`mdw_operator_reload_progress_ratio{${RESOURCE}}`]: '0.5x200' },
    quiet: {
      ...condition('Reloading', '1x200'),
      [`mdw_operator_reload_progress_ratio{${RESOURCE}}`]: '0+0.004x200',
    },
    at: '150m',
  },
  MiddlewareOperatorErrors: {
    fires: { [`mdw_operator_reconcile_errors_total{${SCRAPED},reason="forbidden"}`]: '_ 0+2x60' },
    quiet: { [`mdw_operator_reconcile_errors_total{${SCRAPED},reason="conflict"}`]: '_ 0x20 5x40' },
    at: '45m',
  },
  MiddlewareOperatorQueueStuck: {
    fires: { [`workqueue_longest_running_processor_seconds{${SCRAPED},name="middleware"}`]: '0+60x20' },
    quiet: {
      [`workqueue_longest_running_processor_seconds{${SCRAPED},name="middleware"}`]: '0 60 120 0 60 120 0 0 0 0 0 0 0',
      'workqueue_longest_running_processor_seconds{job="other",name="x"}': '0+60x20',
    },
    at: '12m',
  },
  MiddlewareOperatorNoLeader: {
    fires: { [`mdw_operator_leader{${SCRAPED}}`]: '0x10' },
    quiet: { [`mdw_operator_leader{${SCRAPED}}`]: '0x10', 'mdw_operator_leader{job="mdw-operator",pod="p"}': '1x10' },
    at: '5m',
  },
  MiddlewareOperatorTwoLeaders: {
    fires: { [`mdw_operator_leader{${SCRAPED}}`]: '1x10', 'mdw_operator_leader{job="mdw-operator",pod="p"}': '1x10' },
    quiet: { [`mdw_operator_leader{${SCRAPED}}`]: '1x10', 'mdw_operator_leader{job="mdw-operator",pod="p"}': '0x10' },
    at: '5m',
  },
  MiddlewareOperatorWatchStale: {
    fires: { [`mdw_operator_watch_age_seconds{${SCRAPED},kind="Deployment"}`]: '0+60x30' },
    quiet: {
      [`mdw_operator_watch_age_seconds{${SCRAPED},kind="Deployment"}`]: '0 60 120 180 240 0 60 120 180 240 0x20',
    },
    at: '25m',
  },
};
