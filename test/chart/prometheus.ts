import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { freePort } from '../../devtools/local-postgres/free-port.js';
import { eventually } from '../support/populator.js';

/** The program, beside promtool: both are in one package. */
const program = process.env.PROMTOOL === undefined ? 'prometheus' : join(dirname(process.env.PROMTOOL), 'prometheus');

export const missingPrometheus =
  spawnSync(program, ['--version']).status !== 0 &&
  'prometheus is neither in PATH nor beside the program that PROMTOOL names';

/** Address of metrics, and the labels that the Prometheus operator gives to such a target. */
export interface Target {
  port: number;
  labels: Record<string, string>;
}

export interface Prometheus {
  /** Scrapes a target from now on, in the place of one with the same name. */
  scrape(name: string, target: Target): void;
  /** Its pod is gone. */
  drop(name: string): void;
  /** Resolves when the expression of the alert has no value. */
  untilQuiet(alert: string): Promise<void>;
  /** Names of the alerts whose expression has a value. */
  active(): Promise<string[]>;
  /** Resolves when this expression has a value. */
  until(expression: string): Promise<void>;
  /** Resolves when the alert fires, whose expression has to hold for so long before. */
  untilFires(alert: string, forMs: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a Prometheus with these groups of rules, which looks every `everyMs`. `config` is added to the configuration of scrapes; it may
 * name `files`, which are written beside it.
 */
export async function startPrometheus(
  groups: readonly object[],
  everyMs: number,
  { config = {}, files = {} }: { config?: object; files?: Record<string, string | Buffer> } = {},
): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-prometheus-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content, { mode: 0o600 });
  const file = (name: string, content: string): void => {
    writeFileSync(join(folder, `${name}.new`), content);
    renameSync(join(folder, `${name}.new`), join(folder, name));
  };
  const targets = new Map<string, Target>();
  const write = (): void =>
    file(
      'targets.json',
      JSON.stringify([...targets.values()].map(({ port, labels }) => ({ targets: [`127.0.0.1:${port}`], labels }))),
    );
  write();
  file('rules.yaml', stringify({ groups }));
  const interval = `${everyMs}ms`;
  file(
    'prometheus.yaml',
    stringify({
      global: { scrape_interval: interval, scrape_timeout: interval, evaluation_interval: interval },
      rule_files: ['rules.yaml'],
      scrape_configs: [
        {
          job_name: 'all',
          honor_labels: true,
          file_sd_configs: [{ files: ['targets.json'], refresh_interval: '1s' }],
          ...config,
        },
      ],
    }),
  );
  const port = await freePort();
  const child = spawn(
    program,
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const ended = once(child, 'close');
  const get = async <T>(path: string): Promise<T> =>
    (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as T;
  await eventually(
    () =>
      fetch(`http://127.0.0.1:${port}/-/ready`).then(
        ({ ok }) => ok,
        () => child.exitCode !== null,
      ),
    (isOver) => isOver,
  );
  if (child.exitCode !== null) throw new Error(`Prometheus ended with ${child.exitCode}: check its configuration`);
  interface Alert {
    state: string;
    labels: { alertname: string };
  }
  const alerts = async (): Promise<Alert[]> => (await get<{ data: { alerts: Alert[] } }>('/api/v1/alerts')).data.alerts;
  /** State of the alert, `firing` or `pending`; undefined while its expression has no value. */
  const stateOf = async (alert: string): Promise<string | undefined> => {
    const states = (await alerts()).flatMap(({ state, labels }) => (labels.alertname === alert ? [state] : []));
    return states.includes('firing') ? 'firing' : states[0];
  };
  return {
    scrape(name, target) {
      targets.set(name, target);
      write();
    },
    drop(name) {
      targets.delete(name);
      write();
    },
    active: async () => [...new Set((await alerts()).map(({ labels }) => labels.alertname))],
    async untilQuiet(alert) {
      await eventually(
        () => stateOf(alert),
        (state) => state === undefined,
      );
    },
    async until(expression) {
      const path = `/api/v1/query?query=${encodeURIComponent(expression)}`;
      await eventually(
        () => get<{ data: { result: unknown[] } }>(path),
        ({ data }) => data.result.length > 0,
      );
    },
    async untilFires(alert, forMs) {
      await eventually(
        () => stateOf(alert),
        (state) => state !== undefined,
      );
      await pause(forMs);
      await eventually(
        () => stateOf(alert),
        (state) => state === 'firing',
      );
    },
    async close() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
