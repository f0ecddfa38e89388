import { expect } from 'chai';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { decodeId } from '../../src/chain/encoding/encoding.js';
import { signedTransactionHash } from '../../src/chain/serialize/transactions.js';
import { keyBlockHash, microBlockHash } from '../../src/chain/serialize/verify-hash.js';
import { difficulty } from '../../src/chain/work/target.js';
import { createRandom } from '../../devtools/devnode/generate/random.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import type { ReadGeneration } from '../support/devnode.js';
import {
  ask,
  closeDevnodes,
  generated,
  hashOf,
  hashesOf,
  read,
  readChain,
  readGenerationAt,
} from '../support/devnode.js';

/** Checks that block hashes match the headers, and transaction hashes match the binary form. */
function expectHashes(chain: ReadGeneration[]): void {
  for (const { keyBlock, microBlocks } of chain) {
    expect(keyBlockHash(keyBlock)).to.equal(hashOf(keyBlock));
    for (const { header, transactions } of microBlocks) {
      expect(microBlockHash(header)).to.equal(hashOf(header));
      for (const envelope of transactions) {
        expect(signedTransactionHash(decodeId(envelope['encoded_tx'] as string, 'tx'))).to.equal(hashOf(envelope));
      }
    }
  }
}

/** Checks that every block names its parent, up to the head that the node reports. */
function expectLinked(chain: ReadGeneration[]): void {
  let previous: string | undefined;
  for (const { keyBlock, microBlocks } of chain) {
    if (previous !== undefined) expect(keyBlock['prev_hash']).to.equal(previous);
    previous = hashOf(keyBlock);
    for (const { header } of microBlocks) {
      expect(header['prev_hash']).to.equal(previous);
      previous = hashOf(header);
    }
  }
}

const workOf = (chain: ReadGeneration[]): bigint =>
  chain.reduce((sum, { keyBlock }) => sum + difficulty(keyBlock['target'] as number), 0n);

describe('a fork', () => {
  let devnode: Devnode;
  let before: ReadGeneration[];

  beforeEach(async () => {
    devnode = await generated();
    before = await readChain(devnode);
  });
  afterEach(closeDevnodes);

  it('replaces all blocks above the common generation and no others', async () => {
    await devnode.fork({ depth: 2, grow: 3 });
    const after = await readChain(devnode);

    expectLinked(after);
    expect(after).to.have.lengthOf(8);
    expect(after.slice(0, 5)).to.deep.equal(before.slice(0, 5));
    expect(hashOf(after[5]!.keyBlock)).not.to.equal(hashOf(before[5]!.keyBlock));
    expect(workOf(after) > workOf(before)).to.equal(true);
  });

  it('may be shorter than the replaced branch, because it is heavier', async () => {
    await devnode.fork({ depth: 4, grow: 1 });
    const after = await readChain(devnode);

    expectLinked(after);
    expect(after).to.have.lengthOf(4);
    expect(workOf(after) > workOf(before)).to.equal(true);
    expect((await ask(devnode, '/v2/generations/height/5')).status).to.equal(404);
  });

  it('may start at the genesis block', async () => {
    await devnode.fork({ depth: 6, grow: 7 });
    expectLinked(await readChain(devnode));
  });

  it('keeps abandoned blocks readable by hash, but not as part of the main chain', async () => {
    const [old, micro] = [hashOf(before[6]!.keyBlock), hashOf(before[6]!.microBlocks[0]!.header)];
    await devnode.fork({ depth: 1, grow: 1 });

    expect((await ask(devnode, `/v2/key-blocks/hash/${old}`)).status).to.equal(200);
    expect((await ask(devnode, `/v3/micro-blocks/hash/${micro}/transactions`)).status).to.equal(200);
    const generation = await ask(devnode, `/v2/generations/hash/${old}`);
    expect([generation.status, generation.body]).to.deep.equal([400, '{"reason":"Hash not on main chain"}']);
    const { body } = await ask(devnode, '/v2/status/chain-ends');
    expect(JSON.parse(body)).to.deep.equal([hashOf(await read(devnode, '/v2/key-blocks/current')), old]);
  });

  it('includes lost transactions in later blocks', async () => {
    await devnode.fork({ depth: 2, grow: 3, retainTxs: true });
    const lost = hashesOf(before.slice(5));
    const kept = new Set(hashesOf(await readChain(devnode)));

    expect(lost.filter((hash) => kept.has(hash)).length).to.be.greaterThan(lost.length / 2);
    const moved = lost.find((hash) => kept.has(hash))!;
    const { block_hash } = await read(devnode, `/v2/transactions/${moved}`);
    expect((await ask(devnode, `/v2/micro-blocks/hash/${block_hash as string}/header`)).status).to.equal(200);
  });

  it('shows transactions without a block as pending', async () => {
    await devnode.fork({ depth: 2, grow: 1, retainTxs: 'all', txsPerGeneration: 1, microBlocks: 1 });
    const lost = hashesOf(before.slice(5));
    const envelopes = await Promise.all(lost.map((hash) => ask(devnode, `/v2/transactions/${hash}`)));
    const waiting = envelopes.filter(({ body }) =>
      body.startsWith('{"block_hash":"none","block_height":-1,"encoded_tx":'),
    );

    expect(waiting.length).to.be.greaterThan(0);
    expect((await read(devnode, '/v2/status'))['pending_transactions_count']).to.equal(waiting.length);
    const { hash } = JSON.parse(waiting[0]!.body) as { hash: string };
    expect((await ask(devnode, `/v2/transactions/${hash}/info`)).body).to.equal('{"reason":"Tx not mined"}');
  });

  it('drops transactions that should not return', async () => {
    await devnode.fork({ depth: 2, grow: 3, retainTxs: false });
    for (const hash of hashesOf(before.slice(5))) {
      const { status, body } = await ask(devnode, `/v2/transactions/${hash}`);
      expect([status, body]).to.deep.equal([404, '{"reason":"Transaction not found"}']);
    }
    expect(devnode.counts().pending).to.equal(0);
  });

  it('is refused with impossible options', async () => {
    for (const impossible of [
      { depth: 7, grow: 1 },
      { depth: 0, grow: 1 },
      { depth: 1, grow: 0 },
    ]) {
      const error = await devnode.fork(impossible).catch((fault: unknown) => fault);
      expect(error).to.have.property('fault', 'bad_request');
    }
  });

  it('may be long, and forked again at any height', async () => {
    await devnode.fork({ depth: 3, grow: 30, txsPerGeneration: 2, microBlocks: 1 });
    await devnode.fork({ depth: 28, grow: 40, txsPerGeneration: 2, microBlocks: 1 });
    await devnode.fork({ depth: 35, grow: 1 });
    expectLinked(await readChain(devnode));
    expect(devnode.height()).to.equal(11);
  });

  it('can be followed by more generations and forks', async () => {
    for (let round = 0; round < 5; round += 1) {
      await devnode.fork({ depth: 1 + (round % 3), grow: 1 + (round % 2), retainTxs: 'some' });
      await devnode.grow(1);
      await devnode.addMicroBlock();
      await devnode.microFork({ drop: 1 });
    }
    const chain = await readChain(devnode);
    expectLinked(chain);
    const hashes = hashesOf(chain);
    expect(new Set(hashes).size).to.equal(hashes.length);
  });
});

describe('forks of any depth', () => {
  afterEach(closeDevnodes);

  it('may be hundreds of generations deep, and more forks may follow', async () => {
    const devnode = await generated({ generations: 710, txsPerGeneration: 2, microBlocksPerGeneration: 1 });
    const common = await readGenerationAt(devnode, 60);

    await devnode.fork({ depth: 650, grow: 5, txsPerGeneration: 6 });
    const first = await readChain(devnode);
    expect(first).to.have.lengthOf(66);
    expect(first[60]).to.deep.equal(common);

    await devnode.fork({ depth: 20, grow: 30, txsPerGeneration: 6 });
    const second = await readChain(devnode);
    expect(second).to.have.lengthOf(76);
    expect(second.slice(0, 46)).to.deep.equal(first.slice(0, 46));

    for (const chain of [first, second]) {
      expectLinked(chain);
      expectHashes(chain);
      expect(hashesOf(chain)).to.have.lengthOf(new Set(hashesOf(chain)).size);
    }
  });

  it('may switch between branches hundreds of times', async () => {
    const devnode = await generated({ seed: 'back and forth', generations: 40, txsPerGeneration: 4, accounts: 10 });
    const random = createRandom('steps');
    for (let step = 0; step < 300; step += 1) {
      const height = devnode.height();
      const kept = random.pick(['all', 'some', 'none'] as const);
      const kind = random.int(0, 5);
      if (kind <= 2 && height > 0) {
        const depth = random.int(1, random.chance(0.1) ? height : Math.min(height, 10));
        const grow = random.int(1, random.chance(0.05) ? 60 : 8);
        await devnode.fork({ depth, grow, retainTxs: kept, txsPerGeneration: random.int(0, 4), microBlocks: 2 });
      } else if (kind === 3) {
        await devnode.grow(random.int(1, 3), { txsPerGeneration: random.int(0, 5) });
      } else {
        await devnode.addMicroBlock({ txs: 2 });
        const next = random.pick(['key-block', 'micro-block', 'nothing'] as const);
        await devnode.microFork({ drop: 1, keep: kept, next });
      }
    }
    const chain = await readChain(devnode);
    expectLinked(chain);
    expectHashes(chain);
    expect(hashesOf(chain)).to.have.lengthOf(new Set(hashesOf(chain)).size);
  });
});

describe('a micro fork', () => {
  let devnode: Devnode;
  let last: ReadGeneration;

  beforeEach(async () => {
    devnode = await generated({ microBlocksPerGeneration: 3 });
    await devnode.mineKeyBlock();
    for (let i = 0; i < 3; i += 1) await devnode.addMicroBlock({ txs: 3 });
    last = await readGenerationAt(devnode, 7);
  });
  afterEach(closeDevnodes);

  const microHashes = async (height: number): Promise<unknown> =>
    (await read(devnode, `/v2/generations/height/${height}`))['micro_blocks'];

  it('lets the next key block build on an earlier micro block', async () => {
    await devnode.microFork({ drop: 2 });

    expect(devnode.height()).to.equal(8);
    expect(await microHashes(7)).to.deep.equal([hashOf(last.microBlocks[0]!.header)]);
    const key = await read(devnode, '/v2/key-blocks/current');
    expect(key['prev_hash']).to.equal(hashOf(last.microBlocks[0]!.header));
    expect(key['prev_key_hash']).to.equal(hashOf(last.keyBlock));
  });

  it('replaces a later key block', async () => {
    await devnode.mineKeyBlock();
    const replaced = hashOf(await read(devnode, '/v2/key-blocks/height/8'));
    await devnode.microFork({ drop: 1 });

    expect(devnode.height()).to.equal(8);
    expect(hashOf(await read(devnode, '/v2/key-blocks/height/8'))).not.to.equal(replaced);
    expect(await microHashes(7)).to.have.lengthOf(2);
  });

  it('includes all, some or none of the lost transactions in the next micro block', async () => {
    const lost = hashesOf([{ ...last, microBlocks: last.microBlocks.slice(2) }]);

    await devnode.microFork({ drop: 1, keep: 'all' });
    expect((await read(devnode, `/v2/transactions/${lost[0]!}`))['block_height']).to.equal(-1);
    await devnode.addMicroBlock({ txs: 5 });
    expect(hashesOf([await readGenerationAt(devnode, 8)])).to.include.members(lost);

    await devnode.microFork({ drop: 1, keep: 'none' });
    expect((await ask(devnode, `/v2/transactions/${lost[0]!}`)).status).to.equal(404);
  });

  it('may be followed by another micro block or by nothing', async () => {
    await devnode.microFork({ drop: 1, next: 'micro-block' });
    const [, , third] = (await microHashes(7)) as string[];
    expect(third).not.to.equal(hashOf(last.microBlocks[2]!.header));

    await devnode.microFork({ drop: 2, next: 'nothing' });
    expect(devnode.top()).to.deep.equal({ height: 7, hash: hashOf(last.microBlocks[0]!.header) });
  });

  it('is refused if the generation has fewer micro blocks', async () => {
    const error = await devnode.microFork({ drop: 4 }).catch((fault: unknown) => fault);
    expect(error).to.have.property('fault', 'bad_request');
    expect(await microHashes(7)).to.have.lengthOf(3);
  });
});

describe('growth', () => {
  afterEach(closeDevnodes);

  it('shows micro blocks and key blocks one by one', async () => {
    const devnode = await generated({ generations: 1 });
    await devnode.mineKeyBlock();
    const top = async (): Promise<JsonObject> => read(devnode, '/v2/blocks/top');
    expect(await top()).to.have.nested.property('key_block.height', 2);
    expect(await read(devnode, '/v2/generations/current')).to.have.property('micro_blocks').that.is.empty;

    await devnode.addMicroBlock({ txs: 2 });
    expect(await top()).to.have.nested.property('micro_block.height', 2);
    expect(await read(devnode, '/v3/headers/top')).to.have.property('hash', devnode.top().hash);
    expect(await read(devnode, `/v2/micro-blocks/hash/${devnode.top().hash}/transactions/count`)).to.deep.equal({
      count: 2,
    });
  });

  it('adds generations of the requested size', async () => {
    const devnode = await generated({ generations: 1 });
    const { transactions } = devnode.counts();
    await devnode.grow(3, { txsPerGeneration: 7, microBlocks: 2 });
    expect(devnode.height()).to.equal(4);
    expect(devnode.counts().transactions).to.equal(transactions + 21);
    expect((await readGenerationAt(devnode, 4)).microBlocks.map(({ transactions: list }) => list.length)).to.deep.equal(
      [3, 4],
    );
  });
});
