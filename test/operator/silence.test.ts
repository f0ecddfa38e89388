import { expect } from 'chai';
import { createKubeClient } from '../../src/operator/kube/client.js';
import type { KubeClient } from '../../src/operator/kube/client.js';
import { startLease } from '../../src/operator/loop/lease.js';
import { silent } from '../support/copy.js';
import { printFigures } from '../support/figures.js';
import { bodyOf, rejection, startServer } from '../support/http-server.js';
import type { TestServer } from '../support/http-server.js';
import { eventually } from '../support/populator.js';
import { startRelay } from '../support/relay.js';
import type { Relay } from '../support/relay.js';

describe('an API server whose connections go silent', () => {
  let server: TestServer;
  let relay: Relay;
  let client: KubeClient;

  before(async () => {
    /** Has one object, a Lease, or none. */
    let stored: { metadata: { resourceVersion?: string } } | undefined;
    let version = 0;
    server = await startServer(async (request, response) => {
      if (request.method !== 'GET') {
        stored = JSON.parse(await bodyOf(request)) as NonNullable<typeof stored>;
        stored.metadata.resourceVersion = String(++version);
      }
      response.writeHead(stored === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(stored ?? { reason: 'NotFound' }));
    });
    relay = await startRelay(server.url);
    client = createKubeClient({
      server: relay.url,
      namespace: 'default',
      credentials: () => Promise.resolve({ headers: {}, tls: {} }),
    });
  });
  after(async () => {
    await client.close();
    await relay.shut();
    await server.close();
  });

  it('cost requests their time limit, and later ones use new connections', async () => {
    const made = { method: 'POST', body: { metadata: {}, spec: {} } } as const;
    await client.request('/anything', made);
    relay.silence('all');
    const fault = await rejection(client.request('/anything', { timeoutMs: 300 }));
    expect(fault.message).to.contain('no answer in time');
    relay.endSilence();
    // A connection that was idle at that moment costs another request the same.
    await eventually(
      () => client.request('/anything', { timeoutMs: 300 }).then(() => 'answered', String),
      (outcome) => outcome === 'answered',
    );
  });

  it('end the term of a holder in time when new ones are silent, too, and it begins again', async () => {
    let gained = 0;
    let lost = 0;
    const timings = { durationSeconds: 2, stopMs: 1_200, retryMs: 200 };
    const lease = startLease({
      client,
      namespace: 'default',
      name: 'operator',
      identity: 'one',
      logger: silent,
      timings,
      onGained: () => void gained++,
      onLost: () => Promise.resolve(void lost++),
    });
    const counts = (): Promise<string> => Promise.resolve(`${gained} ${lost}`);
    await eventually(counts, (text) => text === '1 0');
    relay.silence('all');
    const from = performance.now();
    await eventually(counts, (text) => text === '1 1');
    const ended = performance.now();
    expect(lease.holds()).to.equal(false);
    relay.endSilence();
    await eventually(counts, (text) => text === '2 1');
    printFigures('operator, lease of 1.2 s', { 'given up': ended - from, 'held again': performance.now() - ended });
    await lease.release();
  });
});
