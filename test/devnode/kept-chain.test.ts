import { expect } from 'chai';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import type { Devnode, GenerateOptions } from '../../devtools/devnode/start.js';
import { ask, closeDevnodes, generated, hashesOf, read, readChain } from '../support/devnode.js';
import type { ReadGeneration } from '../support/devnode.js';

describe('a generated chain in a folder', () => {
  let folder: string;
  let now = 0;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mdw-kept-chain-'));
    now = 1_800_000_000_000;
  });
  afterEach(async () => {
    await closeDevnodes();
    rmSync(folder, { recursive: true });
  });

  const open = (more: Partial<GenerateOptions> = {}): Promise<Devnode> =>
    generated({
      folder,
      // After the last change of the protocol version.
      generations: 12,
      txsPerGeneration: 12,
      clock: () => now,
      startTime: now - 14 * 20_000,
      blockIntervalMs: 20_000,
      ...more,
    });

  /** All answers by hash: blocks and transactions, results of calls, accounts and names. */
  async function everything(devnode: Devnode, chain: ReadGeneration[]): Promise<string[]> {
    const transactions = chain.flatMap(({ microBlocks }) => microBlocks.flatMap(({ transactions }) => transactions));
    const senders = new Set<string>();
    const names = new Set<string>();
    for (const { tx } of transactions) {
      const { sender_id, name_id } = tx as JsonObject;
      if (typeof sender_id === 'string') senders.add(sender_id);
      if (typeof name_id === 'string') names.add(name_id);
    }
    const paths = [
      ...hashesOf(chain).flatMap((id) => [`/v3/transactions/${id}`, `/v3/transactions/${id}/info`]),
      ...[...senders].map((id) => `/v3/accounts/${id}`),
      ...[...names].map((id) => `/v3/names/hash/${id}`),
    ];
    const replies = [];
    for (const path of paths) replies.push(await ask(devnode, path));
    expect(replies.filter(({ status }) => status === 200)).to.have.lengthOf.above(transactions.length);
    return replies.map(({ status, body }, i) => `${paths[i]} ${status} ${body}`);
  }

  const times = (chain: ReadGeneration[]): number[] =>
    chain.flatMap(({ keyBlock, microBlocks }) => [keyBlock, ...microBlocks.map(({ header }) => header)].map(timeOf));
  const timeOf = (block: JsonObject): number => block['time'] as number;

  /** Adds blocks, one in five seconds of the fake clock. */
  async function grow(devnode: Devnode, generations: number): Promise<void> {
    for (let i = 0; i < generations; i += 1) {
      for (const step of [
        () => (i % 2 === 1 ? devnode.microFork({ drop: 1 }) : devnode.mineKeyBlock()),
        () => devnode.addMicroBlock(),
        () => devnode.addMicroBlock(),
      ]) {
        now += 5_000;
        await step();
      }
    }
  }

  it('is the same after a restart, with the same answers about its state, and continues', async () => {
    const first = await open();
    await grow(first, 26);
    const chain = await readChain(first);
    const answers = await everything(first, chain);
    const counts = first.counts();
    await first.close();

    now += 86_400_000;
    const second = await open();
    expect(second.counts()).to.deep.equal(counts);
    expect(await readChain(second)).to.deep.equal(chain);
    expect(await everything(second, chain)).to.deep.equal(answers);

    await grow(second, 3);
    const longer = await readChain(second);
    expect(longer).to.have.lengthOf(chain.length + 3);
    expect(longer.slice(0, chain.length - 1)).to.deep.equal(chain.slice(0, -1));
    expect((await everything(second, longer)).length).to.be.above(answers.length);
  });

  it('has ascending block times that are never in the future, and a gap after a pause', async () => {
    const first = await open();
    expect(Math.max(...times(await readChain(first)))).to.be.below(now);
    await grow(first, 2);
    await first.close();
    const before = now;

    now += 86_400_000;
    const second = await open();
    await grow(second, 2);

    const all = times(await readChain(second));
    expect(all).to.deep.equal([...all].sort((a, b) => a - b));
    expect(new Set(all).size).to.equal(all.length);
    expect(all.at(-1)).to.equal(now);
    expect(all.filter((time) => time > before && time < before + 86_400_000)).to.deep.equal([]);

    // If the clock is set back, block times still ascend.
    now -= 3_600_000;
    await grow(second, 1);
    expect(times(await readChain(second)).at(-1)).to.be.above(all.at(-1)!);
  });

  it('survives an incomplete last line of the journal, and the loss of the saved state', async () => {
    const first = await open();
    await grow(first, 2);
    const chain = await readChain(first);
    await first.close();
    appendFileSync(join(folder, 'journal'), '["micro","mh_');
    writeFileSync(join(folder, 'state'), 'no state');

    const second = await open();
    expect(await readChain(second)).to.deep.equal(chain);
    await grow(second, 2);
    const longer = await readChain(second);
    await second.close();
    expect(await readChain(await open())).to.deep.equal(longer);
  });

  it('is refused if it was written in another format', async () => {
    await (await open()).close();
    writeFileSync(join(folder, 'journal'), '["format",0]\n');
    const fault = await open().then(
      () => undefined,
      (error: Error) => error.message,
    );
    expect(fault).to.equal(`The chain in ${folder} was written by another version: remove the folder to start again`);
  });

  it('answers requests for accounts, names and oracles even with very many transactions', async () => {
    const long = { generations: 26, txsPerGeneration: 2_000, microBlocksPerGeneration: 20 };
    const first = await open(long);
    expect(first.counts().transactions).to.be.above(50_000);
    const account = await someone(first);
    const paths = [account, `${account}/height/24`];
    const before = await Promise.all(paths.map((path) => read(first, path)));
    await first.close();

    const second = await open(long);
    expect(await Promise.all(paths.map((path) => read(second, path)))).to.deep.equal(before);
  });

  async function someone(devnode: Devnode): Promise<string> {
    const { micro_blocks } = (await read(devnode, '/v2/generations/height/20')) as { micro_blocks: string[] };
    const { transactions } = (await read(devnode, `/v2/micro-blocks/hash/${micro_blocks[0]}/transactions`)) as {
      transactions: JsonObject[];
    };
    const spend = transactions.map(({ tx }) => tx as JsonObject).find(({ type }) => type === 'SpendTx');
    return `/v3/accounts/${spend?.['sender_id'] as string}`;
  }
});
