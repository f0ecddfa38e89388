import { expect } from 'chai';
import { decodeId, encodeId, hash } from '../../src/chain/encoding/encoding.js';
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import { memberText } from '../../src/chain/encoding/json-walk.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { coinbase } from '../../src/chain/protocol/rewards.js';
import { parseSigned } from '../../src/chain/serialize/parse.js';
import { serializeSigned } from '../../src/chain/serialize/transactions.js';
import { keyBlockHash, microBlockHash } from '../../src/chain/serialize/verify-hash.js';
import { supplyOf } from '../../devtools/devnode/ledger/supply.js';
import type { State } from '../../devtools/devnode/ledger/state.js';
import { openSource } from '../../devtools/devnode/source.js';
import type { Source } from '../../devtools/devnode/source.js';
import { createChainStore } from '../../devtools/devnode/store/chain-store.js';
import type { ChainStore } from '../../devtools/devnode/store/chain-store.js';
import { ask, closeDevnodes, generated, read } from '../support/devnode.js';

const ACCOUNTS = 20;

/** The state after the newest block. Computing it executes every transaction of the chain. */
function checkState(state: State, store: ChainStore): void {
  for (const [id, { balance }] of state.all('account')) expect(balance >= 0n, id).to.equal(true);
  let issued = 0n;
  for (let height = 1; height <= store.height(); height += 1) issued += coinbase(height);
  expect(supplyOf(state).total).to.equal(BigInt(ACCOUNTS) * 10n ** 50n + issued);
}

describe('a generated chain, run through the state machine', () => {
  let store: ChainStore;
  let source: Source;

  before(async () => {
    store = createChainStore();
    const generate = { seed: 'state machine', transactions: 4_000, accounts: ACCOUNTS };
    source = await openSource({ external: '', source: { generate } }, store);
  });
  after(() => store.close());

  it('can be executed completely; no balance is negative and the supply is correct', () => {
    const state = source.stateful!.chain.state();
    checkState(state, store);
    for (const kind of ['name', 'auction', 'oracle', 'query', 'contract', 'channel'] as const) {
      expect([...state.all(kind)].length, kind).to.be.greaterThan(0);
    }
  });

  it('has transactions that can be decoded, and correct hashes', () => {
    const types = new Set<unknown>();
    for (let block = 0; block < store.blockCount(); block += 1) {
      const header = parseExact(store.blockText(block).toString()) as JsonObject;
      expect(store.isKey(block) ? keyBlockHash(header) : microBlockHash(header)).to.equal(store.id(block));
      for (const inclusion of store.inclusionsOf(block)) {
        const text = store.inclusionText(inclusion).toString();
        const envelope = parseExact(text) as JsonObject;
        const signed = decodeId(envelope['encoded_tx'] as string);
        const { tx } = parseSigned(signed);
        types.add(tx['type']);
        expect(stringifyExact(tx)).to.equal(stringifyExact(parseExact(memberText(text, 'tx')!)));
        expect(Buffer.from(serializeSigned(envelope)).equals(signed)).to.equal(true);
        expect(encodeId('th', hash(signed))).to.equal(envelope['hash']);
      }
    }
    expect(types.size).to.be.at.least(20);
  });

  it('stays executable through forks that lose some transactions', async () => {
    const { chain } = source;
    for (const [depth, retainTxs] of [
      [3, 'some'],
      [5, 'none'],
      [4, 'all'],
      [6, 'some'],
    ] as const) {
      await chain!.fork({ depth, grow: depth + 1, retainTxs });
      await chain!.microFork({ drop: 1, keep: 'some', next: 'key-block' });
      await chain!.grow(2);
      checkState(source.stateful!.chain.state(), store);
    }
  });
});

describe('a generated chain', () => {
  after(closeDevnodes);

  it('answers requests for accounts, names and oracles at the head and at heights, and accepts no transactions', async () => {
    const devnode = await generated({ generations: 20 });
    const { transactions } = (await read(devnode, (await firstTransactions(devnode)) ?? '')) as {
      transactions: JsonObject[];
    };
    const { sender_id } = transactions.map(({ tx }) => tx as JsonObject).find(({ type }) => type === 'SpendTx') as {
      sender_id: string;
    };
    const account = await read(devnode, `/v3/accounts/${sender_id}`);
    expect(account).to.include({ id: sender_id, kind: 'basic', payable: true });
    expect(account['nonce']).to.be.greaterThan(0);
    expect((await read(devnode, `/v3/accounts/${sender_id}/height/0`))['nonce']).to.equal(0);
    expect((await ask(devnode, `/v2/accounts/${sender_id}/next-nonce`)).body).to.equal(
      `{"next_nonce":${Number(account['nonce']) + 1}}`,
    );
    const post = await ask(devnode, '/v2/transactions', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(post.status).to.equal(404);
  });
});

async function firstTransactions(devnode: Awaited<ReturnType<typeof generated>>): Promise<string | undefined> {
  for (let height = 1; height <= devnode.height(); height += 1) {
    const { micro_blocks } = (await read(devnode, `/v2/generations/height/${height}`)) as { micro_blocks: string[] };
    if (micro_blocks.length > 0) return `/v2/micro-blocks/hash/${micro_blocks[0]!}/transactions`;
  }
  return undefined;
}
