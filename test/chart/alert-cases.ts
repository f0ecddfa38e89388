/** Series by selector, with one value a minute in promtool's notation: `0+1x10` counts from 0 to 10. */
export type Series = Record<string, string>;

/** Counters come as from a new process, absent and then 0, before the first count. */
export interface AlertCase {
  /** When the alert must be firing. */
  fires: Series;
  /** A similar state in which the alert must not fire at that time. */
  quiet: Series;
  at: string;
}

const DATA = 'namespace="n",job="mdw",pod="p"';
const build = `mdw_build_info{${DATA},version="1",node_version="24"}`;

const server = (metric: string): string => `${metric}{namespace="n",job="mdw",pod="server"}`;

/** Requests with a status, `perMinute` a minute; their `rate` is that number divided by 60. */
const requests = (status: string, perMinute: number): Series => ({
  [`mdw_http_requests_total{${DATA},route="/middleware/status",method="GET",status="${status}"}`]: `_ 0+${perMinute}x30`,
});

/** A histogram in which all observations fall into the bucket below `le`. */
const histogram = (name: string, labels: string, buckets: string[], from: string): Series =>
  Object.fromEntries(
    buckets.map((le) => [
      `${name}_bucket{${DATA},${labels}le="${le}"}`,
      le === '+Inf' || Number(le) >= Number(from) ? '_ 0+60x30' : '_ 0x30',
    ]),
  );

const requestBuckets = ['0.005', '0.1', '1', '2.5', '5', '10', '+Inf'];
const eventBuckets = ['0.005', '0.1', '1', '5', '10', '30', '+Inf'];
const forkDepths = (depth11: string): Series => ({
  [`mdw_fork_depth_blocks_bucket{${DATA},le="10"}`]: '_ 0 1 1 1 1 2 2 2 2 2',
  [`mdw_fork_depth_blocks_count{${DATA}}`]: depth11,
});

export const ALERT_CASES: Record<string, AlertCase> = {
  MiddlewareTargetDown: {
    fires: { [`up{${DATA}}`]: '1x5 0x10', [build]: '1x5 _x10' },
    quiet: { 'up{namespace="n",job="other",pod="o"}': '0x15', [`up{${DATA}}`]: '1x15', [build]: '1x15' },
    at: '12m',
  },
  MiddlewareRestarting: {
    fires: { [`process_start_time_seconds{${DATA}}`]: '100+100x10', [build]: '1x10' },
    quiet: { [`process_start_time_seconds{${DATA}}`]: '100 100 200 200 200 300 300 300 300 300 300', [build]: '1x10' },
    at: '10m',
  },
  MiddlewareBehindNode: {
    // Servers and populators that wait have no such series.
    fires: { [`mdw_lag_blocks{${DATA}}`]: '9x20', [server('mdw_database_height')]: '100x20' },
    quiet: { [`mdw_lag_blocks{${DATA}}`]: '9x9 2 9x10' },
    at: '13m',
  },
  MiddlewareTopTooOld: {
    // Servers export it even while there is no populator.
    fires: { [`mdw_lag_seconds{${DATA}}`]: '60x2 stale', [server('mdw_lag_seconds')]: '1801x20' },
    quiet: { [`mdw_lag_seconds{${DATA}}`]: '1799x20' },
    at: '10m',
  },
  MiddlewareNodeNotUsable: {
    fires: {
      [`mdw_node_state{${DATA},state="ok"}`]: '0x20',
      [`mdw_node_state{${DATA},state="node_unreachable"}`]: '1x20',
    },
    quiet: {
      [`mdw_node_state{${DATA},state="ok"}`]: '1x20',
      [`mdw_node_state{${DATA},state="node_unreachable"}`]: '0x20',
    },
    at: '10m',
  },
  MiddlewareNodeRequestsFailing: {
    fires: {
      [`mdw_node_requests_total{${DATA},outcome="ok"}`]: '_ 0+80x30',
      [`mdw_node_requests_total{${DATA},outcome="node_timeout"}`]: '_ 0+20x30',
    },
    quiet: {
      [`mdw_node_requests_total{${DATA},outcome="ok"}`]: '_ 0+50x30',
      [`mdw_node_requests_total{${DATA},outcome="refused"}`]: '_ 0+49x30',
      [`mdw_node_requests_total{${DATA},outcome="node_timeout"}`]: '_ 0+1x30',
    },
    at: '20m',
  },
  MiddlewareNoWriter: {
    fires: {
      [`mdw_writer_role{${DATA},role="writer"}`]: '0x10',
      [`mdw_writer_role{${DATA},role="waiting"}`]: '1x10',
    },
    quiet: {
      [`mdw_writer_role{${DATA},role="writer"}`]: '0x10',
      'mdw_writer_role{namespace="n",job="mdw",pod="q",role="writer"}': '1x10',
    },
    at: '6m',
  },
  MiddlewareDeepFork: {
    fires: forkDepths('_ 0 1 1 1 1 3 3 3 3 3'),
    quiet: forkDepths('_ 0 1 1 1 1 2 2 2 2 2'),
    at: '8m',
  },
  MiddlewareReorgHeld: {
    fires: { [`mdw_held_reorg_blocks{${DATA}}`]: '0x3 150x8' },
    quiet: { [`mdw_held_reorg_blocks{${DATA}}`]: '0x11' },
    at: '8m',
  },
  MiddlewareRowsDiffer: {
    fires: { [`mdw_differences_total{outcome="left",${DATA}}`]: '_x2 0x2 1x8' },
    quiet: {
      [`mdw_differences_total{outcome="left",${DATA}}`]: '_x2 0x11',
      [`mdw_differences_total{outcome="mended",${DATA}}`]: '_x2 0x2 3x8',
    },
    at: '8m',
  },
  MiddlewareNodesContradict: {
    fires: { [`mdw_differing_opinions{${DATA}}`]: '0x3 2x12' },
    quiet: { [`mdw_differing_opinions{${DATA}}`]: '0x3 2x3 0x9' },
    at: '10m',
  },
  MiddlewareUndecodableTransactions: {
    fires: { [`mdw_undecodable_transactions_total{${DATA}}`]: '_x2 0x3 1x5' },
    quiet: { [`mdw_undecodable_transactions_total{${DATA}}`]: '_x2 0x11' },
    at: '8m',
  },
  MiddlewareDecodeBacklog: {
    fires: { [`mdw_decode_backlog_calls{${DATA}}`]: '1001x90' },
    quiet: { [`mdw_decode_backlog_calls{${DATA}}`]: '1000x90' },
    at: '70m',
  },
  MiddlewareBalancesDiffer: {
    fires: { [`mdw_differing_accounts{${DATA}}`]: '1x90' },
    quiet: { [`mdw_differing_accounts{${DATA}}`]: '1x50 0x40' },
    at: '70m',
  },
  MiddlewareMoneyUnanswered: {
    fires: { [`mdw_rosetta_waiting_generations{${DATA},state="refused"}`]: '1x90' },
    quiet: {
      [`mdw_rosetta_waiting_generations{${DATA},state="new"}`]: '1000x90',
      [`mdw_rosetta_waiting_generations{${DATA},state="away"}`]: '0x90',
    },
    at: '70m',
  },
  MiddlewareServerErrors: {
    fires: { ...requests('200', 90), ...requests('500', 10) },
    quiet: { ...requests('200', 50), ...requests('404', 40), ...requests('503', 10) },
    at: '15m',
  },
  MiddlewareShedding: {
    fires: { ...requests('200', 90), ...requests('503', 10) },
    quiet: { ...requests('200', 97), ...requests('503', 3) },
    at: '15m',
  },
  MiddlewareSlow: {
    fires: histogram('mdw_http_request_seconds', 'route="/v2/status",method="GET",', requestBuckets, '5'),
    quiet: histogram('mdw_http_request_seconds', 'route="/v2/status",method="GET",', requestBuckets, '0.1'),
    at: '20m',
  },
  MiddlewareDatabasePoolExhausted: {
    fires: { [`mdw_pool_connections{${DATA},state="waiting"}`]: '3x20' },
    quiet: {
      [`mdw_pool_connections{${DATA},state="waiting"}`]: '3 3 3 0 3 3 3 0 3 3 3 0 3 3 3 0 3 3 3 0',
      [`mdw_pool_connections{${DATA},state="busy"}`]: '10x20',
    },
    at: '15m',
  },
  MiddlewareEventsLate: {
    fires: histogram('mdw_event_delay_seconds', '', eventBuckets, '30'),
    quiet: histogram('mdw_event_delay_seconds', '', eventBuckets, '1'),
    at: '15m',
  },
  MiddlewareSlowClients: {
    fires: { [`mdw_websocket_closed_total{${DATA},reason="slow"}`]: '_ 0+60x30' },
    quiet: { [`mdw_websocket_closed_total{${DATA},reason="drain"}`]: '_ 0+60x30' },
    at: '25m',
  },
};

/** Counters whose first counts come before the first scrape, as after the restart of a populator that finds a fault at once. */
export const COUNTED_EARLY: Record<string, Series> = {
  MiddlewareDeepFork: {
    [`mdw_fork_depth_blocks_bucket{${DATA},le="10"}`]: '_x3 0x8',
    [`mdw_fork_depth_blocks_count{${DATA}}`]: '_x3 1x8',
  },
  MiddlewareRowsDiffer: { [`mdw_differences_total{outcome="left",${DATA}}`]: '_x3 1x8' },
  MiddlewareUndecodableTransactions: { [`mdw_undecodable_transactions_total{${DATA}}`]: '_x3 1x8' },
};

/** When the process of the cases started, s: in tests of rules the time begins at 0. */
export const started = (seconds: number): Series => ({ [`process_start_time_seconds{${DATA}}`]: `${seconds}x120` });
