import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { RELEASE, WITH_TEST_IMAGE, clusterIp } from '../../support/real-node.js';
import type { RealNode } from '../../support/real-node.js';
import { ask } from '../../support/steady-client.js';
import type { MiddlewareStatus } from '../../../src/operator/schema/status.js';

const CHART = fileURLToPath(new URL('../../../charts/chain-middleware', import.meta.url));
const OWNED = 'app.kubernetes.io/managed-by=chain-middleware-operator';

type Answer = Awaited<ReturnType<typeof ask>>;
type Condition = NonNullable<MiddlewareStatus['conditions']>[number];

/** Resources in one namespace of a real node, as their administrator sees them. */
export interface Resources {
  /** Installs the operator from the chart. */
  installOperator(): void;
  kubectl(...args: string[]): string;
  apply(object: object): void;
  /** Creates a resource with one server that follows the node of the namespace, unless the spec names another. */
  resource(name: string, spec: object): object;
  status(name: string): MiddlewareStatus;
  condition(name: string, type: string): Condition | undefined;
  /** Status and reason of a condition. */
  inShort(name: string, type: string): string;
  /** Waits for status and reason of a condition. */
  until(name: string, type: string, wanted: RegExp): Promise<void>;
  /** Waits until all conditions report a healthy resource. */
  well(name: string): Promise<void>;
  eventually<T>(look: () => Promise<T> | T, isDone: (seen: T) => boolean, seconds?: number): Promise<void>;
  /** Pods that populate or serve. */
  pods(name: string): string[];
  /** Answer that a client of the Service gets. */
  ask(name: string, path: string): Promise<Answer | undefined>;
  /** Status of a list of generations. */
  answer(name: string): Promise<number | 'no connection'>;
  /** All objects, as text for people. */
  describe(): string;
}

const WELL = ['Ready True', 'Populated True', 'Degraded False', 'Reconciling False', 'Stalled False'];

/** `node` is read at the first call of these functions. */
export function resourcesIn(namespace: string, node: () => RealNode): Resources {
  const within = ['-n', namespace];
  const kubectl: Resources['kubectl'] = (...args) => node().plane.kubectl([...within, ...args]);
  const status: Resources['status'] = (name) =>
    JSON.parse(kubectl('get', 'mdw', name, '-o', 'jsonpath={.status}') || '{}') as MiddlewareStatus;
  const condition: Resources['condition'] = (name, type) => status(name).conditions?.find((one) => one.type === type);
  const inShort: Resources['inShort'] = (name, type) => {
    const { status: is, reason } = condition(name, type) ?? {};
    return `${is} ${reason}`;
  };
  const eventually: Resources['eventually'] = async (look, isDone, seconds = 200) => {
    const until = performance.now() + seconds * 1000;
    for (let seen = await look(); !isDone(seen); seen = await look()) {
      if (performance.now() > until) throw new Error(`not within ${seconds} s: ${JSON.stringify(seen)}`);
      await pause(500);
    }
  };
  const answerOf: Resources['ask'] = async (name, path) => {
    const address = await node().tunnel.to(clusterIp(node().plane, name, namespace), 8080);
    return ask(`http://${address}${path}`).catch(() => undefined);
  };
  return {
    installOperator() {
      const made = ['--create-namespace', '--wait', '--timeout', '120s', '--set', 'trial.enabled=true'];
      node().plane.helm(['upgrade', '--install', ...RELEASE, CHART, ...made, ...WITH_TEST_IMAGE]);
    },
    kubectl,
    apply(object) {
      node().plane.kubectl([...within, 'apply', '-f', '-'], JSON.stringify(object));
    },
    resource: (name, spec) => ({
      apiVersion: 'chain-middleware.io/v1alpha1',
      kind: 'Middleware',
      metadata: { name },
      spec: {
        node: { urls: ['http://node:3013'] },
        // The blocks of the simulated node have times in the past.
        head: { maxAge: '999999h' },
        server: { replicas: 1 },
        ...spec,
      },
    }),
    status,
    condition,
    inShort,
    until: (name, type, wanted) =>
      eventually(
        () => inShort(name, type),
        (said) => wanted.test(said),
      ),
    well: (name) =>
      eventually(
        () => status(name).conditions ?? [],
        (said) => WELL.every((one) => said.some(({ type, status: is }) => `${type} ${is}` === one)),
      ),
    eventually,
    pods(name) {
      const ours = `app.kubernetes.io/instance=${name},app.kubernetes.io/component in (server,populator)`;
      return kubectl('get', 'pods', '-o', 'name', '-l', ours).trim().split('\n');
    },
    ask: answerOf,
    answer: async (name) => (await answerOf(name, '/middleware/generations/0/1'))?.status ?? 'no connection',
    describe: () =>
      [
        ['get', 'mdw,pods,jobs,statefulsets,pvc', '-o', 'wide'],
        ['get', 'mdw', '-o', 'yaml'],
        ['logs', '--prefix', '--tail=15', '-l', OWNED],
        ['get', 'events', '--sort-by=.lastTimestamp'],
      ]
        .map((args) => node().plane.tryKubectl([...within, ...args]).stdout)
        .join('\n'),
  };
}
