import { expect } from 'chai';
import type { KubeClient, KubeRequest } from '../../src/operator/kube/client.js';
import { KubeError } from '../../src/operator/kube/errors.js';
import { retryingOnce } from '../../src/operator/kube/retry.js';

describe('A client that retries once', () => {
  const answering = (...answers: (KubeError | string)[]): { client: KubeClient; asked: () => number } => {
    let asked = 0;
    const client: KubeClient = {
      request<T>() {
        const answer = answers[asked++]!;
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as T);
      },
      lines: () => {
        throw new Error('not asked for');
      },
      close: () => Promise.resolve(),
    };
    return { client: retryingOnce(client), asked: () => asked };
  };
  const error = (status: number, retryAfter?: number): KubeError => new KubeError(status, 'X', 'no', retryAfter);

  for (const first of [error(0), error(500), error(503), error(429, 0)]) {
    it(`retries after ${first.status === 0 ? 'no answer' : first.status}`, async () => {
      const { client, asked } = answering(first, 'well');
      expect(await client.request('/x')).to.equal('well');
      expect(asked()).to.equal(2);
    });
  }

  const once: [string, KubeError, KubeRequest][] = [
    ['a refusal', error(403), {}],
    ['a conflict', error(409), {}],
    ['"too many requests" without a time', error(429), {}],
    ['"too many requests" for a long time', error(429, 30), {}],
    ['a POST, which may have been executed', error(0), { method: 'POST' }],
    ['an end from outside', error(0), { signal: AbortSignal.abort() }],
  ];
  for (const [what, first, request] of once) {
    it(`does not retry after ${what}`, async () => {
      const { client, asked } = answering(first, 'well');
      expect(await client.request('/x', request).catch((fault: unknown) => fault)).to.equal(first);
      expect(asked()).to.equal(1);
    });
  }

  it('reports the second failure', async () => {
    const second = error(500);
    const { client, asked } = answering(error(0), second, 'well');
    expect(await client.request('/x').catch((fault: unknown) => fault)).to.equal(second);
    expect(asked()).to.equal(2);
  });
});
