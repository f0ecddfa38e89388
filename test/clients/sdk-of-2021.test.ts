/** The SDK of 2021, unmodified, with a middleware of the simulated node as its node. */
import { expect } from 'chai';
import { eventually } from '../support/populator.js';
import { startPublished } from './published-sdk.js';
import type { Published } from './published-sdk.js';

/** The part of the SDK that only this test uses. */
interface Sdk {
  genSwaggerClient(url: string): Promise<{ api: Record<string, (...args: unknown[]) => Promise<unknown>> }>;
}

describe('the SDK of 2021', () => {
  let published: Published<Sdk>;

  before(async () => {
    published = await startPublished('sdk-of-2021', '8.1.0');
  });
  after(() => published.service.close());

  it('connects, reads the height and a balance, and spends', async () => {
    const { sdk, service } = published;
    const { hash, recipient } = await published.spends({ url: service.url, ignoreVersion: true });

    const { api } = await sdk.genSwaggerClient(`${service.url}/middleware/api`);
    const list = await eventually(
      () => api['getTxByAccount']!(recipient) as Promise<{ hash: string; tx: { recipientId: string } }[]>,
      (found) => found.length > 0,
    );
    expect(list.map((one) => [one.hash, one.tx.recipientId])).to.deep.equal([[hash, recipient]]);
    expect(await api['getTxCountByAddress']!(recipient)).to.deep.equal({ count: 1 });
    expect(await api['getTxByAccount']!(recipient, { limit: 1, page: 2 })).to.deep.equal([]);
    expect(await api['getMdwStatus']!()).to.include({ OK: true });
  });
});
