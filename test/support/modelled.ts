/** Chains in a database with a server, for comparison with the slow model. */
import { startDevnode } from '../../devtools/devnode/start.js';
import { parseExact } from '../../src/chain/encoding/json.js';
import type { Json } from '../../src/chain/encoding/json.js';
import type { ApiConfig } from '../../src/api/deps.js';
import type { ChainNode } from '../../src/node/client.js';
import type { Database } from '../../src/store/connection/database.js';
import { testApi } from './api.js';
import type { TestApi } from './api.js';
import { nodeAt, syncContext, syncFully } from './copy.js';
import { emptyCopy } from './roles.js';
import { testDatabase } from './postgres.js';
import { recordedNode } from './recorded-node.js';
import { recordedChain } from './slow-model.js';
import type { PlainChain } from './slow-model.js';

export interface Modelled {
  chain: PlainChain;
  database: Database;
  api: TestApi;
  /** The answer with every digit; the status must be 200. */
  exact(path: string): Promise<Json>;
  close(): Promise<void>;
}

/** The recorded chain up to a height. */
export const recordedModel = (to?: number, config: Partial<ApiConfig> = {}): Promise<Modelled> =>
  serve(recordedChain(to), recordedNode(to), config, () => Promise.resolve());

/** A generated chain with all kinds of transactions and all protocol versions. */
export async function generatedModel(seed: string): Promise<Modelled> {
  const protocols = [1, 2, 3, 4, 5, 6].map((version, i) => ({ version, effective_at_height: i * 10 }));
  const generate = {
    seed,
    generations: 80,
    txsPerGeneration: 16,
    accounts: 12,
    protocols,
  } as const;
  const devnode = await startDevnode({ external: '127.0.0.1:0', source: { generate } });
  const node = nodeAt(devnode.externalUrl, { retries: [] });
  const chain = await told(devnode.externalUrl, devnode.height());
  return serve(chain, node, {}, async () => {
    node.close();
    await devnode.close();
  });
}

async function serve(
  chain: PlainChain,
  node: ChainNode,
  config: Partial<ApiConfig>,
  end: () => Promise<void>,
): Promise<Modelled> {
  const server = await testDatabase();
  const database = await emptyCopy(server.url);
  await syncFully(syncContext(database, node));
  const api = await testApi(database, config);
  return {
    chain,
    database,
    api,
    async exact(path) {
      const { status, body } = await api.get(path);
      if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
      return parseExact(body);
    },
    async close() {
      await api.close();
      await database.close();
      await server.drop();
      await end();
    },
  };
}

/** All blocks and transactions that a node answers. */
async function told(url: string, top: number): Promise<PlainChain> {
  const text = async (path: string): Promise<string | null> => {
    const answer = await fetch(url + path);
    return answer.status === 200 ? answer.text() : null;
  };
  const infos = new Map<string, string | null>();
  const generations: PlainChain['generations'][number][] = [];
  for (let height = 0; height <= top; height += 1) {
    const generation = (await text(`/v2/generations/height/${height}`))!;
    const { micro_blocks: hashes } = JSON.parse(generation) as { micro_blocks: string[] };
    const microBlocks = await Promise.all(
      hashes.map(async (hash) => {
        const path = `/v2/micro-blocks/hash/${hash}`;
        return { hash, header: (await text(`${path}/header`))!, transactions: (await text(`${path}/transactions`))! };
      }),
    );
    for (const { transactions } of microBlocks) {
      const list = (JSON.parse(transactions) as { transactions: { hash: string; tx: { type: string } }[] })
        .transactions;
      for (const { hash } of list.filter((one) => JSON.stringify(one).includes('"GAMetaTx"'))) {
        infos.set(hash, await text(`/v2/transactions/${hash}/info`));
      }
    }
    generations.push({ height, generation, keyBlock: (await text(`/v2/key-blocks/height/${height}`))!, microBlocks });
  }
  return { generations, info: (hash) => infos.get(hash) ?? null };
}
