/** Starts an earlier SDK, unmodified, with a middleware as its node. The chain has an account with coins. */
import { expect } from 'chai';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { startLive } from '../support/service.js';
import type { Service } from '../support/service.js';
import { npmPackages } from './tools.js';

const COIN = 10n ** 18n;

interface Keys {
  publicKey: string;
  secretKey: string;
}

/** The parts of the SDKs that the tests use. */
interface Sdk {
  Crypto: { generateKeyPair(): Keys };
  MemoryAccount(options: { keypair: Keys }): unknown;
  Node(options: object): Promise<unknown>;
  Universal(options: object): Promise<{
    height(): Promise<number>;
    balance(address: string): Promise<string>;
    spend(amount: string, recipient: string): Promise<{ hash: string; blockHeight: number }>;
    api: { getTransactionByHash(hash: string): Promise<{ tx: { recipientId: string } }> };
  }>;
}

export interface Published<S> {
  sdk: S & Sdk;
  service: Service;
  /** Connects to a node with the given options, reads the height and a balance, and sends a spend. Checks every result. */
  spends(node: object): Promise<{ hash: string; recipient: string }>;
}

export async function startPublished<S = unknown>(folder: string, version: string): Promise<Published<S>> {
  const packages = await npmPackages(folder, [`@aeternity/aepp-sdk@${version}`]);
  const sdk = createRequire(join(packages, 'package.json'))('@aeternity/aepp-sdk') as S & Sdk;
  const keys = sdk.Crypto.generateKeyPair();
  const service = await startLive({
    funds: { [keys.publicKey]: 10_000n * COIN },
    mining: { autostart: true, beneficiary: keys.publicKey, intervalMs: 2_000 },
  });
  return {
    sdk,
    service,
    async spends(node) {
      const client = await sdk.Universal({
        nodes: [{ name: 'middleware', instance: await sdk.Node(node) }],
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
      return { hash, recipient };
    },
  };
}
