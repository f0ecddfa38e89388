import { expect } from 'chai';
import nock from 'nock';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createKubeClient } from '../../src/operator/kube/client.js';
import { createProber, reachByProxy, reachDirectly } from '../../src/operator/observe/prober.js';
import type { Prober } from '../../src/operator/observe/prober.js';
import { LABEL } from '../../src/operator/names.js';
import type { KubeCondition, Pod } from '../../src/operator/types.js';

// nock replaces the network functions when it is loaded, which must not affect other suites.
nock.restore();

const LABELS = { 'app.kubernetes.io/instance': 'sample', 'app.kubernetes.io/component': 'server' };

/** Answers of pods at addresses, and with faults, that a test cannot produce with a real pod. */
describe('probing the health of pods', () => {
  let prober: Prober | undefined;
  before(() => {
    nock.activate();
    nock.disableNetConnect();
  });
  afterEach(async () => {
    await prober?.stop();
    nock.cleanAll();
  });
  after(() => {
    nock.enableNetConnect();
    nock.restore();
  });

  const podAt = (podIP: string, conditions: KubeCondition[]) =>
    ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'one', namespace: 'test', uid: 'u', labels: LABELS },
      status: { phase: 'Running', podIP, conditions },
    }) satisfies Pod;
  const cacheOf = (pod: Pod) =>
    ({ pods: { all: () => [pod], of: () => [pod] } }) as unknown as Parameters<typeof createProber>[0]['cache'];

  /** Probes one pod until its known health has changed `times` times; returns the health after each change. */
  async function healthAfter(times: number, podIP = '10.0.0.7', conditions: KubeCondition[] = []) {
    const cache = cacheOf(podAt(podIP, conditions));
    const seen: unknown[] = [];
    await new Promise<void>((resolve) => {
      prober = createProber({
        cache,
        reach: reachDirectly,
        everyMs: 1,
        onChange(namespace, instance) {
          seen.push(prober!.healthOf(namespace, instance).get('one'));
          if (seen.length === times) resolve();
        },
      });
      prober.start();
    });
    return seen as ({ ready: boolean; height?: number } | undefined)[];
  }

  const READY = { ready: true, height: 42 };
  const cutOff = (bytes: number): Readable => {
    const whole = JSON.stringify(READY);
    return Readable.from(
      (function* () {
        yield whole.slice(0, bytes);
        throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      })(),
    );
  };

  it('uses the last answer of a pod while two probes fail, and drops it at the third', async () => {
    const at = nock('http://10.0.0.7:9090');
    at.get('/readyz').reply(200, READY);
    for (const bytes of [1, 12]) at.get('/readyz').reply(200, () => cutOff(bytes));
    at.get('/readyz').reply(200, { ready: true, height: 43 });
    for (const bytes of [1, 12, JSON.stringify(READY).length]) at.get('/readyz').reply(200, () => cutOff(bytes));
    at.get('/readyz').reply(200, { ready: true, height: 44 });

    const [first, second, silent, again] = await healthAfter(4);

    expect(first).to.include(READY);
    expect(second).to.include({ height: 43 });
    expect(silent).to.equal(undefined);
    expect(again).to.include({ height: 44 });
  });

  for (const [what, said, stays] of [
    ['that it was well, when the kubelet does not find it so any more', READY, false],
    ['what was wrong, while the kubelet does not find it well either', { ready: false, reason: 'no database' }, true],
  ] as const) {
    it(`${stays ? 'keeps' : 'drops'} at the first failed probe ${what}`, async () => {
      const at = nock('http://10.0.0.7:9090');
      at.get('/readyz').reply(200, said);
      at.get('/readyz').reply(200, () => cutOff(1));
      at.get('/readyz').reply(200, { ready: true, height: 43 });

      const [first, second] = await healthAfter(2, '10.0.0.7', [{ type: 'Ready', status: 'False' }]);

      expect(first).to.include(said);
      if (stays) expect(second).to.include({ height: 43 });
      else expect(second).to.equal(undefined);
    });
  }

  it('probes at once, even in the longest pause, when the kubelet reports another readiness', async () => {
    const at = nock('http://10.0.0.7:9090');
    at.get('/readyz').reply(503, { ready: false, reason: 'waits for the node' });
    at.get('/readyz').reply(200, READY);
    const pod = podAt('10.0.0.7', [{ type: 'Ready', status: 'False' }]);

    await new Promise<void>((resolve) => {
      prober = createProber({
        cache: cacheOf(pod),
        reach: reachDirectly,
        everyMs: 3_600_000,
        onChange: () => {
          pod.status.conditions = [{ type: 'Ready', status: 'True' }];
          if (prober!.healthOf('test', 'sample').get('one')?.ready === true) resolve();
        },
      });
      prober.start();
    });
  });

  it('goes on with the pods of other resources while all pods of one do not answer', async () => {
    const named = (name: string, instance: string) => {
      const pod = podAt('10.0.0.7', []);
      return {
        ...pod,
        metadata: { ...pod.metadata, name, uid: name, labels: { ...LABELS, [LABEL.instance]: instance } },
      };
    };
    const silent = Array.from({ length: 100 }, (_, i) => named(`silent-${i}`, 'silent'));
    const pods = [...silent, named('honest', 'honest')];
    const open = new Set<() => void>();
    let probes = 0;
    const isProbed = new Promise<void>((resolve) => {
      prober = createProber({
        cache: { pods: { all: () => pods, of: () => [] } } as unknown as Parameters<typeof createProber>[0]['cache'],
        reach: ({ metadata }) =>
          new Promise((answer, fail) => {
            if (metadata.name !== 'honest') return void open.add(() => fail(new Error('no answer')));
            answer({ status: 200, body: JSON.stringify(READY) });
            if ((probes += 1) === 3) resolve();
          }),
        everyMs: 1,
        onChange: () => undefined,
      });
      prober.start();
    });
    await isProbed;
    expect(open.size).to.be.within(1, 8);
    const stopping = prober!.stop();
    for (const end of open) end();
    await stopping;
    expect(open.size, 'probes that begin after the end').to.be.within(1, 8);
  });

  it('accepts a 503 with its reason, but not the page of a proxy', async () => {
    const at = nock('http://10.0.0.7:9090');
    at.get('/readyz').reply(503, { ready: false, reason: 'waits for the node', code: 'node_unreachable' });
    at.get('/readyz').times(3).reply(502, '<html>Bad Gateway</html>');
    at.get('/readyz').reply(200, READY);

    const [refusal, page] = await healthAfter(3);

    expect(refusal).to.include({ ready: false, reason: 'waits for the node', code: 'node_unreachable' });
    expect(page).to.equal(undefined);
  });

  it('reads at most 16 kB of an answer that does not end', async () => {
    const endless = (function* () {
      for (let i = 0; i < 1_000; i++) yield 'x'.repeat(1_024);
    })();
    nock('http://10.0.0.7:9090')
      .get('/readyz')
      .reply(200, () => Readable.from(endless));

    const refused = await reachDirectly(podAt('10.0.0.7', []), '/readyz').catch((error: unknown) => error);

    expect(refused).to.have.property('message', 'more than 16384 bytes');
  });

  it('does not follow a pod that points elsewhere', async () => {
    const elsewhere = nock('http://10.0.0.8:9090').get('/secret').reply(200, READY);
    nock('http://10.0.0.7:9090').get('/readyz').reply(302, '', { location: 'http://10.0.0.8:9090/secret' });
    const refused = await reachDirectly(podAt('10.0.0.7', []), '/readyz').catch((error: unknown) => error);

    expect(refused).to.be.an('error');
    expect(elsewhere.isDone()).to.equal(false);
  });

  it('cuts what a pod says', async () => {
    const long = 'x'.repeat(3_000);
    const said = { ready: false, reason: long, code: long, node_state: long };
    nock('http://10.0.0.7:9090')
      .get('/readyz')
      .reply(503, { ...said, held_reorg: { hash: long, height: 1, depth: 1 } });

    const [health] = await healthAfter(1);

    expect(JSON.stringify(health)).to.have.length.below(3_000);
  });

  it('reaches a pod by an IPv6 address', async () => {
    nock('http://[fd00::7]:9090').get('/readyz').reply(200, READY);

    expect((await healthAfter(1, 'fd00::7'))[0]).to.include(READY);
  });
});

describe('probing through the proxy of the API server', () => {
  it('reads at most 16 kB of an answer that does not end', async () => {
    let closed = (): void => undefined;
    const disconnected = new Promise<void>((resolve) => (closed = resolve));
    const server = createServer((_, response) => {
      response.once('close', closed);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = createKubeClient({
      server: url,
      credentials: () => Promise.resolve({ headers: {}, tls: {} }),
    } as never);
    const pod = { metadata: { name: 'one', namespace: 'test' } } as Pod;

    const refused = await reachByProxy(client)(pod, '/readyz').catch((error: unknown) => error);

    await disconnected;
    expect(refused).to.have.property('message', 'Kubernetes API: more than 16384 bytes');
    await client.close();
    server.close();
  });
});
