/** The SDK of 2021 as it was published, pointed at the middleware in front of the simulated node. */
import { expect } from 'chai';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { eventually } from '../support/populator.js';
import { startLive } from '../support/service.js';
import type { Service } from '../support/service.js';
import { npmPackages } from './tools.js';

const COIN = 10n ** 18n;
const SDK = '@aeternity/aepp-sdk@8.1.0';

interface Keys {
  publicKey: string;
  secretKey: string;
}

/** What is called here. */
interface Sdk {
  Crypto: { generateKeyPair(): Keys };
  MemoryAccount(options: { keypair: Keys }): unknown;
  Node(options: { url: string; ignoreVersion: boolean }): Promise<unknown>;
  Universal(options: object): Promise<{
    height(): Promise<number>;
    balance(address: string): Promise<string>;
    spend(amount: string, recipient: string): Promise<{ hash: string; blockHeight: number }>;
    api: { getTransactionByHash(hash: string): Promise<{ tx: { recipientId: string } }> };
  }>;
  genSwaggerClient(url: string): Promise<{ api: Record<string, (...args: unknown[]) => Promise<unknown>> }>;
}

describe('the SDK of 2021', function () {
  this.timeout(600_000);
  let sdk: Sdk;
  let keys: Keys;
  let service: Service;

  before(async () => {
    const folder = await npmPackages('sdk-of-2021', [SDK]);
    sdk = createRequire(join(folder, 'package.json'))('@aeternity/aepp-sdk') as Sdk;
    keys = sdk.Crypto.generateKeyPair();
    service = await startLive({
      funds: { [keys.publicKey]: 10_000n * COIN },
      mining: { autostart: true, beneficiary: keys.publicKey, intervalMs: 2_000 },
    });
  });
  after(() => service.close());

  it('connects, reads the height and a balance, and spends', async () => {
    const { url } = service;
    const instance = await sdk.Node({ url, ignoreVersion: true });
    const client = await sdk.Universal({
      nodes: [{ name: 'middleware', instance }],
      accounts: [sdk.MemoryAccount({ keypair: keys })],
      address: keys.publicKey,
      networkId: 'ae_dev',
    });
    expect(await client.height()).to.be.a('number');
    const recipient = sdk.Crypto.generateKeyPair().publicKey;
    const { hash, blockHeight } = await client.spend(String(5n * COIN), recipient);
    expect(blockHeight).to.be.above(0);
    expect(await client.balance(recipient)).to.equal(String(5n * COIN));
    expect((await client.api.getTransactionByHash(hash)).tx.recipientId).to.equal(recipient);

    const { api } = await sdk.genSwaggerClient(`${url}/middleware/api`);
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
