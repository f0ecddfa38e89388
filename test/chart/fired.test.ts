import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { missingPlane } from '../cluster/support/plane.js';
import { describeWith } from '../support/kube-tools.js';
import { faster } from './faster.js';
import type { RuleGroup } from './faster.js';
import { missingPrometheus, startPrometheus } from './prometheus.js';
import type { Prometheus } from './prometheus.js';
import { startOperatorScene } from './operator-causes.js';
import { startService } from './service-causes.js';
import type { Causes } from './service-causes.js';

/** All durations of the rules are divided by this, and so is the interval of scrapes, 30 s. */
const FACTOR = 120;
const EVERY_MS = 30_000 / FACTOR;

/** `ALERTS=all` makes each alert fire, which takes 25 minutes, `ALERTS=A,B` these. Without it only the division is tested. */
const { ALERTS: ASKED = '' } = process.env;

const groupOf = (file: string): RuleGroup =>
  parse(
    readFileSync(new URL(`../../charts/chain-middleware/files/${file}.yaml`, import.meta.url), 'utf8'),
  ) as RuleGroup;

const isAsked = (alert: string): boolean => ASKED === 'all' || ASKED.split(',').includes(alert);

interface Seen {
  alert: string;
  what: string;
  seconds: number;
}

describe('the division of the durations of rules', () => {
  const group = (rule: object): RuleGroup[] => [{ name: 'g', rules: [{ alert: 'A', for: '0m', expr: '1', ...rule }] }];
  const expr = (text: string): string => faster(group({ expr: text }), 60)[0]!.rules[0]!.expr;

  it('is one of all of them: how long the expression holds, its windows, and ages', () => {
    expect(faster(group({ for: '1d' }), 60)[0]!.rules[0]!.for).to.equal('1440000ms');
    expect(expr('increase(a[5m]) > 3 or changes(b{c="d"}[30m]) > 3')).to.equal(
      'increase(a[5000ms]) > 3 or changes(b{c="d"}[30000ms]) > 3',
    );
    expect(expr('max by (job) (mdw_lag_seconds{job="a"}) > 1800')).to.equal(
      'max by (job) (mdw_lag_seconds{job="a"}) > 30',
    );
    expect(expr('time() - process_start_time_seconds < 86400')).to.equal('time() - process_start_time_seconds < 1440');
  });

  it('changes neither counts nor latencies', () => {
    const same = [
      'max by (job) (mdw_lag_blocks) > 5',
      'histogram_quantile(0.99, sum(mdw_http_request_seconds_bucket)) > 2',
    ];
    for (const text of same) expect(expr(text)).to.equal(text);
  });

  it('leaves no duration of the rules as it was, and by 1 changes none', () => {
    const groups = ['middleware-alerts', 'operator-alerts'].map(groupOf);
    const texts = (some: RuleGroup[]): string[] =>
      some.flatMap(({ rules }) => rules.map(({ for: wait, expr: text }) => `${wait} ${text}`));
    for (const text of texts(faster(groups, 60))) expect(text).to.not.match(/\b\d+[smhd]\b/);
    const ages = (some: RuleGroup[]): string[] =>
      texts(some).flatMap((text) => text.match(/_seconds(?:\{[^}]*\})?\)? [<>] [\d.]+/g) ?? []);
    expect(ages(faster(groups, 1))).to.deep.equal(ages(groups));
    expect(ages(groups)).to.have.length(6);
    expect(ages(faster(groups, 60)).filter((age) => ages(groups).includes(age))).to.deep.equal([]);
  });
});

/** Causes what each alert is about, and waits until a Prometheus sees it fire. */
function fireEach(
  title: string,
  file: string,
  missing: string | false,
  start: (prometheus: Prometheus) => Promise<{ causes: Causes; close(): Promise<void> }>,
): void {
  const [group] = faster([groupOf(file)], FACTOR) as [RuleGroup];
  // To start all of it takes a while.
  if (!group.rules.some(({ alert }) => isAsked(alert))) return;
  const seen: Seen[] = [];

  describeWith(missing || missingPrometheus, title, function () {
    this.timeout(0);
    let prometheus: Prometheus;
    let running: Awaited<ReturnType<typeof start>>;

    before(async () => {
      prometheus = await startPrometheus([group], EVERY_MS);
      running = await start(prometheus);
    });
    after(async () => {
      await running.close();
      await prometheus.close();
      for (const { alert, what, seconds } of seen)
        process.stdout.write(`    ${alert}: ${what}: fired after ${seconds.toFixed(1)} s\n`);
    });

    it('has a cause for each alert', () => {
      expect(Object.keys(running.causes).sort()).to.deep.equal(group.rules.map(({ alert }) => alert).sort());
    });

    for (const rule of group.rules.filter(({ alert }) => isAsked(alert))) {
      const { alert } = rule;
      it(`${alert} fires by its cause, and not before`, async () => {
        const [what, cause] = running.causes[alert]!;
        await prometheus.untilQuiet(alert);
        const begun = performance.now();
        const mend = await cause();
        try {
          await prometheus.untilFires(alert, parseInt(rule.for, 10));
          seen.push({ alert, what, seconds: (performance.now() - begun) / 1000 });
        } finally {
          await mend();
        }
      });
    }
  });
}

fireEach(
  'the alerts about the operator and its resources, in Prometheus, by their causes',
  'operator-alerts',
  missingPlane,
  startOperatorScene,
);
fireEach(
  'the alerts about populators and servers, in Prometheus, by their causes',
  'middleware-alerts',
  false,
  startService,
);
