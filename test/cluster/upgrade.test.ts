import { expect } from 'chai';
import type { Operator } from '../../src/operator/loop/operator.js';
import { describeWith } from '../support/kube-tools.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { NEW_PODS, setPolicy } from './support/policy.js';
import { openScene, templateOf } from './support/scene.js';
import type { Deployment, Scene } from './support/scene.js';
import { tampered } from './support/tamper.js';

const NEWER = 'example.test/mdw:2';
const BAD = 'example.test/mdw:3';
const NAMES = ['a', 'b', 'c'];
const TIMINGS = { durationSeconds: 2, stopMs: 1_200, retryMs: 200 };

describeWith(missingPlane, 'a newer operator', () => {
  let scene: Scene;
  /** Upgrades that began although another resource was not ready with the new image. */
  const early: string[] = [];
  let order: string[] = [];
  let acting: Operator;
  let endPolicy: (() => void) | undefined;

  before(async () => {
    scene = await openScene();
    await scene.secret();
    const old = scene.operator();
    for (const name of [...NAMES, 'named', 'manual']) {
      const server = { podAnnotations: { 'sim/ready-after': '500ms' } };
      await scene.create(name, {
        database: { secret: { name: 'db' }, schema: name },
        server,
        ...(name === 'named' && { image: 'mine.test/mdw:7' }),
        ...(name === 'manual' && { upgrade: 'Manual' as const }),
      });
    }
    for (const name of [...NAMES, 'named', 'manual']) await scene.settled(name);
    await old.stop();
  });
  after(async () => {
    endPolicy?.();
    await scene.close();
  });

  const imagesOf = async (name: string): Promise<unknown[]> => {
    const deployments = await scene.list<Deployment>('Deployment', `app.kubernetes.io/instance=${name}`);
    return deployments.map((one) => templateOf(one).containers[0]?.image);
  };
  const pods = async (): Promise<Map<string, string>> =>
    new Map(
      (await scene.list('Pod')).map(({ metadata }) => [
        metadata.uid ?? '',
        metadata.labels?.['app.kubernetes.io/instance'] ?? '',
      ]),
    );
  /** All pods run the image and are ready. */
  const isDone = async (name: string, image: string): Promise<boolean> => {
    const deployments = await scene.list<Deployment>('Deployment', `app.kubernetes.io/instance=${name}`);
    return deployments.every(({ spec, status = {}, metadata }) => {
      const { replicas = 0, updatedReplicas = 0, availableReplicas = 0, observedGeneration } = status;
      const ready = [replicas, updatedReplicas, availableReplicas].every((count) => count === spec.replicas);
      return (
        templateOf({ spec } as Deployment).containers[0]?.image === image &&
        ready &&
        observedGeneration === metadata.generation
      );
    });
  };

  /** An operator of the image. Its first change of each resource is checked. */
  const operate = (image: string, identity: string) =>
    scene.operator({
      defaultImage: image,
      version: image,
      lease: { namespace: scene.namespace, name: 'operator', identity, timings: TIMINGS },
      through: (client) =>
        tampered(client, {
          async before(path, { method, body }) {
            const [, name] = /\/deployments\/(\w+)-/.exec(path) ?? [];
            if (method !== 'PATCH' || name === undefined || order.includes(name)) return;
            if (!JSON.stringify(body).includes(`"image":"${image}"`)) return;
            for (const other of order)
              if (!(await isDone(other, image))) early.push(`${name} before ${other} was ready`);
            order.push(name);
          },
        }),
    });

  it('upgrades one resource after the other, even if it is replaced meanwhile, but none that names an image', async () => {
    const before = await pods();
    const operators = [operate(NEWER, 'one'), operate(NEWER, 'two')];
    // The acting operator is stopped in the middle of the first upgrade.
    await eventually(() => expect(order).to.have.lengthOf(1));
    await operators.find((one) => one.acts())?.stop();
    acting = await eventually(() => {
      const other = operators.find((one) => one.acts());
      if (other === undefined) throw new Error('none acts yet');
      return other;
    });
    for (const name of NAMES) {
      await eventually(async () => expect(await isDone(name, NEWER)).to.equal(true));
      await scene.condition(name, 'Outdated', 'False', 'Current');
    }

    expect(early).to.deep.equal([]);
    expect([...order].sort()).to.deep.equal(NAMES);
    const { message } = await scene.condition('manual', 'Outdated', 'True', 'AwaitingApproval');
    expect(message).to.contain(`chain-middleware.io/accept-upgrade=${NEWER}`);
    await scene.condition('named', 'Outdated', 'False', 'ImageNamed');
    const after = await pods();
    const kept = [...before].filter(([, name]) => name === 'manual' || name === 'named');
    expect(kept.filter(([uid]) => !after.has(uid))).to.deep.equal([]);
    expect(kept).to.have.length.above(5);
  });

  it('upgrades a resource that waits for approval when its annotation names the image', async () => {
    await scene.patch('Middleware', 'manual', {
      metadata: { annotations: { 'chain-middleware.io/accept-upgrade': NEWER } },
    });
    await eventually(async () => expect(await isDone('manual', NEWER)).to.equal(true));
    await scene.condition('manual', 'Outdated', 'False', 'Current');
  });

  it('stops at the first resource that fails, reports that in all others, and rolls back with the previous operator', async () => {
    endPolicy = setPolicy(scene, NEW_PODS, [
      `object.spec.containers.all(c, c.image != '${BAD}' || c.args[0] == 'migrate')`,
    ]);
    // The API server needs a moment to apply a new policy.
    await eventually(() => {
      const args = ['run', 'probe', `--image=${BAD}`, '--dry-run=server', '--', 'x'];
      expect(scene.plane.tryKubectl('-n', scene.namespace, ...args).stderr).to.contain(scene.namespace);
    });
    await acting.stop();
    order = [];
    acting = operate(BAD, 'three');
    const failed = await eventually(async () => {
      const first = order[0] ?? '';
      const { conditions = [] } = await scene.status(first);
      const { message, ...is } = conditions.find(({ type }) => type === 'Outdated')!;
      expect(is).to.include({ status: 'True', reason: 'UpgradeFailed' });
      expect(message).to.contain('the upgrades of all others wait').and.to.contain(`to ${BAD} has failed`);
      return first;
    });
    for (const name of NAMES.filter((one) => one !== failed)) {
      const { message } = await scene.condition(name, 'Outdated', 'True', 'OtherFailed');
      expect(message).to.contain(`${scene.namespace}/${failed}`);
      await scene.condition(name, 'Ready', 'True');
      expect(await imagesOf(name)).to.deep.equal([NEWER, NEWER]);
    }
    await scene.condition(failed, 'Ready', 'True');

    await acting.stop();
    operate(NEWER, 'four');
    for (const name of NAMES) {
      await scene.condition(name, 'Outdated', 'False', 'Current');
      expect(await isDone(name, NEWER)).to.equal(true);
    }
    expect(order).to.deep.equal([failed]);
  });
});
