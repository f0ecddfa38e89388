import { expect } from 'chai';
import { KubeError } from '../../src/operator/kube/errors.js';
import type { KubeClient } from '../../src/operator/kube/client.js';
import { startLease } from '../../src/operator/loop/lease.js';
import type { KubeObject } from '../../src/operator/types.js';
import { silent } from '../support/copy.js';
import { eventually } from '../support/populator.js';

const timings = { durationSeconds: 1, stopMs: 600, retryMs: 50 };

/** An API server that stores one lease. */
function createServer() {
  let stored: KubeObject | undefined;
  let version = 0;
  const store = (body: KubeObject): KubeObject =>
    (stored = { ...body, metadata: { ...body.metadata, resourceVersion: String(++version) } });
  const answer = (method: string, body?: KubeObject): KubeObject => {
    if (method === 'POST') {
      if (stored !== undefined) throw new KubeError(409, 'AlreadyExists', 'it is there');
      return store(body!);
    }
    if (stored === undefined) throw new KubeError(404, 'NotFound', 'it is not there');
    if (method === 'GET') return stored;
    if (body!.metadata.resourceVersion !== stored.metadata.resourceVersion)
      throw new KubeError(409, 'Conflict', 'it is another one');
    return store(body!);
  };
  return {
    remove: () => void (stored = undefined),
    /** `before` is called with the method of each request, and may refuse it. */
    client: (before: (method: string) => void): KubeClient =>
      ({
        request: (_path: string, { method = 'GET', body }: { method?: string; body?: KubeObject } = {}) =>
          Promise.resolve(method)
            .then(before)
            .then(() => answer(method, body)),
      }) as unknown as KubeClient,
  };
}

describe('the lease of the operator', () => {
  it('that is deleted repeatedly lets no other process act beside its holder, although that process missed a re-creation', async () => {
    const server = createServer();
    let together = 0;
    let gained = 0;
    const start = (identity: string, before: (method: string) => void, onGained: () => void) =>
      startLease({
        client: server.client(before),
        namespace: 'n',
        name: 'operator',
        identity,
        logger: silent,
        timings,
        onGained,
        onLost: () => Promise.resolve(),
      });
    const nothing = (): void => undefined;
    const holder = start('holder', nothing, nothing);
    await eventually(() => Promise.resolve(holder.holds()), Boolean);
    let looks = 0;
    let again = Infinity;
    /** The lease exists at the first read. It is deleted before the second read and, one duration later, before the next that succeeds. */
    const look = (method: string): void => {
      if (method !== 'GET') return;
      looks++;
      if (looks === 2) {
        server.remove();
        again = performance.now() + timings.durationSeconds * 1000 + 100;
      } else if (performance.now() > again) {
        server.remove();
        again = Infinity;
      } else if (again < Infinity) throw new KubeError(0, 'Unreachable', 'cut off');
    };
    const other = start('other', look, () => {
      gained++;
      if (holder.holds()) together++;
    });
    await eventually(() => Promise.resolve(other.holds()), Boolean);
    await other.release();
    await holder.release();

    expect({ together, gained }).to.deep.equal({ together: 0, gained: 1 });
  });
});
