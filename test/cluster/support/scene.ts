import { randomBytes } from 'node:crypto';
import { createKubeClient } from '../../../src/operator/kube/client.js';
import type { KubeClient } from '../../../src/operator/kube/client.js';
import { findAccess } from '../../../src/operator/kube/kubeconfig.js';
import { kindOf, pathOf } from '../../../src/operator/kube/kinds.js';
import { createOperatorMetrics } from '../../../src/operator/metrics.js';
import { startOperator } from '../../../src/operator/loop/operator.js';
import type { Operator } from '../../../src/operator/loop/operator.js';
import type { MiddlewareSpecInput } from '../../../src/operator/schema/spec.js';
import type { Condition, MiddlewareStatus } from '../../../src/operator/schema/status.js';
import type { Deployment, Job, KubeObject, Service } from '../../../src/operator/types.js';
import { createLogger } from '../../../src/observe/logger.js';
import { EVERYTHING } from '../../support/operator-model.js';
import { eventually } from './eventually.js';
import { FakeDatabase } from './fake-database.js';
import { usePlane } from './plane.js';
import type { Plane } from './plane.js';
import { withinRights } from './rights.js';

export const IMAGE = 'example.test/mdw:1';
export const URL = 'postgres://mdw:secret@db.example/mdw';

/** A namespace for one suite, with helpers for tests. */
export interface Scene {
  plane: Plane;
  namespace: string;
  /** What the Jobs and pods of the operator would do to a database. */
  database: FakeDatabase;
  /** Starts an operator in this process that watches only this namespace. `programs` act in place of `database`. */
  operator(
    options?: Partial<Parameters<typeof startOperator>[0]> & {
      through?: (client: KubeClient) => KubeClient;
      programs?: Pick<FakeDatabase, 'behind'>;
    },
  ): Operator;
  secret(name?: string, url?: string): Promise<void>;
  create(name: string, spec?: Partial<MiddlewareSpecInput>, annotations?: Record<string, string>): Promise<void>;
  /** Merges into the spec. */
  change(name: string, spec: unknown): Promise<void>;
  /** Merges into any object. */
  patch(kind: string, name: string, body: unknown): Promise<void>;
  remove(kind: string, name: string): Promise<void>;
  get<T extends KubeObject = KubeObject>(kind: string, name: string): Promise<T | undefined>;
  /** Path of an object in the API. */
  path(kind: string, name: string): string;
  list<T extends KubeObject = KubeObject>(kind: string, selector?: string): Promise<T[]>;
  status(name: string): Promise<MiddlewareStatus>;
  /** Waits until the condition has this status and reason. */
  condition(name: string, type: string, is: string, reason?: string): Promise<Condition>;
  /** Whether it has them now; throws if not. */
  conditionNow(name: string, type: string, is: string, reason?: string): Promise<Condition>;
  /** Waits until the resource is settled. */
  settled(name: string): Promise<MiddlewareStatus>;
  /** Whether it is settled now; throws if not. */
  settledNow(name: string): Promise<MiddlewareStatus>;
  close(): Promise<void>;
}

export async function openScene(): Promise<Scene> {
  const plane = await usePlane();
  const namespace = `t-${randomBytes(4).toString('hex')}`;
  const operators: Operator[] = [];
  const clients: KubeClient[] = [];
  const beyond = new Set<string>();
  const at = (kind: string, name?: string): string => pathOf(kindOf(kind), namespace, name);
  const { request } = plane;
  await request('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: namespace } } });

  const scene: Scene = {
    plane,
    namespace,
    database: new FakeDatabase(),
    operator({ through = (client: KubeClient) => client, programs = scene.database, ...options } = {}) {
      const own = createKubeClient(findAccess({ kubeconfig: plane.kubeconfig, env: {} }));
      clients.push(own);
      const operator = startOperator({
        client: through(programs.behind(withinRights(own, beyond))),
        namespaces: [namespace],
        lease: { namespace, name: 'operator', identity: randomBytes(4).toString('hex'), ...options.lease },
        defaultImage: IMAGE,
        allowed: EVERYTHING,
        reach: () => Promise.reject(new Error('simulated pods do not answer')),
        concurrency: 4,
        logger: createLogger({ level: process.env.OPERATOR_LOG ?? 'silent', stream: 'stderr' }),
        metrics: createOperatorMetrics(),
        ...options,
      });
      operators.push(operator);
      return operator;
    },
    async secret(name = 'db', url = URL) {
      const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: { url } };
      await request(at('Secret', name), {
        method: 'PATCH',
        contentType: 'application/apply-patch+yaml',
        query: { fieldManager: 'test', force: true },
        body,
      });
    },
    async create(name, spec = {}, annotations = {}) {
      const body = {
        apiVersion: 'chain-middleware.io/v1alpha1',
        kind: 'Middleware',
        metadata: { name, annotations },
        spec: { node: { urls: ['http://node:3013'] }, database: { secret: { name: 'db' } }, ...spec },
      };
      await request(at('Middleware'), { method: 'POST', body });
    },
    change: (name, spec) => scene.patch('Middleware', name, { spec }),
    async patch(kind, name, body) {
      await request(at(kind, name), { method: 'PATCH', contentType: 'application/merge-patch+json', body });
    },
    async remove(kind, name) {
      await request(at(kind, name), { method: 'DELETE', body: { propagationPolicy: 'Background' } });
    },
    get: <T extends KubeObject>(kind: string, name: string) =>
      request<T>(at(kind, name)).catch((error: { status?: number }) => {
        if (error.status === 404) return undefined;
        throw error;
      }),
    path: at,
    async list<T extends KubeObject>(kind: string, labelSelector?: string) {
      const { items } = await request<{ items: T[] }>(at(kind), { query: { labelSelector } });
      return items;
    },
    async status(name) {
      return (await scene.get('Middleware', name))?.status ?? {};
    },
    condition: (...wanted) => eventually(() => scene.conditionNow(...wanted)),
    async conditionNow(name, type, is, reason) {
      const { conditions = [] } = await scene.status(name);
      const found = conditions.find((one) => one.type === type);
      if (found?.status !== is || (reason !== undefined && found.reason !== reason)) {
        throw new Error(`${type} of ${name} is ${JSON.stringify(found)}, not ${is} ${reason ?? ''}`);
      }
      return found;
    },
    settled: (name) => eventually(() => scene.settledNow(name)),
    async settledNow(name) {
      const object = await scene.get('Middleware', name);
      const status = (object?.status ?? {}) as MiddlewareStatus;
      const is = (type: string): string | undefined => status.conditions?.find((one) => one.type === type)?.status;
      const current = status.observedGeneration === object?.metadata.generation;
      if (!current || is('Ready') !== 'True' || is('Reconciling') !== 'False' || is('Stalled') !== 'False') {
        throw new Error(`${name} has not settled: ${JSON.stringify(status)}`);
      }
      return status;
    },
    async close() {
      await Promise.all(operators.map((operator) => operator.stop()));
      await Promise.all(clients.map((client) => client.close()));
      await request(`/api/v1/namespaces/${namespace}`, { method: 'DELETE' });
      if (beyond.size > 0) throw new Error(`The chart gives the operator no right to ${[...beyond].join(', ')}`);
    },
  };
  return scene;
}

export const templateOf = (deployment: Deployment | undefined): Deployment['spec']['template']['spec'] => {
  if (deployment === undefined) throw new Error('there is no such Deployment');
  return deployment.spec.template.spec;
};

export type { Deployment, Job, KubeObject, Service };
