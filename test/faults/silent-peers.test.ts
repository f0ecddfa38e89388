import { expect } from 'chai';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { createCompilerService } from '../../src/compiler/service.js';
import { watchEvents } from '../../src/events/watch.js';
import { createKubeClient } from '../../src/operator/kube/client.js';
import { POD } from '../../src/operator/kube/kinds.js';
import { startWatch } from '../../src/operator/observe/watch.js';
import { createStore } from '../../src/operator/observe/store.js';
import { fakeNode, testApi } from '../support/api.js';
import { silent } from '../support/copy.js';
import { createWorld } from '../support/events.js';
import type { World } from '../support/events.js';
import { printFigures } from '../support/figures.js';
import { rejection, reply, startServer } from '../support/http-server.js';
import { eventually } from '../support/populator.js';
import { startRelay } from '../support/relay.js';
import { emptyDatabase } from '../support/seed.js';

/** Closes what a test opened, the last first. */
const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

describe('a node to which requests are forwarded, gone silent', () => {
  it('in the middle of an answer, costs only that one, at most the time limit', async () => {
    const seeded = await emptyDatabase();
    opened.push(() => seeded.drop());
    const node = await fakeNode((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '8' });
      if (request.url === '/v3/whole') response.end('"answer"');
      else response.write('"ans');
    });
    opened.push(() => node.close());
    const api = await testApi(seeded.database, { nodeUrls: [node.url], forwardTimeoutMs: 500 });
    opened.push(() => api.close());
    const from = performance.now();
    await Promise.all(Array.from({ length: 20 }, () => rejection(api.get('/v3/half'))));
    printFigures('server to a node, in the middle of an answer, limit 0.5 s', { 'given up': performance.now() - from });
    expect((await api.get('/v3/whole')).status).to.equal(200);
  });

  it('between two requests, is reached on new connections', async () => {
    const seeded = await emptyDatabase();
    opened.push(() => seeded.drop());
    const node = await fakeNode((_, response) => reply(response, 200, '{}'));
    opened.push(() => node.close());
    const relay = await startRelay(node.url);
    opened.push(() => relay.shut());
    const api = await testApi(seeded.database, { nodeUrls: [relay.url], forwardTimeoutMs: 500 });
    opened.push(() => api.close());
    const statuses = (count: number): Promise<number[]> =>
      Promise.all(Array.from({ length: count }, () => api.get('/v3/any').then(({ status }) => status)));
    await statuses(10);
    relay.silence();
    const from = performance.now();
    expect(await statuses(10)).to.satisfy((all: number[]) => all.every((status) => status === 200 || status === 504));
    const given = performance.now();
    await eventually(
      () => statuses(10),
      (all) => all.every((status) => status === 200),
    );
    printFigures('server to a node, between two requests, limit 0.5 s', {
      'given up': given - from,
      answered: performance.now() - from,
    });
  });
});

describe('a compiler gone silent', () => {
  const call = (name: string): string => `{"function":"${name}","arguments":[]}`;

  it('costs a request its time limit; then the next one is asked, and it is asked again', async () => {
    const [first, second] = [
      await startServer((_, response) => reply(response, 200, call('first'))),
      await startServer((_, response) => reply(response, 200, call('second'))),
    ];
    const relay = await startRelay(first.url);
    const service = createCompilerService({ urls: [relay.url, second.url], timeoutMs: 500 });
    opened.push(
      first.close,
      second.close,
      () => relay.shut(),
      () => service.close(),
    );
    const decode = (): Promise<unknown> =>
      service.decodeCall('cb_code', 'cb_call', 'fate').then((decoded) => decoded?.['function']);
    expect(await decode()).to.equal('first');
    relay.silence('all');
    const from = performance.now();
    expect(await decode()).to.equal('second');
    const other = performance.now();
    relay.endSilence();
    await eventually(decode, (name) => name === 'first');
    printFigures('server to a compiler, limit 0.5 s', {
      'next one': other - from,
      'used again': performance.now() - from,
    });
  });

  it('in the middle of an answer, is given up', async () => {
    const half = await startServer(
      (_, response) => void response.writeHead(200, { 'content-length': '99' }).write('{'),
    );
    const service = createCompilerService({ urls: [half.url], timeoutMs: 300 });
    opened.push(half.close, () => service.close());
    const fault = await rejection(service.decodeCall('cb_code', 'cb_call', 'fate'));
    expect(fault.code).to.equal('compiler_timeout');
  });
});

describe('an API server gone silent while a kind is watched', () => {
  it('is watched on a new connection, and what changed meanwhile is known', async () => {
    const pods: object[] = [];
    const server = await startServer(({ url }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      if (url?.includes('watch=true') !== true) {
        response.end(JSON.stringify({ metadata: { resourceVersion: String(pods.length) }, items: pods }));
        return;
      }
      const version = Number(new URL(url, 'http://localhost').searchParams.get('resourceVersion'));
      response.flushHeaders();
      for (const object of pods.slice(version)) response.write(`${JSON.stringify({ type: 'ADDED', object })}\n`);
    });
    const relay = await startRelay(server.url);
    const client = createKubeClient({
      server: relay.url,
      namespace: 'default',
      credentials: () => Promise.resolve({ headers: {}, tls: {} }),
    });
    opened.push(
      server.close,
      () => relay.shut(),
      () => client.close(),
    );
    const known: string[] = [];
    const store = createStore((_, after) => void known.push(after?.metadata.name ?? ''));
    const watch = startWatch({
      client,
      kind: POD,
      namespace: 'default',
      store,
      trim: (object) => object,
      logger: silent,
      timings: { watchSeconds: 1, graceMs: 500, pauseMs: 50 },
    });
    opened.push(() => watch.stop());
    await eventually(
      () => Promise.resolve(server.requests),
      (requests) => requests.some((line) => line.includes('watch=true')),
    );
    relay.silence();
    const from = performance.now();
    pods.push({ metadata: { name: 'new', namespace: 'default', uid: 'u', resourceVersion: '1' } });
    await eventually(
      () => Promise.resolve(known),
      (names) => names.includes('new'),
    );
    printFigures('operator, a watch of 1 to 1.25 s and 0.5 s', { 'change known': performance.now() - from });
  });
});

describe('a client of events gone silent', () => {
  let world: World;
  before(async () => {
    world = await createWorld({ seed: 'silent clients', generations: 2 });
  });
  after(() => world.close());

  it('is disconnected when it answers no ping', async () => {
    const server = await world.serve({ pingMs: 500 });
    const relay = await startRelay(server.ws.replace('ws:', 'http:'));
    opened.push(() => relay.shut());
    const gone = new WebSocket(relay.url.replace('http:', 'ws:'));
    const other = new WebSocket(server.ws);
    opened.push(
      () => gone.terminate(),
      () => other.terminate(),
    );
    await Promise.all([once(gone, 'open'), once(other, 'open')]);
    const connections = async (): Promise<number> => {
      const { values } = await server.metrics.registry.getSingleMetric('mdw_websocket_connections')!.get();
      return values.reduce((sum, { value }) => sum + Number(value), 0);
    };
    await eventually(connections, (count) => count === 2);
    relay.silence();
    const from = performance.now();
    await eventually(connections, (count) => count === 1);
    printFigures('server to a websocket, ping every 0.5 s', { disconnected: performance.now() - from });
    expect(other.readyState).to.equal(WebSocket.OPEN);
  });

  describe('mdw watch', () => {
    const following = (urls: string[]) => {
      const ending = new AbortController();
      const notices: string[] = [];
      const done = watchEvents({
        urls,
        subscriptions: ['key_blocks'],
        onFrame: () => undefined,
        onNotice: (notice) => void notices.push(notice),
        signal: ending.signal,
      });
      return { ending, notices, done };
    };

    it('asks the next service when one accepts the connection and says nothing', async () => {
      const server = await world.serve();
      const relay = await startRelay(server.ws.replace('ws:', 'http:'));
      opened.push(() => relay.shut());
      relay.silence('all');
      const from = performance.now();
      const { ending, done } = following([relay.url.replace('http:', 'ws:'), server.ws]);
      await eventually(
        () => server.metrics.registry.getSingleMetric('mdw_websocket_subscriptions')!.get(),
        ({ values }) => (values[0]?.value ?? 0) > 0,
      );
      printFigures('mdw watch to a service', { 'subscribed at the next one': performance.now() - from });
      ending.abort();
      await done;
    });

    it('ends at once although the service is silent', async () => {
      const server = await world.serve();
      const relay = await startRelay(server.ws.replace('ws:', 'http:'));
      opened.push(() => relay.shut());
      const { ending, done } = following([relay.url.replace('http:', 'ws:')]);
      await eventually(
        () => server.metrics.registry.getSingleMetric('mdw_websocket_subscriptions')!.get(),
        ({ values }) => (values[0]?.value ?? 0) > 0,
      );
      relay.silence();
      const from = performance.now();
      ending.abort();
      await done;
      printFigures('mdw watch, after SIGINT', { ended: performance.now() - from });
    });
  });
});
