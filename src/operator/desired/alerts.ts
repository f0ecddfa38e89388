import { headLimits } from '../schema/head-limits.js';
import type { Middleware } from '../types.js';

/** An alert of Prometheus. */
interface AlertRule {
  alert: string;
  expr: string;
  for: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

/** The alerts of one resource, for any kind of monitor. `runbookBase` is used if the resource names none. */
export function alertRules(
  { metadata, spec }: Pick<Middleware, 'metadata' | 'spec'>,
  runbookBase: string,
): AlertRule[] {
  const { namespace, name } = metadata;
  const scope = [`namespace="${namespace}"`, `job=~"${name}-metrics|${namespace}/${name}"`];
  const limits = headLimits({ spec });
  const noPopulator = `label_replace(absent(mdw_writer_role{${scope.join(',')}}), "job", "${name}", "", "")`;
  const rules = alertsWhere({
    scope,
    noPopulator: spec.populator.enabled ? noPopulator : undefined,
    maxLag: limits.maxLag,
    maxAgeSeconds: limits.maxAgeMs / 1000,
  });
  const base = spec.monitoring.runbookBase ?? runbookBase;
  return rules.map(({ annotations: { runbook_url: page, ...annotations }, ...rule }) => ({
    ...rule,
    // An address that is relative leads nowhere.
    annotations: base === '' ? annotations : { ...annotations, runbook_url: `${base}${page}` },
  }));
}

/**
 * The alerts for all middlewares in Prometheus. One that had a writer within the last day should have a populator. The thresholds are
 * those of resources that have none of their own. The chart completes the addresses of the pages.
 */
export const allAlerts = (): AlertRule[] =>
  alertsWhere({
    scope: [],
    noPopulator:
      'max by (namespace, job) (max_over_time(mdw_writer_role{role="writer"}[1d])) ' +
      'unless on (namespace, job) mdw_writer_role and on (namespace, job) mdw_database_height',
    maxLag: 5,
    maxAgeSeconds: 1_800,
  });

interface AlertScope {
  /** Matchers that are added to every selector. */
  scope: string[];
  /** Query with a result while a populator is missing; undefined if there should be none. */
  noPopulator: string | undefined;
  /** Max key blocks that the database may be behind, and max age of its head. */
  maxLag: number;
  maxAgeSeconds: number;
}

/**
 * The alerts on the metrics of populators and servers. Each has a page in docs/runbooks, and a case in
 * test/chart/alert-cases.ts.
 */
const alertsWhere = (scope: AlertScope): AlertRule[] => [...alertsOnLoading(scope), ...alertsOnServing(scope)];

/** Labels of an alert that is about a resource, as text. */
const PER = '{{ $labels.namespace }}/{{ $labels.job }}';

/** Parts of queries about the metrics of a scope. */
function queriesIn({ scope }: AlertScope) {
  /** A selector of a metric, with its own matchers. */
  const where = (...own: string[]): string => {
    const all = [...scope, ...own];
    return all.length === 0 ? '' : `{${all.join(',')}}`;
  };
  const share = (metric: string, part: string): string =>
    `sum by (namespace, job) (rate(${metric}${where(part)}[5m])) / sum by (namespace, job) (rate(${metric}${where()}[5m]))`;
  const slowest = (histogram: string): string =>
    `histogram_quantile(0.99, sum by (namespace, job, le) (rate(${histogram}_bucket${where()}[5m])))`;
  /** Matches counters of processes that started within a time. All of what they show was counted since. */
  const isYoung = (seconds: number): string =>
    `on (namespace, job, pod) (time() - process_start_time_seconds${where()} < ${seconds})`;
  /**
   * What a counter counted within a time; no result if that is nothing. Prometheus sees no increase in what a process counted
   * before its first scrape, so all counts of a young process are taken if it saw none.
   */
  const counted = (metric: string, window: string, seconds: number): string =>
    `sum by (namespace, job) (increase(${metric}[${window}]) > 0 or ${metric} > 0 and ${isYoung(seconds)})`;
  return { where, share, slowest, isYoung, counted };
}

/** Processes, the node and the chain. */
function alertsOnLoading(scope: AlertScope): AlertRule[] {
  const { where, share, isYoung, counted } = queriesIn(scope);
  const { noPopulator, maxLag, maxAgeSeconds } = scope;
  const forks = `mdw_fork_depth_blocks_count${where()}`;
  const shallowForks = `mdw_fork_depth_blocks_bucket${where('le="10"')}`;
  return [
    alert('MiddlewareTargetDown', 'critical', '3m', {
      expr: `up${where()} == 0 and on (namespace, job) max_over_time(mdw_build_info${where()}[1h])`,
      summary: 'A pod of the middleware reports nothing',
      description:
        '{{ $labels.namespace }}/{{ $labels.pod }} has not answered the scrape of its metrics for 3 minutes.',
    }),
    alert('MiddlewareRestarting', 'critical', '0m', {
      expr: `changes(process_start_time_seconds${where()}[30m]) > 3 and on (namespace, job, pod) mdw_build_info${where()}`,
      summary: 'A process of the middleware restarts again and again',
      description: '{{ $labels.namespace }}/{{ $labels.pod }} was started {{ $value }} times in 30 minutes.',
    }),
    alert('MiddlewareBehindNode', 'warning', '10m', {
      expr: `max by (namespace, job) (mdw_lag_blocks${where()}) > ${maxLag}`,
      summary: 'The database is behind the node',
      description: `The database of ${PER} has been {{ $value }} key blocks behind its node for 10 minutes.`,
    }),
    alert('MiddlewareTopTooOld', 'critical', '5m', {
      expr: `max by (namespace, job) (mdw_lag_seconds${where()}) > ${maxAgeSeconds}`,
      summary: 'The newest key block is old',
      description: `The top key block in the database of ${PER} is {{ $value | humanizeDuration }} old.`,
    }),
    alert('MiddlewareNodeNotUsable', 'critical', '5m', {
      expr: `max by (namespace, job, state) (mdw_node_state${where('state!="ok"')}) == 1`,
      summary: 'The node cannot be followed',
      description: `The populator of ${PER} has been waiting for its node for 5 minutes: {{ $labels.state }}.`,
    }),
    alert('MiddlewareNodeRequestsFailing', 'warning', '10m', {
      expr: `${share('mdw_node_requests_total', 'outcome!~"ok|refused"')} > 0.1`,
      summary: 'Many requests to the node fail',
      description: `{{ $value | humanizePercentage }} of the requests of ${PER} to its node failed over 5 minutes.`,
    }),
    alert('MiddlewareNoWriter', 'critical', '3m', {
      expr: [`max by (namespace, job) (mdw_writer_role${where('role="writer"')}) == 0`, noPopulator]
        .filter((query) => query !== undefined)
        .join(' or '),
      summary: 'Nobody loads the chain',
      description: `No populator of ${PER} has held the right to write for 3 minutes.`,
    }),
    alert('MiddlewareDeepFork', 'warning', '0m', {
      expr:
        `sum by (namespace, job) (increase(${forks}[30m])) - sum by (namespace, job) (increase(${shallowForks}[30m])) > 0 ` +
        `or sum by (namespace, job) (${forks} - ignoring (le) ${shallowForks} > 0 and ${isYoung(1_800)})`,
      summary: 'The chain was replaced over more than ten key blocks',
      description: `The node of ${PER} changed to another branch, deeper than ten key blocks, in the last 30 minutes.`,
    }),
    alert('MiddlewareReorgHeld', 'critical', '0m', {
      expr: `max by (namespace, job) (mdw_held_reorg_blocks${where()}) > 0`,
      summary: 'A deep reorg waits until somebody accepts it',
      description: `The node of ${PER} shows a branch that replaces {{ $value }} key blocks and whose work cannot be proven.`,
    }),
    alert('MiddlewareRowsDiffer', 'critical', '0m', {
      expr: counted(`mdw_differences_total${where('outcome="left"')}`, '1d', 86_400),
      summary: 'Rows do not follow from the chain',
      description: `{{ $value | humanize }} rows of ${PER} do not follow from the chain, and no height loaded again mends them.`,
    }),
    alert('MiddlewareNodesContradict', 'critical', '5m', {
      expr: `max by (namespace, job) (mdw_differing_opinions${where()}) > 0`,
      summary: 'Two nodes contradict each other about what cannot be proven',
      description: `Another node contradicts the node of ${PER} about {{ $value }} transactions or blocks: one of them lies or is broken.`,
    }),
    alert('MiddlewareUndecodableTransactions', 'warning', '0m', {
      expr: counted(`mdw_undecodable_transactions_total${where()}`, '1h', 3_600),
      summary: 'Transactions could not be understood',
      description: `{{ $value | humanize }} transactions were stored as they are by ${PER} in the last hour, marked not valid.`,
    }),
    alert('MiddlewareDecodeBacklog', 'warning', '1h', {
      expr: `max by (namespace, job) (mdw_decode_backlog_calls${where()}) > 1000`,
      summary: 'Contract calls wait to be decoded',
      description: `{{ $value }} contract calls of ${PER} are not decoded, for an hour.`,
    }),
    ...alertsOnMoney(scope),
  ];
}

/** What changed balances. */
function alertsOnMoney(scope: AlertScope): AlertRule[] {
  const { where } = queriesIn(scope);
  return [
    alert('MiddlewareBalancesDiffer', 'warning', '1h', {
      expr: `max by (namespace, job) (mdw_differing_accounts${where()}) > 0`,
      summary: 'Balances are not those of the node',
      description: `The node has another balance than the ledger of ${PER} for {{ $value }} accounts, for an hour.`,
    }),
    alert('MiddlewareMoneyUnanswered', 'warning', '1h', {
      expr: `max by (namespace, job, state) (mdw_rosetta_waiting_generations${where('state!="new"')}) > 0`,
      summary: 'The node does not tell what changed balances',
      description: `The Rosetta interface of the node of ${PER} has not answered what changed balances in {{ $value }} generations, for an hour: {{ $labels.state }}.`,
    }),
  ];
}

/** Requests and events. */
function alertsOnServing(scope: AlertScope): AlertRule[] {
  const { where, share, slowest } = queriesIn(scope);
  return [
    alert('MiddlewareServerErrors', 'critical', '5m', {
      expr: `${share('mdw_http_requests_total', 'status=~"5..",status!="503"')} > 0.01`,
      summary: 'Clients get errors',
      description: `{{ $value | humanizePercentage }} of the answers of ${PER} are errors of the server.`,
    }),
    alert('MiddlewareShedding', 'warning', '5m', {
      expr: `${share('mdw_http_requests_total', 'status="503"')} > 0.05`,
      summary: 'Requests are turned away',
      description: `{{ $value | humanizePercentage }} of the requests to ${PER} are answered 503: too many at once, or no database.`,
    }),
    alert('MiddlewareSlow', 'warning', '10m', {
      expr: `${slowest('mdw_http_request_seconds')} > 2`,
      summary: 'Answers are slow',
      description: `One of a hundred answers of ${PER} takes more than {{ $value | humanizeDuration }}.`,
    }),
    alert('MiddlewareDatabasePoolExhausted', 'warning', '5m', {
      expr: `min by (namespace, job, pod) (min_over_time(mdw_pool_connections${where('state="waiting"')}[5m])) > 0`,
      summary: 'Queries wait for a connection to the database',
      description:
        'In {{ $labels.namespace }}/{{ $labels.pod }} queries have been waiting for a connection all the time.',
    }),
    alert('MiddlewareEventsLate', 'warning', '5m', {
      expr: `${slowest('mdw_event_delay_seconds')} > 5`,
      summary: 'Chain events reach clients late',
      description: `One of a hundred events of ${PER} is pushed more than {{ $value | humanizeDuration }} after its commit.`,
    }),
    alert('MiddlewareSlowClients', 'info', '10m', {
      expr: `sum by (namespace, job) (rate(mdw_websocket_closed_total${where('reason="slow"')}[10m])) > 0.5`,
      summary: 'Clients cannot keep up with their events',
      description: `{{ $value | humanize }} websockets a second of ${PER} are closed because their clients read too slowly.`,
    }),
  ];
}

function alert(
  name: string,
  severity: 'critical' | 'warning' | 'info',
  wait: string,
  { expr, ...annotations }: { expr: string; summary: string; description: string },
): AlertRule {
  const runbook_url = `docs/runbooks/${name}.md`;
  return { alert: name, expr, for: wait, labels: { severity }, annotations: { ...annotations, runbook_url } };
}
