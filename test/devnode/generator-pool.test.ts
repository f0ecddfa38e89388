import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { contractId } from '../../src/chain/protocol/ids.js';
import { CONTRACT_CODE, callInit } from '../../devtools/devnode/generate/fate.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { ask, closeDevnodes, open, read, readChain } from '../support/devnode.js';
import { accepted, post, wallet } from '../support/wallet.js';

const COIN = 10n ** 18n;
const FEE = 10n ** 15n;
/** Enough for a bid in any auction. */
const GIFT = 10n ** 9n * COIN;
const START = 1_800_000_000_000;

describe('posting to a generated chain in a folder', () => {
  let folder: string;
  let now: number;
  const anna = wallet('anna');
  const bert = wallet('bert');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mdw-generator-pool-'));
    now = START + 50 * 20_000;
  });
  afterEach(async () => {
    await closeDevnodes();
    rmSync(folder, { recursive: true });
  });

  const start = (): Promise<Devnode> =>
    open({
      internal: '127.0.0.1:0',
      source: {
        generate: {
          seed: 'post office',
          generations: 40,
          txsPerGeneration: 24,
          accounts: 20,
          folder,
          // The same chain in every run.
          clock: () => (now += 5_000),
          startTime: START,
          blockIntervalMs: 20_000,
          gift: { to: anna.id, aettos: GIFT },
        },
      },
    });
  /** Starts a node and adds the block with the gift. */
  async function started(): Promise<Devnode> {
    const devnode = await start();
    await devnode.mineKeyBlock();
    await devnode.addMicroBlock();
    return devnode;
  }
  const spend = (nonce: number, amount = COIN): string =>
    anna.sign({
      ...{ type: 'SpendTx', sender_id: anna.id, recipient_id: bert.id, payload: 'ba_Xfbg4g==' },
      ...{ amount, fee: FEE, nonce },
    });
  const balance = async (devnode: Devnode, { id }: { id: string }): Promise<bigint> =>
    BigInt((await read(devnode, `/v3/accounts/${id}`))['balance'] as bigint);
  const inBlock = async (devnode: Devnode, hash: string): Promise<unknown> =>
    (await read(devnode, `/v3/transactions/${hash}`))['block_hash'];
  const pending = async (devnode: Devnode): Promise<unknown> =>
    (await read(devnode, '/v3/status'))['pending_transactions_count'];

  it('starts with a gift, only once', async () => {
    const first = await started();
    expect(await balance(first, anna)).to.equal(GIFT);
    await first.close();

    expect(await balance(await started(), anna)).to.equal(GIFT);
  });

  it('puts posted transactions before the generated ones in the next micro block, also after a restart', async () => {
    const first = await started();
    const hash = await accepted(first, spend(1));
    expect([await inBlock(first, hash), await pending(first)]).to.deep.equal(['none', 1]);

    await first.addMicroBlock();
    const head = first.top().hash;
    const { transactions } = (await read(first, `/v3/micro-blocks/hash/${head}/transactions`)) as {
      transactions: JsonObject[];
    };
    expect(transactions[0]!['hash']).to.equal(hash);
    expect(transactions).to.have.lengthOf.above(1);
    expect([await balance(first, bert), await pending(first)]).to.deep.equal([COIN, 0]);
    const chain = await readChain(first);
    await first.close();

    const second = await start();
    expect(await readChain(second)).to.deep.equal(chain);
    expect(await balance(second, bert)).to.equal(COIN);
    // Enough blocks, so that states are computed again from a saved one.
    await second.grow(40);
    await second.close();
    const third = await start();
    await third.grow(2);
    expect(await inBlock(third, hash)).to.equal(head);
  });

  it('keeps waiting transactions over a restart, and includes each one only when its nonce is next', async () => {
    const first = await started();
    const later = await accepted(first, spend(2));
    await first.addMicroBlock();
    expect(await inBlock(first, later)).to.equal('none');
    const sooner = await accepted(first, spend(1));
    await first.close();

    const second = await start();
    expect(await pending(second)).to.equal(2);
    await second.addMicroBlock();
    expect([await inBlock(second, sooner), await inBlock(second, later)]).to.deep.equal(
      Array(2).fill(second.top().hash),
    );
  });

  it('returns transactions that lost their block to the pool', async () => {
    const devnode = await started();
    const hash = await accepted(devnode, spend(1));
    await devnode.addMicroBlock();

    await devnode.microFork({ drop: 1 });
    expect(await inBlock(devnode, hash)).to.equal('none');
    expect((await ask(devnode, `/v3/accounts/${bert.id}`)).status).to.equal(404);
    const { transactions } = (await read(devnode, `/v3/accounts/${anna.id}/transactions/pending`)) as {
      transactions: JsonObject[];
    };
    expect(transactions.map((one) => one['hash'])).to.deep.equal([hash]);

    await devnode.addMicroBlock();
    expect(await inBlock(devnode, hash)).to.equal(devnode.top().hash);
    expect(await balance(devnode, bert)).to.equal(COIN);
  });

  it('refuses the transactions that a node refuses', async () => {
    const devnode = await started();
    const poor = bert.sign({
      ...{ type: 'SpendTx', sender_id: bert.id, recipient_id: anna.id, payload: 'ba_Xfbg4g==' },
      ...{ amount: 1n, fee: FEE, nonce: 1 },
    });
    expect((await post(devnode, poor)).body).to.contain('insufficient_funds');
    expect((await post(devnode, spend(99))).body).to.contain('nonce_too_high');
  });

  it('runs contracts as a live chain does, with the same result after a restart', async () => {
    const first = await started();
    const owner = { owner_id: anna.id, nonce: 1, fee: FEE, vm_version: 8, abi_version: 3 };
    const create = anna.sign({
      ...{ ...owner, type: 'ContractCreateTx', code: CONTRACT_CODE, deposit: 0, amount: 0, gas: 50_000 },
      ...{ gas_price: 1_000_000_000, call_data: encodeId('cb', callInit(7)) },
    });
    const contract = contractId(anna.id, 1n);
    const call = anna.sign({
      ...{ type: 'ContractCallTx', caller_id: anna.id, nonce: 2, fee: FEE, contract_id: contract, abi_version: 3 },
      ...{ amount: 0, gas: 50_000, gas_price: 1_000_000_000, call_data: encodeId('cb', callInit(7)) },
    });
    const hashes = [await accepted(first, create), await accepted(first, call)];
    await first.addMicroBlock();
    const results = (devnode: Devnode): Promise<JsonObject[]> =>
      Promise.all(hashes.map((hash) => read(devnode, `/v3/transactions/${hash}/info`)));
    const before = [await results(first), await balance(first, anna)];
    await first.close();

    const second = await start();
    const called = (await results(second))[1]!['call_info'] as JsonObject;
    // 7, because the stub returns the first argument.
    expect([called['return_type'], called['return_value']]).to.deep.equal(['ok', encodeId('cb', Uint8Array.of(14))]);
    expect([await results(second), await balance(second, anna)]).to.deep.equal(before);
  });

  it('continues after another account has bid in an auction of a generated account', async () => {
    const devnode = await started();
    const claims = (await readChain(devnode))
      .flatMap(({ microBlocks }) => microBlocks.flatMap(({ transactions }) => transactions))
      .map(({ tx }) => tx as JsonObject)
      .filter(({ type }) => type === 'NameClaimTx');
    let bids = 0;
    for (const name of new Set(claims.map((claim) => claim['name'] as string))) {
      const { status, body } = await ask(devnode, `/v3/auctions/${name}`);
      if (status !== 200) continue;
      const { highest_bid } = parseExact(body) as JsonObject;
      const bid = { name, name_salt: 0, name_fee: 2n * BigInt(highest_bid as bigint), fee: FEE, nonce: ++bids };
      await accepted(devnode, anna.sign({ type: 'NameClaimTx', version: 2, account_id: anna.id, ...bid }));
      await devnode.addMicroBlock();
    }
    expect(bids).to.be.above(0);

    await devnode.grow(60);
    expect(await read(devnode, `/v3/accounts/${anna.id}`)).to.include({ nonce: bids });
    await devnode.close();
    await (await start()).grow(2);
  });

  it('has the internal API with builders and pending transactions, but without mining', async () => {
    const devnode = await started();
    const internal = (path: string, body?: JsonObject): Promise<Response> =>
      fetch(`${devnode.internalUrl}${path}`, {
        ...(body && {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: stringifyExact(body),
        }),
      });
    const fields = { sender_id: anna.id, recipient_id: bert.id, amount: 1, fee: FEE, payload: '' };
    const built = await internal('/v3/debug/transactions/spend', fields);
    expect([built.status, await built.json()]).to.deep.include(200);
    const hash = await accepted(devnode, spend(1));
    expect(await (await internal('/v3/debug/transactions/pending')).text()).to.contain(hash);
    const candidate = await ask(devnode, '/v3/key-blocks/pending');
    expect(candidate.body).to.contain('beneficiary_not_configured');
    const block = await read(devnode, '/v3/key-blocks/height/5');
    const { hash: _, ...mined } = block;
    expect((await internal('/v3/key-blocks', mined)).status).to.equal(400);
  });
});
