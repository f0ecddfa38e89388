import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';
import { KubeError } from '../../src/operator/kube/errors.js';
import type { Operator } from '../../src/operator/loop/operator.js';
import { ANNOTATION } from '../../src/operator/names.js';
import { describeWith } from '../support/kube-tools.js';
import { startMdw } from '../support/mdw.js';
import { wrongClock } from '../support/wrong-clock.js';
import { eventually } from './support/eventually.js';
import { NEW_DATABASE } from './support/many.js';
import { missingPlane } from './support/plane.js';
import { IMAGE, openScene } from './support/scene.js';
import type { Deployment, Scene } from './support/scene.js';
import { isWrite, tampered } from './support/tamper.js';

const TEN_MINUTES = 600_000;

describeWith(missingPlane, 'several operators', () => {
  let scene: Scene;

  beforeEach(async () => {
    scene = await openScene();
    await scene.secret();
  });
  afterEach(() => scene.close());

  it('with different leases share no resource: the second names the first, and takes over when that has ended or a person says so', async () => {
    const timings = { durationSeconds: 2, stopMs: 1_200, retryMs: 200 };
    const writes = { one: 0, two: 0 };
    const start = (name: 'one' | 'two'): Operator =>
      scene.operator({
        lease: { namespace: scene.namespace, name, identity: name, timings },
        through: (client) =>
          tampered(client, { before: (path, request) => void (writes[name] += isWrite(path, request) ? 1 : 0) }),
      });
    const mark = (name: string): string => `${scene.namespace}/${name}`;
    const inCharge = (name: string): Promise<unknown> =>
      eventually(async () => expect((await scene.status('a')).operator).to.equal(mark(name)));
    const refused = (by: string, to: string): Promise<unknown> =>
      eventually(async () => {
        const path = `/apis/events.k8s.io/v1/namespaces/${scene.namespace}/events`;
        const { items } = await scene.plane.request<{ items: { reason?: string; note?: string }[] }>(path);
        const notes = items.flatMap(({ reason, note }) => (reason === 'OtherOperator' ? [note] : []));
        expect(notes.join())
          .to.contain(`Operator ${mark(by)} does not touch`)
          .and.to.contain(`operator ${mark(to)} is`);
      });

    const first = start('one');
    await scene.create('a');
    await scene.settled('a');
    await inCharge('one');
    const second = start('two');
    await refused('two', 'one');
    await scene.change('a', { server: { replicas: 3 } });
    await scene.settled('a');
    expect(writes.two).to.equal(0);

    await first.stop();
    await scene.change('a', { server: { replicas: 1 } });
    await inCharge('two');
    await scene.settled('a');

    writes.one = 0;
    const third = start('one');
    await refused('one', 'two');
    expect(writes.one).to.equal(0);
    scene.plane.kubectl('-n', scene.namespace, 'annotate', 'mdw', 'a', `${ANNOTATION.acceptOperator}=${mark('one')}`);
    await inCharge('one');
    await Promise.all([second.stop(), third.stop()]);
  });

  it('never act at the same time, in whatever way they lose the API server', async () => {
    const timings = { durationSeconds: 2, stopMs: 1_200, retryMs: 200 };
    const operators: Operator[] = [];
    const cut = [false, false, false];
    const wrong: string[] = [];
    let writes = 0;
    const check = (): void => {
      const acting = operators.filter((one) => one.acts()).length;
      if (acting > 1) wrong.push(`${acting} act`);
    };
    for (const index of cut.keys()) {
      operators.push(
        scene.operator({
          lease: { namespace: scene.namespace, name: 'operator', identity: `operator-${index}`, timings },
          through: (client) =>
            tampered(client, {
              before(path, request) {
                if (cut[index] === true) throw new KubeError(0, 'Unreachable', 'cut off');
                if (!isWrite(path, request)) return;
                writes++;
                check();
                const others = operators.filter((one, i) => i !== index && one.acts());
                if (others.length > 0) wrong.push(`${index} writes while another acts`);
              },
            }),
        }),
      );
    }
    const looking = setInterval(check, 5);
    await scene.create('a');
    await scene.settled('a');
    let acted = new Set<number>();
    for (let round = 0; round < 6; round++) {
      const acting = await eventually(() => {
        const index = operators.findIndex((one) => one.acts());
        if (index < 0) throw new Error('nobody acts');
        return index;
      });
      acted = acted.add(acting);
      cut[acting] = true;
      await scene.change('a', { server: { replicas: (round % 3) + 1 } });
      await eventually(() => expect(operators.some((one, i) => i !== acting && one.acts())).to.equal(true));
      cut[acting] = false;
      await scene.settled('a');
    }
    for (let round = 0; round < 5; round++) {
      const path = `/apis/coordination.k8s.io/v1/namespaces/${scene.namespace}/leases/operator`;
      await eventually(() => scene.plane.request(path, { method: 'DELETE' }));
      await scene.change('a', { server: { replicas: (round % 3) + 1 } });
      await scene.settled('a');
    }
    clearInterval(looking);

    expect(wrong).to.deep.equal([]);
    expect(acted.size).to.be.greaterThan(1);
    expect(writes).to.be.greaterThan(10);
  });

  const start = (identity: string, clock = 0) =>
    startMdw(['operator', '--identity', identity, '--metrics-address', '127.0.0.1:0'], {
      KUBECONFIG: scene.plane.kubeconfig,
      OPERATOR_NAMESPACES: scene.namespace,
      POD_NAMESPACE: scene.namespace,
      MIDDLEWARE_IMAGE: IMAGE,
      ...wrongClock(clock),
    });
  const replicas = async (): Promise<number | undefined> =>
    (await scene.get<Deployment>('Deployment', 'a-server-blue'))?.spec.replicas;
  /** Time until the operator acts on a change, s. */
  const timeUntilActed = async (wanted: number): Promise<number> => {
    const begun = performance.now();
    await scene.change('a', { server: { replicas: wanted } });
    await eventually(async () => expect(await replicas()).to.equal(wanted));
    return Math.round(performance.now() - begun) / 1000;
  };

  it('replace a killed one and one that shuts down, with any clocks', async () => {
    const first = start('first', -TEN_MINUTES);
    await first.saw(/"Acquired the lease"/);
    const second = start('second', TEN_MINUTES);
    await second.saw(/"Listening"/);
    await scene.create('a', { migration: NEW_DATABASE });
    await scene.settled('a');

    first.process.kill('SIGKILL');
    const crash = await timeUntilActed(3);
    const third = start('third');
    await third.saw(/"Listening"/);
    await pause(1_000);
    second.process.kill('SIGTERM');
    const polite = await timeUntilActed(1);
    console_(`failover: ${crash} s after a kill, ${polite} s after an end`);
    third.process.kill('SIGTERM');
    expect((await second.ended).status).to.equal(0);
    expect((await third.ended).status).to.equal(0);
  });

  it('do not let a suspended one act when it wakes up', async () => {
    const first = start('first');
    await first.saw(/"Acquired the lease"/);
    await scene.create('a', { migration: NEW_DATABASE });
    await scene.settled('a');
    first.process.kill('SIGSTOP');
    const second = start('second');
    await second.saw(/"Acquired the lease"/);
    await timeUntilActed(3);

    first.process.kill('SIGCONT');
    await first.saw(/"Lost the lease"/);
    expect(await replicas()).to.equal(3);
    for (const one of [first, second]) one.process.kill('SIGTERM');
    await Promise.all([first.ended, second.ended]);
  });
});

/** Prints figures for readers of the test run. */
const console_ = (text: string): void => void process.stderr.write(`      ${text}\n`);
