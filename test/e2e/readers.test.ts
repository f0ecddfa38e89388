import { expect } from 'chai';
import { pino } from 'pino';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { testApi } from '../support/api.js';
import type { Reply, TestApi } from '../support/api.js';
import { choices } from '../support/histories.js';
import { startPopulating } from '../support/populating.js';
import type { Populating } from '../support/populating.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

interface Block {
  hash: string;
  height: number;
  prev_hash: string;
  prev_key_hash: string;
}
interface Transaction {
  hash: string;
  block_hash: string;
  block_height: number;
}
interface ShownChain extends Block {
  micro_blocks: Record<string, Omit<Block, 'height'> & { transactions: Record<string, Transaction> }>;
}

/** A former or present main chain of the node: all its blocks, and the transactions of each micro block. */
interface Known {
  /** Key block hash by height. */
  keys: string[];
  /** Micro block hashes by height, as far as they existed. */
  micros: string[][];
}

/** Number of reorgs of all kinds, committed as fast as possible. */
const FORKS = 25;

/** Number of clients. */
const CLIENTS = 2;

describe('clients that read during reorgs', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  let populating: Populating;
  let api: TestApi;
  let account = '';
  /** Whether the chain no longer changes. */
  let isSettled = false;
  /** Log of the server, for the reason of a failed answer. */
  const warnings: string[] = [];
  /** All main chains so far, by the hash of their newest key block. */
  const chains = new Map<string, Known>();

  const fromNode = async <T>(path: string): Promise<T> => (await (await fetch(devnode.externalUrl + path)).json()) as T;

  /** Records the present chain of the node. */
  const recordChain = async (): Promise<void> => {
    const known: Known = { keys: [], micros: [] };
    for (let height = 0; height <= devnode.height(); height++) {
      const { key_block: key, micro_blocks: micros } = await fromNode<{ key_block: Block; micro_blocks: string[] }>(
        `/v2/generations/height/${height}`,
      );
      known.keys.push(key.hash);
      known.micros.push(micros);
    }
    chains.set(known.keys.at(-1)!, known);
  };

  before(async () => {
    server = await testDatabase();
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'readers', generations: 10, txsPerGeneration: 8, accounts: 4 } },
    });
    populating = await startPopulating(server, 'mdw', [devnode.externalUrl]);
    await populating.at(devnode.top().hash);
    const logger = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
    api = await testApi(populating.database, { nodeUrls: [devnode.externalUrl] }, { logger });
    const { transactions } = (await api.json('/middleware/transactions/interval/0/10')) as {
      transactions: { tx: { sender_id?: string } }[];
    };
    account = transactions.find(({ tx }) => tx.sender_id !== undefined)!.tx.sender_id!;
  });
  after(async () => {
    await api.close();
    await populating.stop();
    await devnode.close();
    await server.drop();
  });

  /** Checks that the blocks of an answer follow each other, and that each contains the transactions that name it. */
  const expectLinked = (told: ShownChain[]): void => {
    let last: string | undefined;
    let lastKey: string | undefined;
    for (const key of told) {
      if (last !== undefined) expect([key.prev_hash, key.prev_key_hash]).to.deep.equal([last, lastKey]);
      last = lastKey = key.hash;
      for (const [hash, micro] of Object.entries(key.micro_blocks)) {
        expect([micro.hash, micro.prev_hash, micro.prev_key_hash]).to.deep.equal([hash, last, lastKey]);
        for (const transaction of Object.values(micro.transactions)) {
          expect([transaction.block_hash, transaction.block_height]).to.deep.equal([hash, key.height]);
        }
        last = hash;
      }
    }
  };

  const topOf = (answer: Reply): { height: number; hash: string } => {
    expect(answer.status, warnings.join('')).to.equal(200);
    return { height: Number(answer.headers['x-chain-height']), hash: answer.headers['x-chain-hash'] as string };
  };

  /** What was asked, each with the checks that one answer alone allows. Those about whole chains are kept for later. */
  const later: (() => void)[] = [];
  const onBranch = (top: { hash: string }, check: (chain: Known) => void): void => {
    later.push(() => {
      const chain = chains.get(top.hash);
      expect(chain, `the top ${top.hash} was never the node's`).not.to.equal(undefined);
      check(chain!);
    });
  };

  const ASK: Record<string, (height: number) => Promise<void>> = {
    async 'the running generation'() {
      const answer = await api.get('/v2/generations/current');
      const { key_block: key, micro_blocks: micros } = JSON.parse(answer.body) as {
        key_block: Block;
        micro_blocks: string[];
      };
      const top = topOf(answer);
      expect([key.height, key.hash]).to.deep.equal([top.height, top.hash]);
      onBranch(top, ({ micros: known }) => expect(known[top.height]).to.include.members(micros));
    },
    async 'a generation'(height) {
      const answer = await api.get(`/v2/generations/height/${height}`);
      // Requests above the head of the database are forwarded to the node, which does not name the head.
      if (answer.headers['x-chain-hash'] === undefined) return;
      const { key_block: key, micro_blocks: micros } = JSON.parse(answer.body) as {
        key_block: Block;
        micro_blocks: string[];
      };
      const top = topOf(answer);
      onBranch(top, (chain) => {
        expect(chain.keys[height]).to.equal(key.hash);
        if (height < top.height) expect(micros).to.deep.equal(chain.micros[height]);
      });
    },
    async 'many generations'(height) {
      const answer = await api.get(`/middleware/generations/${height}/1000`);
      const top = topOf(answer);
      const { data, ...totals } = JSON.parse(answer.body) as {
        data: Record<string, ShownChain>;
        total_transactions: number;
        total_micro_blocks: number;
      };
      const told = Object.values(data).sort((a, b) => a.height - b.height);
      expectLinked(told);
      if (height <= top.height) expect([told[0]!.height, told.at(-1)!.hash]).to.deep.equal([height, top.hash]);
      const micros = told.flatMap((key) => Object.values(key.micro_blocks));
      expect(totals).to.deep.equal({
        total_micro_blocks: micros.length,
        total_transactions: micros.reduce((sum, micro) => sum + Object.keys(micro.transactions).length, 0),
      });
      onBranch(top, (chain) => {
        for (const key of told) expect(key.hash).to.equal(chain.keys[key.height]);
      });
    },
    async 'the transactions of an interval'(height) {
      const answer = await api.get(`/middleware/transactions/interval/${height}/1000`);
      const top = topOf(answer);
      const { transactions } = JSON.parse(answer.body) as { transactions: Transaction[] };
      expectOrdered(transactions, top);
    },
    async 'the transactions of an account'() {
      const answer = await api.get(`/middleware/transactions/account/${account}`);
      expectOrdered(JSON.parse(answer.body) as Transaction[], topOf(answer));
    },
    async 'pages of an account beside its count'() {
      const [page, count] = [
        await api.get(`/middleware/transactions/account/${account}?limit=1000&page=1`),
        await api.get(`/middleware/transactions/account/${account}/count`),
      ];
      const [top, after] = [topOf(page), topOf(count)];
      // Of one top, but the running generation may have got more micro blocks in between.
      if (top.hash !== after.hash || !isSettled) return;
      expect((JSON.parse(page.body) as unknown[]).length).to.equal((JSON.parse(count.body) as { count: number }).count);
    },
  };
  /** Newest first, none twice, all of blocks of the branch from which the answer was made. */
  const expectOrdered = (transactions: Transaction[], top: { height: number; hash: string }): void => {
    const heights = transactions.map(({ block_height }) => block_height);
    expect(heights).to.deep.equal([...heights].sort((a, b) => b - a));
    expect(new Set(transactions.map(({ hash }) => hash)).size).to.equal(transactions.length);
    onBranch(top, (chain) => {
      for (const { block_hash, block_height } of transactions)
        expect(chain.micros[block_height]).to.include(block_hash);
    });
  };

  it('get answers that are each of one branch, that of the head in the answer', async () => {
    const random = choices(11);
    await recordChain();
    let forking = true;
    let answers = 0;
    const questions = Object.values(ASK);
    const poll = async (_: unknown, client: number): Promise<void> => {
      for (let round = client; forking; round++) {
        await questions[round % questions.length]!(Math.max(0, devnode.height() - (round % 7)));
        answers++;
      }
    };
    const polling = Promise.all(Array.from({ length: CLIENTS }, poll)).finally(() => (forking = false));

    for (let i = 0; i < FORKS && forking; i++) {
      const kind = random.int(0, 3);
      const depth = random.int(1, 4);
      if (kind === 0) await devnode.grow(1);
      else if (kind === 1) {
        await devnode.addMicroBlock();
        await devnode.addMicroBlock();
        await recordChain();
        await devnode.microFork({ drop: random.int(1, 2), keep: 'some', next: 'key-block' });
      } else await devnode.fork({ depth, grow: depth + random.int(1, 2), retainTxs: 'some' });
      await recordChain();
      await Promise.race([populating.at(devnode.top().hash), polling]);
    }
    isSettled = true;
    for (const question of questions) await question(3);
    forking = false;
    await polling;

    for (const check of later) check();
    expect(answers).to.be.greaterThan(2 * FORKS);
    const { values } = await populating.metrics.forks.get();
    expect(values.reduce((sum, { value }) => sum + value, 0)).to.be.greaterThan(FORKS / 3);
  });
});
