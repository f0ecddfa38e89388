import { expect } from 'chai';
import { KubeError } from '../../src/operator/kube/errors.js';
import { describeWith } from '../support/kube-tools.js';
import { skipFor } from '../support/skip.js';
import { eventually } from './support/eventually.js';
import { missingPlane, usePlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { Deployment, Scene } from './support/scene.js';
import { isWrite, tampered } from './support/tamper.js';
import type { Tampering } from './support/tamper.js';

const QUICK = { watchSeconds: 1, graceMs: 300, pauseMs: 50, longestPauseMs: 500 };

describeWith(missingPlane, 'an operator whose API server', () => {
  let scene: Scene;

  beforeEach(async () => {
    scene = await openScene();
    await scene.secret();
  });
  afterEach(() => scene.close());

  const operate = (tampering: Tampering) =>
    scene.operator({ watchTimings: QUICK, through: (client) => tampered(client, tampering) });

  /** Creates, changes and damages a resource; it must reach the wanted state. */
  const mustWork = async (): Promise<void> => {
    await scene.create('a');
    await scene.settled('a');
    await scene.change('a', { image: 'example.test/mdw:2', server: { replicas: 3 } });
    await eventually(async () => {
      const status = await scene.settled('a');
      expect(status).to.include({ image: 'example.test/mdw:2', servers: '3/3' });
    });
    await scene.remove('Service', 'a');
    await eventually(async () => expect(await scene.get('Service', 'a')).to.not.equal(undefined));
  };

  it('answers every third request with 429, 500 or nothing reaches the same state', async () => {
    let requests = 0;
    let faults = 0;
    operate({
      before(path) {
        if (path.includes('/leases') || ++requests % 3 !== 0) return;
        const [status, reason] = [
          [429, 'TooManyRequests'],
          [500, 'InternalError'],
          [0, 'Unreachable'],
        ][++faults % 3] as [number, string];
        throw new KubeError(status, reason, 'tampered', status === 429 ? 1 : undefined);
      },
    });
    await mustWork();
    expect(faults).to.be.greaterThan(10);
  });

  it('refuses each write once with a conflict retries the writes', async () => {
    const refused = new Set<string>();
    operate({
      before(path, request) {
        const key = `${request.method} ${path}`;
        if (!isWrite(path, request) || refused.has(key)) return;
        refused.add(key);
        throw new KubeError(409, 'Conflict', 'tampered');
      },
    });
    await mustWork();
    expect(refused.size).to.be.greaterThan(8);
  });

  it('executes writes without answering reaches the same state', async () => {
    const lost = new Set<string>();
    operate({
      after(path, request) {
        const key = `${request.method} ${path}`;
        if (!isWrite(path, request) || lost.has(key)) return;
        lost.add(key);
        throw new KubeError(0, 'Unreachable', 'the answer was lost');
      },
    });
    await mustWork();
    expect(lost.size).to.be.greaterThan(8);
  });

  it('no longer has the version from which a watch starts (410) lists everything again', async () => {
    let gone = 0;
    operate({
      line(path, line) {
        if (!path.includes('/deployments') && !path.includes('/middlewares')) return [line];
        if (++gone % 4 !== 0) return [line];
        return [
          JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'old' } }),
        ];
      },
    });
    await mustWork();
    expect(gone).to.be.greaterThan(4);
  });

  it('sends events twice, and old ones late, reaches the right state', async () => {
    const before = new Map<string, string>();
    operate({
      line(path, line) {
        const { object } = JSON.parse(line) as { object: { metadata: { name?: string } } };
        const key = `${path} ${object.metadata.name}`;
        const old = before.get(key);
        before.set(key, line);
        return old === undefined ? [line, line] : [line, old, line, old];
      },
    });
    await mustWork();
  });

  it('leaves all watches open but silent notices that', async () => {
    let silent = false;
    operate({ silent: () => silent });
    await scene.create('a');
    await scene.settled('a');
    silent = true;
    await scene.change('a', { server: { replicas: 1 } });
    setTimeout(() => (silent = false), 2_000);

    await eventually(async () => expect((await scene.settled('a')).servers).to.equal('1/1'));
  });

  it('is stopped and started again reconnects, and handles everything that happened meanwhile', async function () {
    const { apiServer } = await usePlane();
    if (apiServer === undefined) skipFor('the API server of this cluster is not ours to end', this);
    const operator = scene.operator({ watchTimings: { ...QUICK, watchSeconds: 20 } });
    await scene.create('a');
    await scene.settled('a');

    await apiServer.stop();
    apiServer.start();
    await eventually(() => scene.change('a', { server: { replicas: 3 } }));
    await eventually(async () => {
      expect((await scene.get<Deployment>('Deployment', 'a-server-blue'))?.spec.replicas).to.equal(3);
    });
    await scene.settled('a');
    expect(operator.ready()).to.equal(true);
  });
});
