import { isUnreadable, readResource } from '../../src/operator/resource.js';
import { covers, withAppliedHash } from '../../src/operator/apply/compare.js';
import { decide } from '../../src/operator/decide/decide.js';
import { LABEL, databaseByName, hashOf, refOf } from '../../src/operator/names.js';
import { basisOf } from '../../src/operator/world/image.js';
import { API_VERSION } from '../../src/operator/schema/group.js';
import type { MiddlewareStatus } from '../../src/operator/schema/status.js';
import type {
  Basis,
  Deployment,
  Job,
  KubeObject,
  Middleware,
  Observed,
  Pod,
  PodHealth,
  Service,
} from '../../src/operator/types.js';

/** Result of a Job in the model: its report and status, or `hang` while it runs. */
export type JobEnd =
  | {
      exitCode: number;
      report?: Record<string, unknown>;
      /** The report of the program does not arrive. */
      isLost?: boolean;
    }
  | 'hang';

export interface ModelOptions {
  spec?: Record<string, unknown>;
  /** Results of Jobs; success if absent. */
  job?: (args: string[], schema: string, job: Job) => JobEnd | undefined;
  /** Heights that a running Job reports as done. */
  done?: (args: string[]) => number | undefined;
  /** What a running Job waits for. */
  waits?: (args: string[]) => { code: string; reason: string } | undefined;
  /** Whether servers of a schema become ready. */
  serves?: (schema: string) => boolean;
  /** Whether the populator of a schema proves what is not proven yet; it does unless this says no. */
  proves?: (schema: string) => boolean;
  /** The lag that servers report while the populator is silent, if they know it; undefined while it is not silent. */
  silent?: () => { lag?: number } | undefined;
  /** Whether a pod can read its database; it can unless this says no. */
  reads?: (pod: string) => boolean;
}

interface Schema {
  height: number;
  loading: boolean;
  /** Proven height, from which the proven work follows; the height unless given. */
  proven?: number;
  /** Rows of the table `serving`; undefined in a copy of an older version. */
  serving?: Row[];
  heldReorg?: PodHealth['heldReorg'];
  differingRows?: number;
}

interface Row {
  step: 'intended' | 'switched' | 'done';
  reload: string;
  result: string | null;
  schema: string;
  work: string;
  at: string;
}

/** Proven work in the model: one for each proven key block. */
export const workIn = (data: Schema | undefined): number => (data === undefined ? 0 : (data.proven ?? data.height) + 1);

const TOP = 100;
const START = Date.parse('2026-01-01T00:00:00Z');

/** A simulated cluster and database, as the operator sees them. Time moves only when nothing else changes. */
export class OperatorModel {
  readonly objects = new Map<string, KubeObject>();
  readonly schemas = new Map<string, Schema>();
  readonly pods = new Map<string, Pod>();
  status: MiddlewareStatus = {};
  now = START;
  writes = 0;
  /** The operator is killed before the write with this number, and restarted. */
  crashAt = Infinity;
  /** Copies that have served, in order. */
  readonly served: string[] = [];
  faults: string[] = [];
  events: string[] = [];
  spec: Record<string, unknown>;
  annotations: Record<string, string> = {};
  secret: Observed['database'] = { version: 'h', host: 'db', ports: [5432], target: 'db:5432/mdw' };
  generation = 1;
  private hasServed = false;
  private uids = 0;
  /** The copy that the Service selected last. */
  selected: string | undefined;
  uid = 'u';

  constructor(private readonly options: ModelOptions = {}) {
    this.spec = { ...SPEC, ...options.spec };
  }

  resource(): Middleware {
    const creationTimestamp = new Date(START).toISOString();
    const { generation, annotations } = this;
    const metadata = { name: 'sample', namespace: 'test', uid: this.uid, generation, creationTimestamp };
    const object = {
      apiVersion: API_VERSION,
      kind: 'Middleware',
      metadata: { ...metadata, annotations },
      spec: this.spec,
      status: this.status,
    };
    const resource = readResource(object);
    if (isUnreadable(resource)) throw new Error(resource.faults);
    return resource;
  }

  reload(fields: Record<string, unknown>): void {
    this.spec = { ...this.spec, reload: { ...(this.spec['reload'] as object | undefined), ...fields } };
    this.generation++;
  }

  /** Deletes the resource with all its objects and creates it again from the same manifest, with its old status if a backup has that. */
  recreate(status: MiddlewareStatus = {}): void {
    this.objects.clear();
    this.pods.clear();
    this.uid = `u${this.uids++}`;
    this.generation = 1;
    this.status = status;
    this.hasServed = false;
    this.selected = undefined;
  }

  /** Runs one pass. Returns whether it was completed. */
  pass(): { done: boolean; wrote: number; requeueAfterMs: number | undefined } {
    const decision = decide(this.observed());
    let wrote = 0;
    const writing = (write: () => void): boolean => {
      if (this.writes >= this.crashAt) {
        this.crashAt = Infinity;
        return false;
      }
      write();
      wrote++;
      this.writes++;
      this.check(`write ${this.writes}`);
      return true;
    };
    for (const object of decision.want) {
      const known = this.objects.get(refOf(object));
      const wanted = withAppliedHash(object);
      if (known !== undefined && (object.kind === 'Job' || covers(known, wanted))) continue;
      if (!writing(() => this.apply(wanted))) return { done: false, wrote, requeueAfterMs: 0 };
    }
    const wanted = new Set(decision.want.map(refOf));
    for (const object of [...this.objects.values()]) {
      if (wanted.has(refOf(object)) || decision.keeps(object)) continue;
      if (!writing(() => this.remove(refOf(object)))) return { done: false, wrote, requeueAfterMs: 0 };
    }
    const status = JSON.parse(JSON.stringify(decision.status)) as MiddlewareStatus;
    if (!covers(this.status, status) || !covers(status, this.status)) {
      if (!writing(() => (this.status = status))) return { done: false, wrote, requeueAfterMs: 0 };
      this.events.push(...decision.events.map(({ reason }) => reason));
    }
    return { done: true, wrote, requeueAfterMs: decision.requeueAfterMs };
  }

  apply(object: KubeObject): void {
    const known = this.objects.get(refOf(object));
    const generation = (known?.metadata.generation ?? 0) + 1;
    const uid = known?.metadata.uid ?? `uid-${this.uids++}`;
    const creationTimestamp = known?.metadata.creationTimestamp ?? new Date(this.now).toISOString();
    const metadata = { ...object.metadata, uid, generation, creationTimestamp };
    this.objects.set(refOf(object), { ...object, metadata, status: known?.status });
  }

  remove(ref: string): void {
    this.objects.delete(ref);
    const [kind, name] = ref.split('/');
    for (const [key, pod] of this.pods) {
      const { labels = {} } = pod.metadata;
      if (
        (kind === 'Job' && labels['batch.kubernetes.io/job-name'] === name) ||
        (kind === 'Deployment' && key.startsWith(`${name}-pod`))
      ) {
        this.pods.delete(key);
      }
    }
  }

  /** Simulates the controllers of Kubernetes and the programs in the pods. Returns whether anything changed. */
  act(): boolean {
    const before = JSON.stringify([[...this.objects], [...this.schemas], [...this.pods]]);
    for (const object of this.objects.values()) {
      if (object.kind === 'Job') this.run(object as Job);
      if (object.kind === 'Deployment') this.deploy(object as Deployment);
    }
    this.check('controllers');
    return before !== JSON.stringify([[...this.objects], [...this.schemas], [...this.pods]]);
  }

  /** Runs passes until nothing changes any more, and skips all waiting times. */
  settle(until: () => boolean = () => false): void {
    for (let round = 0; round < 2_000; round++) {
      if (until()) return;
      const { done, wrote, requeueAfterMs } = this.pass();
      const acted = this.act();
      if (!done || wrote > 0 || acted) continue;
      if (requeueAfterMs === undefined || requeueAfterMs > 24 * 3_600_000) return;
      this.now += Math.max(requeueAfterMs, 1);
    }
    throw new Error(`does not settle: ${JSON.stringify(this.status.reload)}`);
  }

  live(): string | undefined {
    return (this.objects.get('Service/sample') as Service | undefined)?.spec.selector?.[LABEL.color];
  }

  copy(color: string): Schema | undefined {
    return this.schemas.get(color === 'blue' ? 'mdw' : 'mdw_green');
  }

  /** Identity of the database, as the operator makes it from the Secret. */
  get databaseId(): string {
    return databaseByName(hashOf(['test', (this.secret as { target: string }).target]));
  }

  jobs(word: string): Job[] {
    return ([...this.objects.values()] as Job[]).filter(
      ({ kind, metadata }) => kind === 'Job' && metadata.name.startsWith(`sample-${word}-`),
    );
  }

  /** The final state, without values that depend on the elapsed time. */
  end(): unknown {
    const objects = [...this.objects.values()]
      .filter(({ kind }) => kind !== 'Job' && kind !== 'ConfigMap')
      .map(refOf)
      .sort();
    const { phase, color } = this.status.reload ?? {};
    return { objects, live: this.live(), schemas: [...this.schemas].sort(), reload: { phase, color } };
  }

  /** Image and version of the operator, and another resource that it upgrades. */
  operator: Pick<Observed, 'defaultImage' | 'operatorVersion' | 'upgrading'> = {
    defaultImage: 'mdw:1',
    operatorVersion: '1',
    upgrading: undefined,
  };

  allowed: Observed['allowed'] = EVERYTHING;

  removed: Observed['removed'];

  /** What resources of other namespaces claim. */
  claims: Observed['claims'] = [];

  /** What manifests are made from. */
  basis(): Basis {
    return basisOf(this.observed());
  }

  observed(): Observed {
    const ofKind = (kind: string, name: string) => this.objects.get(`${kind}/${name}`);
    const health = new Map<string, PodHealth>();
    for (const [name, { metadata }] of this.pods) {
      const data = this.schemas.get(metadata.labels?.['model/schema'] ?? '');
      const component = metadata.labels?.[LABEL.component];
      const job = ofKind('Job', metadata.labels?.['batch.kubernetes.io/job-name'] ?? '') as Job | undefined;
      const args = job && programOf((job.spec as Deployment['spec']).template).args;
      const waits = args && this.options.waits?.(args);
      if (waits !== undefined) health.set(name, { ready: false, ...waits });
      const done = args && this.options.done?.(args);
      if (done !== undefined) health.set(name, { ready: true, done });
      if (component !== 'populator' && component !== 'server') continue;
      if (this.options.reads?.(name) === false) {
        const away = { reason: 'database cannot be read', code: 'database_unreachable' } as const;
        const isServer = component === 'server';
        health.set(name, { ready: isServer, ...away, ...(isServer && { withoutDatabase: true }) });
      } else if (data === undefined)
        health.set(name, { ready: false, reason: 'not connected', code: 'database_unreachable' });
      else {
        // The operator has the last answer of the populator, from before it was silent.
        const silent = component === 'server' ? this.options.silent?.() : undefined;
        const lag = silent === undefined ? TOP - data.height : silent.lag;
        health.set(name, {
          ready: true,
          height: data.height,
          nodeHeight: lag === undefined ? undefined : data.height + lag,
          nodeState: 'ok',
          lag,
          loading: data.loading,
          heldReorg: data.heldReorg,
          differingRows: data.differingRows,
          populatorSilent: silent && true,
        });
      }
    }
    return {
      resource: this.resource(),
      now: this.now,
      ...this.operator,
      operatorNamespace: 'operators',
      children: {
        deployment: (name) => ofKind('Deployment', name) as Deployment | undefined,
        job: (name) => ofKind('Job', name) as Job | undefined,
        jobs: () => ([...this.objects.values()] as Job[]).filter(({ kind }) => kind === 'Job'),
        service: (name) => ofKind('Service', name) as Service | undefined,
        pods: (labels) =>
          [...this.pods.values()].filter(({ metadata }) =>
            Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value),
          ),
        get: ofKind,
        all: () => [...this.objects.values()],
      },
      database: this.secret,
      newPassword: undefined,
      readDatabase: undefined,
      authorities: [],
      health,
      conflictingOwner: undefined,
      claims: this.claims,
      allowed: this.allowed,
      runbookBase: '',
      kinds: new Set(),
      notOwned: [],
      contested: [],
      removed: this.removed,
    };
  }

  private run(job: Job): void {
    if (job.status?.conditions !== undefined) return;
    const { template } = job.spec as { template: Deployment['spec']['template'] };
    const { args, schema } = programOf(template);
    const name = `${job.metadata.name}-pod`;
    const labels = {
      ...template.metadata?.labels,
      'batch.kubernetes.io/job-name': job.metadata.name,
      'batch.kubernetes.io/controller-uid': job.metadata.uid ?? '',
    };
    if (!this.pods.has(name)) {
      this.pods.set(name, pod(name, labels, 'Running', this.now));
      return;
    }
    const asked = this.options.job?.(args, schema, job) ?? { exitCode: 0 };
    if (asked === 'hang') return;
    const isDone = asked.exitCode === 0 && asked.report?.['ok'] !== false;
    const end = isDone && !asked.isLost ? { ...asked, ...this.effect(args, schema) } : asked;
    const lastTransitionTime = new Date(this.now).toISOString();
    // A program that could write its fault ends with status 0, where the Job asks for that.
    const { env = [] } = template.spec.containers[0]! as { env?: { name: string; value?: string }[] };
    const isOnlyWritten =
      end.report?.['ok'] === false &&
      end.report['code'] !== 'interrupted' &&
      env.some(({ name: variable, value }) => variable === 'TERMINATION_LOG_ONLY' && value === 'true');
    const exitCode = isOnlyWritten ? 0 : end.exitCode;
    const type = exitCode === 0 ? 'Complete' : 'Failed';
    job.status = { conditions: [{ type, status: 'True', lastTransitionTime }] };
    const message = end.report === undefined ? '' : JSON.stringify(end.report);
    const status = {
      phase: exitCode === 0 ? 'Succeeded' : 'Failed',
      containerStatuses: [{ name: 'mdw', ready: false, restartCount: 0, state: { terminated: { exitCode, message } } }],
    };
    this.pods.set(name, { ...this.pods.get(name)!, status });
  }

  /** What a program that succeeds does; returns how it ends instead if it refuses, or what it reports. */
  private effect(args: string[], schema: string): Partial<Exclude<JobEnd, 'hang'>> {
    const [what = ''] = args;
    const flag = (name: string): string | undefined =>
      args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined;
    if (what === 'copies') return { report: this.survey([schema, flag('other')!]) };
    if (what === 'record') this.record(schema, { step: args[1] as Row['step'], reload: flag('reload')!, result: null });
    if (what === 'drop') {
      const serving = flag('serving');
      const [work, other] = [workIn(this.schemas.get(schema)), workIn(this.schemas.get(serving ?? ''))];
      if (serving !== undefined && !args.includes('--any-work') && work > other) {
        const message = `The copy in schema ${schema} has more proven work`;
        return { exitCode: 1, report: { ok: false, code: 'copy_ahead', message } };
      }
      const best = Math.max(
        ...[...this.schemas].filter(([name]) => name !== schema).map(([, data]) => workIn(data)),
        0,
      );
      if (work > best && !args.includes('--any-work')) this.faults.push(`dropped ${schema}, which had the most work`);
      this.schemas.delete(schema);
      const reload = flag('reload');
      if (serving !== undefined && reload !== undefined)
        this.record(serving, { step: 'done', reload, result: flag('result') ?? null });
      else if (serving !== undefined && this.schemas.get(serving)?.serving?.length === 0)
        this.record(serving, { step: 'switched', reload: '', result: null });
    }
    if (what === 'migrate') {
      if (!this.schemas.has(schema)) this.schemas.set(schema, { height: -1, loading: true });
      this.schemas.get(schema)!.serving ??= [];
    }
    if (what === '-H' && !this.schemas.has(schema))
      this.schemas.set(schema, { height: -1, loading: true, serving: [] });
    const data = this.schemas.get(schema);
    if (what === '-H' && data !== undefined) data.height = Math.max(data.height, TOP - 5);
    return {};
  }

  /** As `mdw copies` reports. */
  private survey(schemas: string[]): Record<string, unknown> {
    const found = schemas.filter((schema) => this.schemas.has(schema));
    const copies = found.map((schema) => {
      const data = this.schemas.get(schema)!;
      const { height, loading, proven = height } = data;
      return { schema, live: !loading, height, provenHeight: proven, work: String(workIn(data)) };
    });
    const rows = found.map((schema) => this.schemas.get(schema)!.serving ?? []).sort((a, b) => a.length - b.length);
    return { ok: true, copies, serving: rows.at(-1) ?? [] };
  }

  private record(schema: string, entry: Pick<Row, 'step' | 'reload' | 'result'>): void {
    const work = String(workIn(this.schemas.get(schema)));
    const row = { ...entry, schema, work, at: new Date(this.now).toISOString() };
    const known = [...this.schemas.values()].map(({ serving = [] }) => serving).sort((a, b) => b.length - a.length)[0]!;
    for (const data of this.schemas.values()) {
      if (data.serving !== undefined) data.serving = [...known, row];
    }
  }

  private deploy(deployment: Deployment): void {
    const { replicas = 1, template } = deployment.spec;
    const { schema, args } = programOf(template);
    const isServer = args[0] === '-s';
    const data = this.schemas.get(schema);
    if (!isServer && data === undefined) this.schemas.set(schema, { height: -1, loading: true });
    else if (!isServer && data !== undefined) {
      // A populator loads what is missing first, and then follows.
      data.loading = data.height < TOP;
      // Nor does it stay unproven, unless the test keeps it so.
      if (data.height === TOP && this.options.proves?.(schema) !== false) delete data.proven;
      data.height = TOP;
    }
    const ofDeployment = `${deployment.metadata.name}-pod-`;
    for (const name of this.pods.keys())
      if (name.startsWith(ofDeployment) && Number(name.slice(ofDeployment.length)) >= replicas) this.pods.delete(name);
    for (let i = 0; i < replicas; i++) {
      const name = `${ofDeployment}${i}`;
      this.pods.set(name, pod(name, { ...template.metadata?.labels, 'model/schema': schema }, 'Running', this.now));
    }
    const may = !isServer || (data !== undefined && !data.loading && (this.options.serves?.(schema) ?? true));
    const ready = may ? replicas : 0;
    const { generation: observedGeneration = 0 } = deployment.metadata;
    deployment.status = {
      observedGeneration,
      replicas,
      updatedReplicas: replicas,
      readyReplicas: ready,
      availableReplicas: ready,
    };
  }

  /**
   * The invariants: the Service never selects another copy that is lesser than the one before, and after the first server was ready,
   * the selected copy always has a ready server and complete data.
   */
  private check(where: string): void {
    const live = this.live();
    if (live === undefined) return;
    if (this.selected !== live && isLesser(this.copy(live), this.copy(this.selected ?? other(live))))
      this.faults.push(`${where}: ${live} is selected, which is lesser than the other copy`);
    this.selected = live;
    const deployment = this.objects.get(`Deployment/sample-server-${live}`) as Deployment | undefined;
    const schema = deployment && programOf(deployment.spec.template).schema;
    const ready = schema !== undefined && this.schemas.has(schema) ? (deployment?.status?.readyReplicas ?? 0) : 0;
    if (ready > 0) this.hasServed = true;
    else if (this.hasServed) this.faults.push(`${where}: ${live} has no ready server`);
    if (this.hasServed && this.served.at(-1) !== live) this.served.push(live);
  }
}

const other = (color: string): string => (color === 'blue' ? 'green' : 'blue');

/** Whether the second copy is better by more than the moment explains. */
const isLesser = (copy: Schema | undefined, than: Schema | undefined): boolean =>
  than !== undefined && !than.loading && (copy === undefined || copy.loading || workIn(than) - workIn(copy) > 10);

/** Nothing is refused that is not refused by default. */
export const EVERYTHING: Observed['allowed'] = {
  ingressAnnotations: [],
  serviceTypes: [],
  images: [],
  ingressClasses: [],
  gateways: [],
  storageClasses: [],
  trial: true,
};

const SPEC = { node: { urls: ['http://node:3013'] }, database: { secret: { name: 'db' } } };

function programOf({ spec }: Deployment['spec']['template']): { args: string[]; schema: string } {
  const [container] = spec.containers as unknown as { args: string[]; env: { name: string; value: string }[] }[];
  return { args: container!.args, schema: container!.env.find(({ name }) => name === 'DATABASE_SCHEMA')!.value };
}

const pod = (name: string, labels: Record<string, string>, phase: string, now: number): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'test', uid: name, labels, creationTimestamp: new Date(now).toISOString() },
  status: { phase },
});
