import {
  AccountMemory,
  AeSdk,
  Contract,
  Encoding,
  Name,
  Node,
  Oracle,
  OracleClient,
  Tag,
  buildTx,
  encode,
  unpackTx,
} from '@aeternity/aepp-sdk';
import type { Encoded } from '@aeternity/aepp-sdk';
import { expect } from 'chai';
import { channelId } from '../../src/chain/protocol/ids.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { IDENTITY_ACI, IDENTITY_BYTECODE } from '../fixtures/identity-contract.js';
import { ask } from '../support/api.js';
import { eventually } from '../support/populator.js';
import { startLive } from '../support/service.js';
import type { Service } from '../support/service.js';

const COIN = 10n ** 18n;

/** Options that the SDK documents and accepts, but that are missing in its types. */
const accepted = (options: Record<string, number | string>): object => options;

describe('the public JavaScript SDK, pointed at the middleware in front of a live node', () => {
  const [alice, bob] = [AccountMemory.generate(), AccountMemory.generate()];
  let service: Service;
  let port: number;
  let sdk: AeSdk;

  before(async () => {
    service = await startLive({
      funds: { [alice.address]: 10_000n * COIN, [bob.address]: 10_000n * COIN },
      mining: { autostart: true, beneficiary: alice.address, intervalMs: 400 },
    });

    port = Number(new URL(service.url).port);
    const node = new Node(service.url);
    sdk = new AeSdk({ nodes: [{ name: 'middleware', instance: node }], accounts: [alice, bob] });
  });
  after(() => service.close());

  const told = async (path: string): Promise<unknown> => JSON.parse((await ask(port, path)).body);

  /** The answer of the middleware after it has stored the transaction. */
  const toldOnce = (path: string, isThere: (text: string) => boolean): Promise<unknown> =>
    eventually(
      () => told(path),
      (answer) => isThere(JSON.stringify(answer)),
    );

  it('spends', async () => {
    const before = BigInt(await sdk.getBalance(bob.address));
    const { hash, blockHeight } = await sdk.spend(
      String(5n * COIN),
      bob.address,
      accepted({ payload: 'ba_aGVsbG+Vlcnf' }),
    );
    expect(BigInt(await sdk.getBalance(bob.address)) - before).to.equal(5n * COIN);
    const path = `/middleware/transactions/account/${alice.address}/to/${bob.address}`;
    const { transactions } = (await toldOnce(path, (text) => text.includes(hash))) as { transactions: JsonObject[] };
    expect(transactions).to.have.length(1);
    expect(transactions[0]).to.include({ hash, block_height: blockHeight });
    expect(transactions[0]!['tx']).to.include({ recipient_id: bob.address, payload: 'ba_aGVsbG+Vlcnf' });
  });

  it('claims, updates, transfers and revokes a name', async () => {
    const name = new Name('middlewaresdkname.chain', sdk.getContext());
    const { blockHeight: announced } = await name.preclaim();
    await sdk.awaitHeight(announced! + 1);
    const { hash, blockHeight: claimed } = await name.claim();
    await name.update({ account_pubkey: bob.address });
    expect((await name.getState()).pointers[0]!.id).to.equal(bob.address);
    const path = '/middleware/names/middlewaresdkname.chain';
    const [active] = (await toldOnce(path, (text) => text.includes('account_pubkey'))) as JsonObject[];
    expect(active).to.deep.include({ owner: alice.address, tx_hash: hash, created_at_height: claimed });
    await toldOnce(`/middleware/names/reverse/${bob.address}`, (text) => text.includes(hash));
    await name.transfer(bob.address);
    await toldOnce(path, (text) => text.includes(`"owner":"${bob.address}"`));
    await name.revoke({ onAccount: bob });
    await toldOnce('/middleware/names/active', (text) => text === '[]');
    expect(await name.getState().catch((error: Error) => error.message)).to.contain('Name revoked');
  });

  it('registers an oracle, queries it and responds', async () => {
    const oracle = new Oracle(bob, sdk.getContext());
    const { hash, blockHeight } = await oracle.register(
      'string',
      'string',
      accepted({ queryFee: 30_000, oracleTtlValue: 500 }),
    );
    const client = new OracleClient(oracle.address, sdk.getContext());
    const { queryId } = await client.postQuery('How are you?', accepted({ queryTtlValue: 50, responseTtlValue: 50 }));
    await oracle.respondToQuery(queryId, 'I am fine, thanks!', accepted({ responseTtlValue: 50 }));
    expect(await client.pollForResponse(queryId)).to.equal('I am fine, thanks!');
    const [registered] = (await toldOnce('/middleware/oracles/list', (text) => text.includes(hash))) as JsonObject[];
    expect(registered).to.include({ oracle_id: oracle.address, expires_at: blockHeight! + 500 });
    const answered = (text: string): boolean => text.includes('I am fine, thanks!');
    const [question] = (await toldOnce(`/middleware/oracles/${oracle.address}`, answered)) as JsonObject[];
    expect(question).to.include({ query_id: queryId });
    expect(question!['request']).to.include({ query: 'How are you?', query_fee: 30_000 });
  });

  /** Signs for both parties, as wallets do one after the other. */
  async function post(tx: Encoded.Transaction): Promise<string> {
    const signed = await Promise.all([alice, bob].map((party) => party.signTransaction(tx, { networkId: 'ae_dev' })));
    const signatures = signed.flatMap(
      (one) => (unpackTx(one, Tag.SignedTx) as unknown as { signatures: Buffer[] }).signatures,
    );
    const { txHash } = await sdk.api.postTransaction({ tx: buildTx({ tag: Tag.SignedTx, signatures, encodedTx: tx }) });
    await sdk.poll(txHash);
    return txHash;
  }

  it('opens a channel and closes it by agreement', async () => {
    const { nonce } = await sdk.api.getAccountByPubkey(alice.address);
    const create = buildTx({
      tag: Tag.ChannelCreateTx,
      version: 2,
      initiator: alice.address,
      initiatorAmount: 3n * COIN,
      responder: bob.address,
      responderAmount: 2n * COIN,
      channelReserve: 1_000,
      lockPeriod: 10,
      initiatorDelegateIds: [],
      responderDelegateIds: [],
      stateHash: encode(new Uint8Array(32), Encoding.State),
      nonce: nonce + 1,
    });
    const opened = await post(create);
    const id = channelId(alice.address, BigInt(nonce + 1), bob.address) as Encoded.Channel;
    expect(await sdk.api.getChannelByPubkey(id)).to.include({ channelAmount: 5n * COIN, round: 1 });
    await toldOnce('/middleware/channels/active', (text) => text.includes(id));
    const fee = 20_000_000_000_000n;
    const close = buildTx({
      tag: Tag.ChannelCloseMutualTx,
      channelId: id,
      fromId: alice.address,
      initiatorAmountFinal: 4n * COIN,
      responderAmountFinal: COIN - fee,
      fee,
      nonce: nonce + 2,
    });
    const closed = await post(close);
    await toldOnce('/middleware/channels/active', (text) => text === '[]');
    const path = `/middleware/channels/transactions/address/${id}`;
    const story = JSON.stringify(await toldOnce(path, (text) => text.includes(closed)));
    expect(story).to.contain(opened).and.contain('ChannelCloseMutualTx');
  });

  it('creates and calls a contract, which returns its first argument, as documented for the simulated node', async () => {
    const contract = await Contract.initialize<{ getArg(x: number): bigint }>({
      ...sdk.getContext(),
      aci: IDENTITY_ACI,
      bytecode: IDENTITY_BYTECODE as Encoded.ContractBytearray,
    });
    const { address, transaction: created } = await contract.$deploy([]);
    const { decodedResult, hash } = await contract.$call('getArg', [42]);
    expect(decodedResult).to.equal(42n);
    expect((await contract.$call('getArg', [43], { callStatic: true })).decodedResult).to.equal(43n);
    await toldOnce('/middleware/contracts/all', (text) => text.includes(address!) && text.includes(created!));
    const path = `/middleware/contracts/calls/address/${address!}`;
    const [call] = (await toldOnce(path, (text) => text.includes(hash))) as JsonObject[];
    expect(call, JSON.stringify(call)).to.include({ contract_id: address, transaction_id: hash });
    expect(call!['arguments']).to.deep.include({ function: 'getArg' });
  });
});
