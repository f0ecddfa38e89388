import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { KubeError } from '../../src/operator/kube/errors.js';
import { describeWith } from '../support/kube-tools.js';
import { missingPlane } from './support/plane.js';
import { URL, openScene } from './support/scene.js';
import type { KubeObject, Scene } from './support/scene.js';
import { eventually } from './support/eventually.js';
import { isWrite, tampered } from './support/tamper.js';

/** Of the writes of a procedure, one in this many is the last one of an operator. */
const EVERY_WRITE = Number(process.env.EVERY_WRITE ?? 1);

const LEASE = { durationSeconds: 1, stopMs: 700, retryMs: 100 };
const KINDS = [
  ...['ServiceAccount', 'ConfigMap', 'Service', 'Deployment', 'Ingress', 'NetworkPolicy'],
  ...['PodDisruptionBudget', 'HorizontalPodAutoscaler'],
];

/** The changes of users, one after the other. */
const PROCEDURES: [string, (scene: Scene) => Promise<void>][] = [
  ['make a resource', (scene) => scene.create('a', { networkPolicy: { enabled: true } })],
  ['give it another image', (scene) => scene.change('a', { image: 'example.test/mdw:2' })],
  [
    'give it another shape',
    (scene) =>
      scene.change('a', {
        server: { autoscaling: { minReplicas: 3, maxReplicas: 4 } },
        ingress: { host: 'a.example' },
        networkPolicy: { enabled: false },
      }),
  ],
  ['change the password', (scene) => scene.secret('db', URL.replace('secret', 'rotated'))],
];

/** An operator that dies with the given write: the write is executed, and nothing after it. */
function dying(scene: Scene, at: number) {
  let writes = 0;
  const isDead = (): boolean => writes >= at;
  const operator = scene.operator({
    lease: { namespace: scene.namespace, name: 'operator', identity: `dies-at-${at}-${Math.random()}`, timings: LEASE },
    through: (client) =>
      tampered(client, {
        before() {
          if (isDead()) throw new KubeError(0, 'Dead', 'this operator is dead');
        },
        after(path, request) {
          if (isWrite(path, request)) writes++;
          if (isDead()) throw new KubeError(0, 'Dead', 'this operator is dead');
        },
      }),
  });
  return { operator, isDead };
}

const living = (scene: Scene) =>
  scene.operator({
    lease: { namespace: scene.namespace, name: 'operator', identity: `lives-${Math.random()}`, timings: LEASE },
  });

/** All children, without fields that depend on the API server or the time. */
async function portrait(scene: Scene): Promise<string[]> {
  const objects = await Promise.all(KINDS.map((kind) => scene.list(kind, 'app.kubernetes.io/instance=a')));
  const jobs = await scene.list('Job', 'app.kubernetes.io/instance=a');
  const { uid, resourceVersion } = (await scene.get('Secret', 'db'))!.metadata;
  // The Secret has other versions in each namespace, and names of Jobs a hash of one.
  const lasting = (text: string): string =>
    text
      .replaceAll(`${uid}/${resourceVersion}`, 'the newest version')
      .replaceAll(/[0-9a-f-]{36}\/\d+/g, 'an older version');
  return [...objects.flat().map(drawn), ...jobs.map(drawnJob)].map(lasting).sort();
}

function drawnJob({ metadata, spec }: KubeObject): string {
  const { template } = spec as { template: { metadata: { annotations?: object }; spec: { containers: object[] } } };
  const of = [metadata.name.replace(/-[0-9a-f]{10}$/, ''), template.metadata.annotations, template.spec.containers];
  return inspect(of, { depth: Infinity, breakLength: Infinity, sorted: true });
}

function drawn({ metadata, spec, ...rest }: KubeObject): string {
  const { clusterIP: _ip, clusterIPs: _ips, ...lasting } = (spec ?? {}) as Record<string, unknown>;
  const annotations = { ...metadata.annotations };
  delete annotations['deployment.kubernetes.io/revision'];
  // The hash of the applied object includes the owner, which differs in each namespace.
  delete annotations['chain-middleware.io/applied'];
  // Nor can hashes of templates be compared, which contain the version of the Secret. The template itself is compared.
  delete annotations['chain-middleware.io/template'];
  return inspect(
    { name: metadata.name, labels: metadata.labels, annotations, spec: lasting, data: rest['data'] },
    { depth: Infinity, breakLength: Infinity, sorted: true },
  );
}

describeWith(missingPlane, 'an operator that dies', function () {
  this.timeout(1_200_000);

  /** The state after each procedure without a crash. */
  const wanted: string[][] = [];
  before(async () => {
    const scene = await openScene();
    await scene.secret();
    living(scene);
    for (const [, act] of PROCEDURES) {
      await act(scene);
      // For a moment the resource still has the settled state from before.
      wanted.push(
        await eventually(async () => {
          const now = await settledPortrait(scene);
          expect(now).to.not.deep.equal(wanted.at(-1));
          await pause(1_000);
          return settledPortrait(scene, now);
        }),
      );
    }
    await scene.close();
  });

  async function settledPortrait(scene: Scene, like?: string[]): Promise<string[]> {
    await scene.settledNow('a');
    const now = await portrait(scene);
    if (like !== undefined) expect(now).to.deep.equal(like);
    return now;
  }

  it('after any of its writes, in any procedure, is replaced by one that reaches the same state', async () => {
    const died = PROCEDURES.map(() => 0);
    /** Whether some procedure had a write with this number. */
    const tryAt = async (at: number): Promise<boolean> => {
      const scene = await openScene();
      await scene.secret();
      let some = false;
      for (const [index, [name, act]] of PROCEDURES.entries()) {
        const { operator, isDead } = dying(scene, at);
        await eventually(() => expect(operator.acts()).to.equal(true));
        await act(scene);
        await eventually(async () => {
          if (!isDead()) await settledPortrait(scene, wanted[index]);
        });
        if (isDead()) {
          died[index] = Math.max(died[index] ?? 0, at);
          some = true;
        }
        await operator.stop();
        const next = living(scene);
        try {
          await eventually(() => settledPortrait(scene, wanted[index]));
        } catch (cause) {
          throw new Error(`${name}, dead after write ${at}: ${(cause as Error).message}`, { cause });
        }
        await next.stop();
      }
      await scene.close();
      return some;
    };
    for (let at = 1, goesOn = true; goesOn; at += 4 * EVERY_WRITE) {
      goesOn = (await Promise.all([0, 1, 2, 3].map((i) => tryAt(at + i * EVERY_WRITE)))).some(Boolean);
    }
    process.stderr.write(
      `      died after one in ${EVERY_WRITE} of the first ${died.join(', ')} writes of the procedures\n`,
    );
    for (const count of died) expect(count).to.be.greaterThan(EVERY_WRITE === 1 ? 3 : 0);
  });
});
