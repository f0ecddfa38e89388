type Query = [expr: string, legend: string];

interface Panel {
  title: string;
  unit?: string;
  queries: Query[];
}

interface Dashboard {
  title: string;
  variables: Query[];
  rows: Record<string, Panel[]>;
}

const DATA = 'namespace="$namespace",job="$job"';

const middleware: Dashboard = {
  title: 'Chain Middleware',
  variables: [
    ['label_values(mdw_build_info, namespace)', 'namespace'],
    ['label_values(mdw_build_info{namespace="$namespace"}, job)', 'job'],
  ],
  rows: {
    Chain: [
      {
        title: 'Newest key block',
        queries: [
          [`max(mdw_node_height{${DATA}})`, 'node'],
          [`max(mdw_database_height{${DATA}})`, 'database'],
        ],
      },
      { title: 'Key blocks behind the node', queries: [[`max(mdw_lag_blocks{${DATA}})`, 'behind']] },
      { title: 'Age of the newest key block', unit: 's', queries: [[`max(mdw_lag_seconds{${DATA}})`, 'age']] },
      {
        title: 'Loaded per second',
        queries: [
          [`sum(mdw_load_transactions_per_second{${DATA}})`, 'transactions'],
          [`sum(rate(mdw_heights_loaded_total{${DATA}}[5m]))`, 'heights'],
        ],
      },
      {
        title: 'Heights not proven yet',
        queries: [[`max(mdw_database_height{${DATA}}) - max(mdw_proven_height{${DATA}})`, 'heights']],
      },
      {
        title: 'Forks per hour',
        queries: [[`sum by (kind) (increase(mdw_forks_total{${DATA}}[1h]))`, '{{kind}}']],
      },
      { title: 'State of the node', queries: [[`max by (state) (mdw_node_state{${DATA}})`, '{{state}}']] },
      {
        title: 'Requests to the node per second',
        queries: [[`sum by (outcome) (rate(mdw_node_requests_total{${DATA}}[5m]))`, '{{outcome}}']],
      },
      { title: 'Who writes', queries: [[`mdw_writer_role{${DATA}}`, '{{pod}} {{role}}']] },
      { title: 'Calls not decoded', queries: [[`max(mdw_decode_backlog_calls{${DATA}})`, 'calls']] },
    ],
    HTTP: [
      {
        title: 'Requests per second',
        queries: [[`sum by (status) (rate(mdw_http_requests_total{${DATA}}[5m]))`, '{{status}}']],
      },
      {
        title: 'Time of answers',
        unit: 's',
        queries: [0.5, 0.99].map((quantile): Query => [
          `histogram_quantile(${quantile}, sum by (le) (rate(mdw_http_request_seconds_bucket{${DATA}}[5m])))`,
          `${quantile * 100} %`,
        ]),
      },
      {
        title: 'Slowest routes (99 %)',
        unit: 's',
        queries: [
          [
            `topk(5, histogram_quantile(0.99, sum by (route, le) (rate(mdw_http_request_seconds_bucket{${DATA}}[5m]))))`,
            '{{route}}',
          ],
        ],
      },
      {
        title: 'Node queries answered from the database',
        queries: [[`sum by (result) (rate(mdw_cache_hits_total{${DATA}}[5m]))`, '{{result}}']],
      },
      {
        title: 'Connections to the database',
        queries: [[`sum by (state) (mdw_pool_connections{${DATA}})`, '{{state}}']],
      },
    ],
    Events: [
      { title: 'Clients', queries: [[`sum by (pod) (mdw_websocket_connections{${DATA}})`, '{{pod}}']] },
      {
        title: 'Frames per second',
        queries: [[`sum by (pod) (rate(mdw_websocket_frames_sent_total{${DATA}}[5m]))`, '{{pod}}']],
      },
      {
        title: 'Delay of events (99 %)',
        unit: 's',
        queries: [
          [`histogram_quantile(0.99, sum by (le) (rate(mdw_event_delay_seconds_bucket{${DATA}}[5m])))`, 'delay'],
        ],
      },
      {
        title: 'Connections ended per second',
        queries: [[`sum by (reason) (rate(mdw_websocket_closed_total{${DATA}}[5m]))`, '{{reason}}']],
      },
    ],
    Processes: [
      { title: 'Memory', unit: 'bytes', queries: [[`process_resident_memory_bytes{${DATA}}`, '{{pod}}']] },
      { title: 'CPU', queries: [[`rate(process_cpu_seconds_total{${DATA}}[5m])`, '{{pod}}']] },
      {
        title: 'Delay of the event loop',
        unit: 's',
        queries: [[`nodejs_eventloop_lag_p99_seconds{${DATA}}`, '{{pod}}']],
      },
    ],
  },
};

const operator: Dashboard = {
  title: 'Chain Middleware Operator',
  variables: [['label_values(mdw_operator_build_info, job)', 'job']],
  rows: {
    Resources: [
      { title: 'Resources by phase', queries: [['max by (phase) (mdw_operator_resources{job="$job"})', '{{phase}}']] },
      {
        title: 'Not ready',
        queries: [
          ['max by (namespace, name) (mdw_operator_condition{job="$job",type="Ready"}) == 0', '{{namespace}}/{{name}}'],
        ],
      },
      {
        title: 'Key blocks behind the node',
        queries: [['max by (namespace, name) (mdw_operator_lag_blocks{job="$job"})', '{{namespace}}/{{name}}']],
      },
      {
        title: 'Reloads',
        unit: 'percentunit',
        queries: [
          ['max by (namespace, name) (mdw_operator_reload_progress_ratio{job="$job"})', '{{namespace}}/{{name}}'],
        ],
      },
    ],
    Work: [
      { title: 'Leader', queries: [['mdw_operator_leader{job="$job"}', '{{pod}}']] },
      { title: 'Queue', queries: [['max by (name) (workqueue_depth{job="$job"})', '{{name}}']] },
      {
        title: 'Time of a pass (99 %)',
        unit: 's',
        queries: [
          [
            'histogram_quantile(0.99, sum by (result, le) (rate(mdw_operator_reconcile_seconds_bucket{job="$job"}[5m])))',
            '{{result}}',
          ],
        ],
      },
      {
        title: 'Failed passes',
        queries: [['sum by (reason) (increase(mdw_operator_reconcile_errors_total{job="$job"}[5m]))', '{{reason}}']],
      },
      {
        title: 'Requests to the API server per second',
        queries: [['sum by (verb, code) (rate(mdw_operator_api_requests_total{job="$job"}[5m]))', '{{verb}} {{code}}']],
      },
      {
        title: 'Since the last word of a watch',
        unit: 's',
        queries: [['max by (kind) (mdw_operator_watch_age_seconds{job="$job"})', '{{kind}}']],
      },
      {
        title: 'Lists read again',
        queries: [
          ['sum by (kind, reason) (increase(mdw_operator_watch_relists_total{job="$job"}[1h]))', '{{kind}} {{reason}}'],
        ],
      },
      { title: 'Memory', unit: 'bytes', queries: [['process_resident_memory_bytes{job="$job"}', '{{pod}}']] },
    ],
  },
};

/** File name and content of each dashboard, as Grafana imports it. */
export function dashboards(): Record<string, string> {
  return {
    'middleware.json': asJson('chain-middleware', middleware),
    'operator.json': asJson('chain-middleware-operator', operator),
  };
}

const WIDTH = 8;
const HEIGHT = 8;
const SOURCE = { type: 'prometheus', uid: '${source}' };

function asJson(uid: string, { title, variables, rows }: Dashboard): string {
  const panels: object[] = [];
  let y = 0;
  for (const [row, inRow] of Object.entries(rows)) {
    panels.push({ type: 'row', title: row, collapsed: false, gridPos: { x: 0, y, w: 24, h: 1 }, panels: [] });
    y += 1;
    inRow.forEach(({ title: name, unit = 'short', queries }, at) => {
      panels.push({
        type: 'timeseries',
        title: name,
        datasource: SOURCE,
        gridPos: { x: (at % 3) * WIDTH, y: y + Math.floor(at / 3) * HEIGHT, w: WIDTH, h: HEIGHT },
        fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
        targets: queries.map(([expr, legendFormat], index) => ({
          refId: String.fromCharCode(65 + index),
          datasource: SOURCE,
          expr,
          legendFormat,
        })),
      });
    });
    y += Math.ceil(inRow.length / 3) * HEIGHT;
  }
  const numbered = panels.map((panel, at) => ({ id: at + 1, ...panel }));
  const source = { type: 'datasource', name: 'source', label: 'Prometheus', query: 'prometheus' };
  const chosen = variables.map(([query, name]) => ({
    type: 'query',
    name,
    datasource: SOURCE,
    query: { query, refId: name },
    definition: query,
    refresh: 2,
    sort: 1,
  }));
  const dashboard = {
    uid,
    title,
    tags: ['chain-middleware'],
    schemaVersion: 39,
    editable: true,
    time: { from: 'now-6h', to: 'now' },
    refresh: '30s',
    templating: { list: [source, ...chosen] },
    panels: numbered,
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}
