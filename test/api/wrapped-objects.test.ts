import { expect } from 'chai';
import { readMicroBlock } from '../../src/chain/facts.js';
import { microPosition } from '../../src/chain/position.js';
import { contractId, nameHash, oracleId, queryId } from '../../src/chain/protocol/ids.js';
import { parseExact } from '../../src/chain/encoding/json.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import { placeMicroBlock } from '../../src/store/facts/blocks.js';
import { dueInfos, saveDecoded } from '../../src/store/calls.js';
import { saveInfos } from '../../src/store/due-infos.js';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { textOf } from '../support/slow-model.js';
import { append, emptyDatabase, madeBlocks, madeHash } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

const alice = madeHash('ak', 'alice');
const bob = madeHash('ak', 'bob');
const payer = madeHash('ak', 'payer');
const hard = madeHash('ak', 'hard to read');

const paid = (tx: string): string =>
  `{"fee":5,"nonce":1,"payer_id":"${payer}","tx":{"signatures":[],"tx":${tx}},"type":"PayingForTx","version":1}`;
const register = (account: string, format: string): string =>
  `{"abi_version":0,"account_id":"${account}","fee":1,"nonce":1,"oracle_ttl":{"type":"delta","value":500},` +
  `"query_fee":20000000000000000001,"query_format":"${format}","response_format":"r","type":"OracleRegisterTx","version":1}`;
const question = `{"fee":2,"nonce":7,"oracle_id":"${oracleId(alice)}","query":"a\\u0000b \\ud800 \\"☃\\"","query_fee":2,"query_ttl":{"type":"delta","value":50},"response_ttl":{"type":"delta","value":50},"sender_id":"${bob}","type":"OracleQueryTx","version":1}`;
const answered = `{"fee":3,"nonce":8,"oracle_id":"${oracleId(alice)}","query_id":"${queryId(bob, 7n, oracleId(alice))}","response":"\\u0000","response_ttl":{"type":"delta","value":50},"type":"OracleResponseTx","version":1}`;
const claim = `{"account_id":"${bob}","fee":4,"name":"short.chain","name_fee":99999999999999999999,"name_salt":5,"nonce":9,"type":"NameClaimTx","version":2}`;
const create = `{"abi_version":3,"amount":0,"call_data":"cb_Xfbg4g==","code":"cb_Xfbg4g==","deposit":0,"fee":6,"gas":1,"gas_price":1,"nonce":10,"owner_id":"${bob}","type":"ContractCreateTx","version":1,"vm_version":5}`;

const made = contractId(bob, 10n);
const call = `{"abi_version":3,"amount":0,"call_data":"cb_Xfbg4g==","caller_id":"${bob}","contract_id":"${made}","fee":7,"gas":1,"gas_price":1,"nonce":0,"type":"ContractCallTx","version":1}`;
const authenticated = (tx: string): string =>
  `{"abi_version":3,"auth_data":"cb_Xfbg4g==","fee":5,"ga_id":"${bob}","gas":1,"gas_price":1,"tx":{"signatures":[],"tx":${tx}},"type":"GAMetaTx","version":2}`;
const callInfo = `{"caller_id":"${bob}","gas_used":18446744073709551617,"return_type":"ok"}`;
const authenticatedInfo = (inner: string): string =>
  `{"ga_info":{"caller_id":"${bob}","inner_object":${inner},"return_type":"ok"}}`;

const INNER = [
  paid(paid(register(alice, 'q'))),
  paid(register(hard, 'q\\u0000')),
  question,
  answered,
  paid(claim),
  paid(create),
  paid(call),
  authenticated(call),
  authenticated(paid(authenticated(call))),
];

/** What the node returns of the calls among them. */
const INFOS = new Map([
  [6, `{"call_info":${callInfo}}`],
  [7, authenticatedInfo(`{"call_info":${callInfo}}`)],
  [8, authenticatedInfo(authenticatedInfo(`{"call_info":${callInfo}}`))],
]);

describe('objects that other transactions wrap, and text that is hard to read', () => {
  let seeded: SeededDatabase;
  let api: TestApi;
  const blockHash = madeHash('mh', 'only');
  const hashes = INNER.map((_, i) => madeHash('th', `tx ${i}`));
  before(async () => {
    seeded = await emptyDatabase();
    const [keyBlock] = madeBlocks([{ time: 1000 }], 100);
    const previous = (keyBlock as { keyBlock: { hash: string } }).keyBlock.hash;
    const header = {
      hash: blockHash,
      height: 100,
      prev_hash: previous,
      prev_key_hash: previous,
      time: 2000,
      version: 5,
    };
    const transactions = INNER.map((tx, i) => {
      const signatures = i === 2 ? '' : `"signatures":[${i === 3 ? '' : '"sg_a", "sg_b"'}],`;
      return `{"block_hash":"${blockHash}","block_height":100,"hash":"${hashes[i]}",${signatures}"tx":${tx}}`;
    });
    const micro = readMicroBlock(JSON.stringify(header), `{"transactions":[${transactions.join(',')}]}`);
    await append(seeded.database, null, [keyBlock!, placeMicroBlock(micro, microPosition(100, 1), 5)]);
    api = await testApi(seeded.database);
  });
  after(async () => {
    await api.close();
    await seeded.drop();
  });

  const get = async (path: string): Promise<Json> => {
    const { status, body } = await api.get(`/middleware${path}`);
    expect(status, body).to.equal(200);
    return parseExact(body);
  };
  const record = (i: number, type: string, signatures: string | null = 'sg_a sg_b'): JsonObject => {
    const tx = parseExact(INNER[i]!) as JsonObject;
    return {
      block_height: 100,
      block_hash: blockHash,
      hash: hashes[i]!,
      signatures,
      tx_type: type,
      tx,
      fee: textOf(tx['fee']),
      size: Buffer.byteLength(INNER[i]!),
    };
  };

  it('list the registration itself, however deep it is wrapped and whatever characters it holds', async () => {
    const listed = (i: number, account: string, tx: string) => ({
      oracle_id: oracleId(account),
      transaction_hash: hashes[i],
      block_height: 100,
      expires_at: 600,
      tx: parseExact(tx),
    });
    expect(await get('/oracles/list')).to.deep.equal([
      listed(1, hard, register(hard, 'q\\u0000')),
      listed(0, alice, register(alice, 'q')),
    ]);
  });

  it('return queries and responses with every character', async () => {
    const { body } = await api.get(`/middleware/oracles/${oracleId(alice)}`);
    const told = (tx: string, i: number): string => `${tx.slice(0, -1)},"hash":"${hashes[i]}","timestamp":2000}`;
    const id = queryId(bob, 7n, oracleId(alice));
    expect(body).to.equal(`[{"query_id":"${id}","request":${told(question, 2)},"response":${told(answered, 3)}}]`);
  });

  it('return wrapped calls with who calls, and what the node says of the call', async () => {
    const isCall = ({ hash }: { hash: string }): boolean => INFOS.has(hashes.indexOf(hash));
    const due = (await dueInfos(seeded.database, 'others', 10)).filter(isCall);
    expect(due.map(({ hash }) => hash)).to.have.members([...INFOS.keys()].map((i) => hashes[i]));
    const decoded = { arguments: '{"function":"pay","arguments":[]}', result: null };
    await saveDecoded(
      seeded.database,
      due.map(({ position, hash, codeId }) => ({ position, hash, codeId, ...decoded })),
    );
    await saveInfos(
      seeded.database,
      due.map(({ position, hash }) => ({
        ...{ position, hash, logs: [], outcome: null },
        info: INFOS.get(hashes.indexOf(hash))!,
      })),
    );
    const calls = [...INFOS.keys()].map((i) => ({
      transaction_id: hashes[i],
      contract_id: made,
      caller_id: bob,
      arguments: { function: 'pay', arguments: [] },
      callinfo: parseExact(callInfo),
      result: null,
    }));
    expect(await get(`/contracts/calls/address/${made}`)).to.deep.equal(calls);
    for (const one of calls) expect(await get(`/contracts/calls/transaction/${one.transaction_id}`)).to.deep.equal(one);
    // They are transactions of another kind, which name the contract only inside.
    expect(await get(`/contracts/transactions/address/${made}`)).to.deep.equal({
      transactions: (
        (await get(`/transactions/interval/100/100`)) as { transactions: { hash: string }[] }
      ).transactions.filter(({ hash }) => hash === hashes[5]),
    });
    const { rows } = await seeded.database.query({
      name: 'test.calls',
      text: 'SELECT caller, gas_used, return_type FROM v_contract_calls ORDER BY position',
    });
    expect(rows).to.deep.equal(calls.map(() => ({ caller: bob, gas_used: '18446744073709551617', return_type: 'ok' })));
  });

  it('show the wrapping transaction in records', async () => {
    const ct = contractId(bob, 10n);
    expect(await get(`/contracts/transactions/creation/address/${ct}`)).to.deep.equal(record(5, 'PayingForTx'));
    expect(await get('/contracts/all')).to.deep.equal([
      { contract_id: ct, transaction_hash: hashes[5], block_height: 100 },
    ]);
    expect(await get('/names/auctions/SHORT.chain/info')).to.deep.equal({
      info: {
        name: 'short.chain',
        expiration: 100 + 14880,
        winning_bid: '99999999999999999999',
        winning_bidder: bob,
      },
      bids: [record(4, 'PayingForTx')],
    });
    expect(await get(`/names/auctions/bids/account/${bob}`)).to.deep.equal([
      {
        name_auction_entry: {
          name: 'short.chain',
          expiration: 100 + 14880,
          winning_bid: '99999999999999999999',
          winning_bidder: bob,
        },
        transaction: record(4, 'PayingForTx'),
      },
    ]);
    expect(await get(`/names/auctions/bids/account/${payer}`)).to.deep.equal([]);
    expect(await get(`/names/hash/${nameHash('short.chain')}`)).to.have.nested.property('name.pointers', null);
    const [generation] = (await get('/new/generations/100/100')) as { micro_blocks: { transactions: Json[] }[] }[];
    const { transactions } = generation!.micro_blocks[0]!;
    expect(transactions[2]).to.deep.equal(record(2, 'OracleQueryTx', null));
    expect(transactions[3]).to.deep.equal(record(3, 'OracleResponseTx', null));
  });
});
