import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';
import { startMdw } from '../../support/mdw.js';
import type { RunningMdw } from '../../support/mdw.js';
import { eventually } from './eventually.js';
import { IMAGE } from './scene.js';
import type { Scene } from './scene.js';
import { GIVE_UP_MS } from '../../support/patience.js';

export interface OperatorProcess {
  program: RunningMdw;
  /** Values of the operator's metrics, by name with labels. */
  metrics(): Promise<Map<string, number>>;
  /** Whether the operator has read everything and can act. */
  isReady(): Promise<boolean>;
  /** Waits until this number of resources serves. */
  serves(count: number): Promise<void>;
  /** Number of writes in some seconds after everything is settled, without renewals of the lease (PUT). */
  writesAtRest(seconds: number): Promise<number>;
}

/** Starts the built operator for the namespace of the scene only, with further variables; resolves when it answers. */
export async function startOperatorProcess(
  { plane, namespace }: Scene,
  env: Record<string, string> = {},
): Promise<OperatorProcess> {
  const program = startMdw(['operator', '--metrics-address', '127.0.0.1:0', '--reach', 'direct'], {
    KUBECONFIG: plane.kubeconfig,
    OPERATOR_NAMESPACES: namespace,
    POD_NAMESPACE: namespace,
    MIDDLEWARE_IMAGE: IMAGE,
    ...env,
  });
  const [, port] = await program.saw(/"port":(\d+)/);
  const base = `http://127.0.0.1:${port}`;
  const metrics = async (): Promise<Map<string, number>> => {
    const text = await (await fetch(`${base}/metrics`)).text();
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
  };
  const writes = async (): Promise<number> => {
    const isWrite = /^mdw_operator_api_requests_total\{verb="(POST|PATCH|DELETE)"/;
    return [...(await metrics())].reduce((sum, [name, value]) => sum + (isWrite.test(name) ? value : 0), 0);
  };
  const writesWithin = async (seconds: number): Promise<number> => {
    const before = await writes();
    await pause(seconds * 1000);
    return (await writes()) - before;
  };
  return {
    program,
    metrics,
    isReady: async () => (await fetch(`${base}/readyz`)).ok,
    serves: (count) =>
      eventually(async () => expect((await metrics()).get('mdw_operator_resources{phase="Serving"}')).to.equal(count), {
        everyMs: 1_000,
        giveUpMs: 4 * GIVE_UP_MS,
      }).then(() => undefined),
    async writesAtRest(seconds) {
      await eventually(async () => expect(await writesWithin(5)).to.equal(0));
      return writesWithin(seconds);
    },
  };
}

/** What Jobs report of a new database, for operators of whose Jobs the fake database of the scene does not know. */
export const NEW_DATABASE = {
  podAnnotations: { 'sim/message': JSON.stringify({ ok: true, copies: [], serving: [] }) },
};

/** Creates resources `r-0`, `r-1` …, twenty at a time. */
export async function createMany(scene: Scene, count: number): Promise<void> {
  await scene.secret();
  for (let first = 0; first < count; first += 20) {
    const numbers = Array.from({ length: Math.min(20, count - first) }, (_, i) => first + i);
    await Promise.all(
      numbers.map((i) =>
        scene.create(`r-${i}`, {
          database: { secret: { name: 'db' }, schema: `r_${i}` },
          server: { replicas: 1 },
          migration: NEW_DATABASE,
        }),
      ),
    );
  }
}
