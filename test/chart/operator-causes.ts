/** What makes each alert about the operator and its resources true, on a control plane whose nodes and pods are simulated. */
import { serveHealth } from '../../src/operator/loop/server.js';
import { createOperatorMetrics } from '../../src/operator/metrics.js';
import type { Job, Pod, PodTemplate } from '../../src/operator/types.js';
import { KubeError } from '../../src/operator/kube/errors.js';
import { eventually } from '../cluster/support/eventually.js';
import { IMAGE, openScene } from '../cluster/support/scene.js';
import { isWrite, tampered } from '../cluster/support/tamper.js';
import type { Prometheus } from './prometheus.js';
import type { Causes } from './service-causes.js';

/** Faults that the client of the operator has at a time. */
type Fault = 'refuse' | 'hang' | 'silent' | undefined;

export async function startOperatorScene(prometheus: Prometheus) {
  const scene = await openScene();
  const closers: (() => Promise<unknown>)[] = [];
  const report: Record<string, unknown> = {
    ready: true,
    height: 60,
    node_height: 60,
    node_state: 'ok',
    lag: 0,
    loading: false,
  };
  const nothing = (): Promise<void> => Promise.resolve();
  let fault: Fault;
  /** Whether Jobs that load do not end. */
  let isHeld = false;
  /** Writes that got no answer; each pass that repeats one is another. */
  let hanging: (() => void)[] = [];

  /** Starts an operator whose metrics are scraped. Its watches hear from the API server every second. */
  const operator = async (pod: string, lease: string, defaultImage = IMAGE) => {
    const metrics = createOperatorMetrics();
    const started = scene.operator({
      metrics,
      defaultImage,
      lease: { namespace: scene.namespace, name: lease, identity: pod },
      reach: () => Promise.resolve({ status: 200, body: JSON.stringify(report) }),
      probeMs: 300,
      watchTimings: { watchSeconds: 4, pauseMs: 50, maxPauseMs: 100 },
      through: (client) =>
        tampered(client, {
          async before(path, request) {
            const isWatch = request.query?.['watch'] !== undefined;
            if (fault === 'silent' && (isWatch || request.method === undefined))
              throw new KubeError(0, 'Unreachable', 'cut off');
            if (!isWrite(path, request)) return;
            const { kind, spec } = (request.body ?? {}) as Partial<Job>;
            const template = (spec as { template: PodTemplate } | undefined)?.template;
            if (isHeld && kind === 'Job' && (template!.spec.containers[0]!['args'] as string[])[0] === '-H')
              (template!.metadata!.annotations ??= {})['sim/complete'] = 'false';
            if (fault === 'refuse') throw new KubeError(500, 'InternalError', 'the API server has a fault');
            if (fault === 'hang') await new Promise<void>((resolve) => hanging.push(resolve));
          },
        }),
    });
    const health = await serveHealth({ host: '127.0.0.1', port: 0 }, () => started, metrics);
    closers.unshift(() => health.close());
    prometheus.scrape(pod, { port: health.address.port, labels: { job: 'mdw-operator', pod } });
    return started;
  };
  const failing = (next: Exclude<Fault, undefined>, names: readonly string[]) => async () => {
    fault = next;
    for (const name of names) await scene.change(name, { logLevel: 'debug' });
    return async () => {
      fault = undefined;
      for (const goOn of hanging) goOn();
      hanging = [];
      for (const name of names) await scene.change(name, { logLevel: 'info' });
    };
  };
  const reporting = (facts: Record<string, unknown>) => () => {
    const before = { ...report };
    Object.assign(report, facts);
    return Promise.resolve(() => {
      for (const name of Object.keys(facts)) delete report[name];
      Object.assign(report, before);
      return nothing();
    });
  };

  await scene.secret();
  let acting = await operator('one', 'operator');
  const many = Array.from({ length: 12 }, (_, i) => `m${i}`);
  for (const name of ['a', ...many])
    await scene.create(name, { database: { secret: { name: 'db' }, schema: `s_${name}` }, server: { replicas: 1 } });
  for (const name of ['a', ...many]) await scene.settled(name);

  const causes: Causes = {
    MiddlewareNotReady: [
      'the Secret of a new resource is missing',
      async () => {
        await scene.create('n', { database: { secret: { name: 'none' } } });
        return () => scene.remove('Middleware', 'n');
      },
    ],
    MiddlewareDegraded: [
      'a populator reports that its node does not answer',
      reporting({ node_state: 'node_unreachable' }),
    ],
    MiddlewareNotVerified: ['a populator reports rows that differ from the chain', reporting({ differing_rows: 3 })],
    MiddlewareStalled: [
      'the Secret of a running resource is deleted',
      async () => {
        await scene.remove('Secret', 'db');
        return () => scene.secret();
      },
    ],
    MiddlewareOutdated: [
      'a resource with upgrade: Manual meets a newer operator',
      async () => {
        await scene.change('a', { upgrade: 'Manual' });
        await acting.stop();
        acting = await operator('one', 'operator', 'example.test/mdw:2');
        return nothing;
      },
    ],
    MiddlewareCrashing: [
      'the container of a populator ends five times within a minute, before it is scraped',
      async () => {
        const [pod] = await scene.list<Pod>(
          'Pod',
          'app.kubernetes.io/instance=a,app.kubernetes.io/component=populator',
        );
        const { name } = pod!.metadata;
        for (let restartCount = 1; restartCount <= 5; restartCount++) {
          const [status] = pod!.status!.containerStatuses!;
          const body = { status: { containerStatuses: [{ ...status, restartCount }] } };
          await scene.plane.request(`${scene.path('Pod', name)}/status`, {
            method: 'PATCH',
            contentType: 'application/strategic-merge-patch+json',
            body,
          });
          await prometheus.until(`mdw_operator_restarts{name="a"} >= ${restartCount}`);
        }
        return nothing;
      },
    ],
    MiddlewareReloadStuck: [
      'the Job of a reload does not end',
      async () => {
        isHeld = true;
        await scene.change('m0', { reload: { id: 'stuck' } });
        return async () => {
          isHeld = false;
          await scene.change('m0', { reload: { id: null } });
        };
      },
    ],
    MiddlewareOperatorErrors: ['the API server answers each write with a fault', failing('refuse', many)],
    MiddlewareOperatorQueueStuck: ['the API server does not answer a write', failing('hang', ['m1'])],
    MiddlewareOperatorWatchStale: ['no watch gets an answer', failing('silent', [])],
    MiddlewareOperatorNoLeader: [
      'the operator gave its Lease back, and no other one takes it',
      async () => {
        await acting.stop();
        return async () => void (acting = await operator('one', 'operator'));
      },
    ],
    MiddlewareOperatorTwoLeaders: [
      'a second operator was installed with a Lease of its own',
      async () => {
        const second = await operator('two', 'other');
        await eventually(() => {
          if (!second.acts()) throw new Error('it does not lead yet');
        });
        return async () => {
          await second.stop();
          prometheus.drop('two');
        };
      },
    ],
  };
  return {
    causes,
    async close() {
      for (const close of closers) await close();
      await scene.close();
    },
  };
}
