import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { describeWith } from '../support/kube-tools.js';
import { alertRules } from '../../src/operator/desired/alerts.js';
import { specSchema } from '../../src/operator/schema/spec.js';
import { ALERT_CASES, COUNTED_EARLY, started } from './alert-cases.js';
import type { Series } from './alert-cases.js';
import { OPERATOR_ALERT_CASES } from './operator-alert-cases.js';
import { metricsIn } from './promql.js';
import { exposedMetrics } from './exposed-metrics.js';

interface Group {
  name: string;
  rules: { alert: string; expr: string; labels: Record<string, string>; annotations: Record<string, string> }[];
}

const FILES = new URL('../../charts/chain-middleware/files/', import.meta.url);
const RUNBOOKS = new URL('../../docs/runbooks/', import.meta.url);
const groups = ['middleware-alerts.yaml', 'operator-alerts.yaml'].map(
  (file) => parse(readFileSync(new URL(file, FILES), 'utf8')) as Group,
);
const rules = groups.flatMap((group) => group.rules);
const cases = { ...ALERT_CASES, ...OPERATOR_ALERT_CASES };

const promtool = process.env.PROMTOOL ?? 'promtool';
const missing = spawnSync(promtool, ['--version']).status !== 0 && 'promtool is neither in PATH nor named by PROMTOOL';

/** The alerts of a resource. */
function rulesOf(namespace: string, name: string, more: object = {}, runbookBase = ''): Group['rules'] {
  const spec = specSchema.parse({
    node: { urls: ['http://node:3013'] },
    database: { secret: { name: 'db' } },
    ...more,
  });
  return alertRules({ metadata: { namespace, name, uid: 'u', generation: 1 }, spec }, runbookBase);
}

describe('the alerts of the chart', () => {
  const exposed = exposedMetrics();

  it('are at least twelve, with different names', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size)
      .to.equal(rules.length)
      .and.to.be.at.least(12);
  });

  it('have one page each in docs/runbooks, without further pages', () => {
    const pages = readdirSync(RUNBOOKS).filter((file) => file !== 'README.md');

    expect(pages.sort()).to.deep.equal(rules.map(({ alert }) => `${alert}.md`).sort());
  });

  it('have a test case each', () => {
    expect(Object.keys(cases).sort()).to.deep.equal(rules.map(({ alert }) => alert).sort());
  });

  it('have cases with counters as a new process exports them: absent, then 0', () => {
    for (const [alert, { fires, quiet }] of Object.entries(cases))
      for (const [series, values] of Object.entries({ ...fires, ...quiet }))
        if (/^\w+_(total|bucket|count)\{/.test(series)) expect(values, `${alert}: ${series}`).to.match(/^_(x\d+)? 0/);
  });

  it('that look for an increase have a case for counts before the first scrape', () => {
    const increasing = rules.filter(({ expr }) => expr.includes('increase(') && !/> \d\d/.test(expr));
    expect(Object.keys(COUNTED_EARLY).sort()).to.deep.equal(increasing.map(({ alert }) => alert).sort());
  });

  it('of a resource have links only if somebody says where the pages are, first the resource itself', () => {
    const links = (...of: Parameters<typeof rulesOf>): (string | undefined)[] => [
      ...new Set(rulesOf(...of).map(({ alert, annotations }) => annotations['runbook_url']?.replace(alert, 'X'))),
    ];
    expect(links('n', 'a')).to.deep.equal([undefined]);
    expect(links('n', 'a', {}, 'https://all.example/')).to.deep.equal(['https://all.example/docs/runbooks/X.md']);
    const own = { monitoring: { runbookBase: 'https://own.example/' } };
    expect(links('n', 'a', own, 'https://all.example/')).to.deep.equal(['https://own.example/docs/runbooks/X.md']);
  });

  for (const { alert, expr, labels, annotations } of rules) {
    it(`${alert} uses only metrics and labels that the programs have, and describes the fault`, () => {
      for (const { name, labels: asked } of metricsIn(expr)) {
        expect(exposed, `metric ${name}`).to.have.property(name);
        expect(exposed[name], `labels of ${name}`).to.include.members(asked);
      }
      expect(labels.severity).to.be.oneOf(['critical', 'warning', 'info']);
      expect(annotations).to.include.keys('summary', 'description');
      expect(annotations['runbook_url']).to.equal(`docs/runbooks/${alert}.md`);
    });
  }
});

describeWith(missing, 'the alerts of the chart, in Prometheus', () => {
  for (const { alert } of rules) {
    it(`${alert} fires in its case, and not in a similar one`, () => {
      const { fires, quiet, at } = cases[alert]!;

      withRules(groups, (file) => {
        expect(firing(file, alert, fires, at), 'fires').to.equal('yes');
        expect(firing(file, alert, quiet, at), 'quiet').to.equal('no');
      });
    });
  }

  for (const [alert, series] of Object.entries(COUNTED_EARLY)) {
    it(`${alert} fires for what a new process counted before its first scrape`, () => {
      withRules(groups, (file) => {
        expect(firing(file, alert, { ...series, ...started(60) }, '8m'), 'a new process').to.equal('yes');
        // Prometheus sees an old process for the first time. It counted at some time before.
        expect(firing(file, alert, { ...series, ...started(-100_000) }, '8m'), 'an old one').to.equal('no');
      });
    });
  }

  it('are rules that Prometheus accepts, also those for one resource', () => {
    const ofOne = { name: 'one', rules: rulesOf('some-namespace', 'some-name') };

    withRules([...groups, ofOne], (file) => {
      const { status, stdout, stderr } = spawnSync(promtool, ['check', 'rules', file], { encoding: 'utf8' });
      expect(status, stdout + stderr).to.equal(0);
    });
  });

  it('MiddlewareNoWriter fires when no pod populates any more, while there are servers', () => {
    const data = 'namespace="n",job="mdw"';
    const gone = { [`mdw_writer_role{${data},pod="p",role="writer"}`]: '1x5 stale' };
    const servers = { [`mdw_database_height{${data},pod="s"}`]: '100x20' };

    withRules(groups, (file) => {
      expect(firing(file, 'MiddlewareNoWriter', { ...gone, ...servers }, '8m'), 'too early').to.equal('no');
      expect(firing(file, 'MiddlewareNoWriter', { ...gone, ...servers }, '12m'), 'populator gone').to.equal('yes');
      expect(firing(file, 'MiddlewareNoWriter', gone, '12m'), 'all of it gone').to.equal('no');
      expect(firing(file, 'MiddlewareNoWriter', servers, '12m'), 'never populated').to.equal('no');
    });
  });

  it('MiddlewareNoWriter of one resource fires when it has no populator, unless it must have none', () => {
    const ofOne = (enabled: boolean) => [{ name: 'one', rules: rulesOf('n', 'a', { populator: { enabled } }) }];
    const servers = { 'mdw_database_height{namespace="n",job="a-metrics",pod="s"}': '100x20' };
    const other = { 'mdw_writer_role{namespace="n",job="b-metrics",pod="p",role="writer"}': '1x20' };
    const populator = { 'mdw_writer_role{namespace="n",job="a-metrics",pod="p",role="writer"}': '1x20' };

    withRules(ofOne(true), (file) => {
      expect(firing(file, 'MiddlewareNoWriter', { ...servers, ...other }, '6m'), 'servers alone').to.equal('yes');
      expect(firing(file, 'MiddlewareNoWriter', other, '6m'), 'nothing at all').to.equal('yes');
      expect(firing(file, 'MiddlewareNoWriter', { ...servers, ...populator }, '6m'), 'a populator').to.equal('no');
    });
    withRules(ofOne(false), (file) => {
      expect(firing(file, 'MiddlewareNoWriter', servers, '6m'), 'populator.enabled: false').to.equal('no');
    });
  });

  it('of one resource select only that resource', () => {
    const ofOne = { name: 'one', rules: rulesOf('n', 'a') };
    const behind = (job: string): Series => ({ [`mdw_lag_blocks{namespace="n",job="${job}",pod="p"}`]: '9x20' });

    withRules([ofOne], (file) => {
      expect(firing(file, 'MiddlewareBehindNode', behind('a-metrics'), '13m'), 'ServiceMonitor').to.equal('yes');
      expect(firing(file, 'MiddlewareBehindNode', behind('n/a'), '13m'), 'PodMonitor').to.equal('yes');
      expect(firing(file, 'MiddlewareBehindNode', behind('b-metrics'), '13m'), 'another').to.equal('no');
    });
  });

  it('of one resource have the limits of its head', () => {
    const data = '{namespace="n",job="a-metrics",pod="p"}';
    const late: Series = { [`mdw_lag_blocks${data}`]: '9x20', [`mdw_lag_seconds${data}`]: '2000x20' };
    const fired = (head?: object): string[] => {
      const alerts = ['MiddlewareBehindNode', 'MiddlewareTopTooOld'];
      let found: string[] = [];
      withRules([{ name: 'one', rules: rulesOf('n', 'a', { head }) }], (file) => {
        found = alerts.filter((alert) => firing(file, alert, late, '13m') === 'yes');
      });
      return found;
    };
    expect(fired()).to.deep.equal(['MiddlewareBehindNode', 'MiddlewareTopTooOld']);
    expect(fired({ maxLag: 9, maxAge: '1h' })).to.deep.equal([]);
  });
});

/** Calls `use` with a file of these groups of rules. */
function withRules(some: object[], use: (file: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-alerts-'));
  try {
    const file = join(folder, 'rules.yaml');
    writeFileSync(file, stringify({ groups: some }));
    use(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs the rules over the series with promtool; returns whether the alert fires. */
function firing(rulesFile: string, alert: string, series: Series, at: string): string {
  const tested = (count: number) => ({
    rule_files: [rulesFile],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(series).map(([selector, values]) => ({ series: selector, values })),
        promql_expr_test: [
          {
            expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
            eval_time: at,
            exp_samples: [{ labels: '{}', value: count }],
          },
        ],
      },
    ],
  });
  const file = join(dirname(rulesFile), 'test.yaml');
  const holds = (count: number): boolean => {
    writeFileSync(file, stringify(tested(count)));
    return spawnSync(promtool, ['test', 'rules', file]).status === 0;
  };
  return holds(1) ? 'yes' : holds(0) ? 'no' : 'neither once nor never';
}
