import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../devtools/local-postgres/free-port.js';
import type { KubeClient, KubeRequest } from '../../../src/operator/kube/client.js';
import { LABEL } from '../../../src/operator/names.js';
import type { Reach } from '../../../src/operator/observe/prober.js';
import { startMdw } from '../../support/mdw.js';
import type { RunningMdw } from '../../support/mdw.js';
import { endsWith } from './job-end.js';
import { tampered } from './tamper.js';

interface Template {
  metadata: { labels?: Record<string, string>; annotations?: Record<string, string> };
  spec: { containers: { args?: string[]; env?: { name: string; value?: string }[]; envFrom?: ConfigSource[] }[] };
}

interface ConfigSource {
  configMapRef?: { name: string };
}

interface Written {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: { replicas?: number; template: Template };
}

/** A program of a Deployment. */
interface Program {
  /** What it was started with, as text. */
  started: string;
  running: RunningMdw;
  metrics: string;
  http: string;
}

type Message = { ok: boolean } & Record<string, unknown>;

/** What a Job did. */
interface Ended {
  args: string;
  message: Message;
}

/**
 * Runs the program of each Job and Deployment that the operator writes on this machine, with its arguments and variables, while the simulated cluster
 * shows their pods. A Job is written when its program has ended, so that its simulated pod can have the message.
 */
export class RealPrograms {
  readonly ended: Ended[] = [];
  private readonly configs = new Map<string, Record<string, string>>();
  private readonly jobs = new Map<string, Promise<Message>>();
  /** By name of the Deployment. */
  private readonly programs = new Map<string, Promise<Program>>();
  private readonly folder = mkdtempSync(join(tmpdir(), 'mdw-programs-'));

  /** `during` runs beside the program of a Job. */
  constructor(
    private readonly databaseUrl: string,
    private readonly during: (args: readonly string[]) => Promise<void> = () => Promise.resolve(),
  ) {}

  behind(client: KubeClient): KubeClient {
    return tampered(client, { before: (path, request) => this.see(path, request) });
  }

  /** Asks the program of the pod. */
  readonly reach: Reach = async ({ metadata }, path) => {
    const { [LABEL.instance]: instance, [LABEL.component]: component, [LABEL.color]: color } = metadata.labels ?? {};
    const program = await this.programs.get(`${instance}-${component}-${color}`);
    if (program === undefined) throw new Error('no such program');
    const answer = await fetch(program.metrics + path);
    return { status: answer.status, body: await answer.text() };
  };

  /** The origin of a server. */
  async server(deployment: string): Promise<string> {
    const program = await this.programs.get(deployment);
    if (program === undefined) throw new Error(`${deployment} does not run`);
    return program.http;
  }

  async close(): Promise<void> {
    await Promise.all([...this.programs.keys()].map((name) => this.end(name)));
    rmSync(this.folder, { recursive: true });
  }

  private async see(path: string, { method = 'GET', body }: KubeRequest): Promise<void> {
    const [, removed] = /\/deployments\/([^/?]+)$/.exec(path) ?? [];
    if (method === 'DELETE' && removed !== undefined) return this.end(removed);
    const written = (body ?? {}) as Partial<Written>;
    if (method === 'GET' || method === 'DELETE' || written.metadata === undefined) return;
    const { kind, metadata, spec, data } = written;
    if (kind === 'ConfigMap' && data !== undefined) this.configs.set(metadata.name, data);
    if (kind === 'Job' && spec !== undefined) endsWith(spec.template, await this.job(metadata.name, spec.template));
    if (kind === 'Deployment' && spec !== undefined)
      await this.deploy(metadata.name, spec.replicas ?? 1, spec.template);
  }

  private job(name: string, template: Template): Promise<Message> {
    const known = this.jobs.get(name);
    if (known !== undefined) return known;
    const log = join(this.folder, name);
    const { args, env } = this.startOf(template, { TERMINATION_LOG: log, PROGRESS_ADDRESS: '127.0.0.1:0' });
    const run = async (): Promise<Message> => {
      await Promise.all([startMdw(args, env).ended, this.during(args)]);
      const message = JSON.parse(readFileSync(log, 'utf8')) as Message;
      this.ended.push({ args: args.join(' '), message });
      return message;
    };
    const running = run();
    this.jobs.set(name, running);
    return running;
  }

  private async deploy(name: string, replicas: number, template: Template): Promise<void> {
    const wanted = JSON.stringify(this.startOf(template));
    const program = await this.programs.get(name);
    if (program?.started === wanted && replicas > 0) return;
    await this.end(name);
    if (replicas > 0) this.programs.set(name, this.start(template, wanted));
  }

  private async start(template: Template, started: string): Promise<Program> {
    const [metrics, http] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
    const { args, env } = this.startOf(template, {
      ...{ METRICS_ADDRESS: metrics, HTTP_ADDRESS: http, WEBSOCKET_ADDRESS: '127.0.0.1:0' },
    });
    return { started, running: startMdw(args, env), metrics: `http://${metrics}`, http: `http://${http}` };
  }

  private async end(name: string): Promise<void> {
    const program = this.programs.get(name);
    this.programs.delete(name);
    const running = (await program)?.running;
    running?.process.kill('SIGTERM');
    await running?.ended;
  }

  /** How the program of a pod is started on this machine. */
  private startOf({ spec: { containers } }: Template, own: Record<string, string> = {}) {
    const [{ args = [], env = [], envFrom = [] } = {}] = containers;
    const configs = envFrom.map(({ configMapRef }) => this.configs.get(configMapRef?.name ?? ''));
    const { DATABASE_URL_FILE: _, ...variables } = Object.assign(
      {},
      ...configs,
      Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
    ) as Record<string, string>;
    return { args, env: { ...variables, DATABASE_URL: this.databaseUrl, POLL_INTERVAL_MS: '50', ...own } };
  }
}
