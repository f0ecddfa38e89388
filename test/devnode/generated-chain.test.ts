import { expect } from 'chai';
import { decodeId, encodeId, hash } from '../../src/chain/encoding/encoding.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { keyHeaderBytes, microHeaderBytes } from '../../src/chain/serialize/headers.js';
import { hasProofOfWork } from '../../src/chain/work/cuckoo.js';
import { channelId } from '../../src/chain/protocol/ids.js';
import { verifySignature } from '../../devtools/devnode/generate/signing.js';
import { serializeSigned, signedTransactionHash } from '../../src/chain/serialize/transactions.js';
import { signatureFault, signedLayers } from '../../src/chain/signatures/transaction.js';
import { originMember } from '../../devtools/devnode/origin.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import type { ReadGeneration } from '../support/devnode.js';
import { ask, closeDevnodes, generated, hashOf, read, readChain } from '../support/devnode.js';

const TYPES = [
  'SpendTx',
  'OracleRegisterTx',
  'OracleExtendTx',
  'OracleQueryTx',
  'OracleRespondTx',
  'NamePreclaimTx',
  'NameClaimTx',
  'NameUpdateTx',
  'NameTransferTx',
  'NameRevokeTx',
  'ContractCreateTx',
  'ContractCallTx',
  'GAAttachTx',
  'GAMetaTx',
  'PayingForTx',
  'ChannelCreateTx',
  'ChannelDepositTx',
  'ChannelWithdrawTx',
  'ChannelSnapshotSoloTx',
  'ChannelSetDelegatesTx',
  'ChannelForceProgressTx',
  'ChannelCloseMutualTx',
  'ChannelCloseSoloTx',
  'ChannelSlashTx',
  'ChannelSettleTx',
];

describe('a generated chain', () => {
  let devnode: Devnode;
  let chain: ReadGeneration[];
  let envelopes: JsonObject[];
  const inner = (envelope: JsonObject): JsonObject => envelope['tx'] as JsonObject;

  before(async () => {
    devnode = await generated({
      seed: 'all types',
      transactions: 4000,
      generations: 60,
      accounts: 60,
    });
    chain = await readChain(devnode);
    envelopes = chain.flatMap(({ microBlocks }) => microBlocks.flatMap(({ transactions }) => transactions));
  });
  after(closeDevnodes);

  it('has the requested numbers of transactions and generations', () => {
    expect(envelopes).to.have.lengthOf(4000);
    expect(devnode.height()).to.equal(60);
    expect(devnode.top().hash).to.equal(hashOf(chain.at(-1)!.microBlocks.at(-1)!.header));
  });

  it('links every block to its parent and to its key block', () => {
    let [previous, previousKey] = [encodeId('kh', new Uint8Array(32)), encodeId('kh', new Uint8Array(32))];
    chain.forEach(({ keyBlock, microBlocks }, height) => {
      expect(keyBlock).to.include({ height, prev_hash: previous, prev_key_hash: previousKey });
      previous = previousKey = hashOf(keyBlock);
      for (const { header } of microBlocks) {
        expect(header).to.include({ height, prev_hash: previous, prev_key_hash: previousKey, pof_hash: 'no_fraud' });
        previous = hashOf(header);
      }
    });
  });

  it('has correct hashes and leader signatures of all headers', () => {
    for (const { keyBlock, microBlocks } of chain) {
      expect(encodeId('kh', hash(keyHeaderBytes(keyBlock)))).to.equal(keyBlock['hash']);
      for (const { header } of microBlocks) {
        expect(encodeId('mh', hash(microHeaderBytes(header)))).to.equal(header['hash']);
        const { signature, ...unsigned } = header;
        const miner = decodeId(keyBlock['miner'] as string);
        expect(verifySignature(microHeaderBytes(unsigned), decodeId(signature as string), miner)).to.equal(true);
      }
    }
  });

  it('has no micro block in the generation of the genesis block, which nobody leads', async () => {
    const young = await generated({ seed: 'young', generations: 0 });
    await young.addMicroBlock();
    expect((await readChain(young)).map(({ microBlocks }) => microBlocks.length)).to.deep.equal([0, 1]);
  });

  it('has transactions of every type that can be in a block', () => {
    const found = new Set(envelopes.map((envelope) => inner(envelope)['type']));
    expect([...TYPES].filter((type) => !found.has(type))).to.deep.equal([]);
  });

  it('has transactions whose binary form and hash match their JSON', () => {
    for (const envelope of envelopes) {
      const signed = serializeSigned(envelope);
      expect(encodeId('tx', signed)).to.equal(envelope['encoded_tx']);
      expect(signedTransactionHash(signed)).to.equal(envelope['hash']);
    }
  });

  it('has the signatures of all that must sign', async () => {
    const channels = new Map<string, string[]>();
    for (const { microBlocks } of chain) {
      for (const envelope of microBlocks.flatMap(({ transactions }) => transactions)) {
        const tx = inner(envelope);
        if (tx['type'] === 'ChannelCreateTx') {
          const parties = [tx['initiator_id'] as string, tx['responder_id'] as string] as const;
          channels.set(channelId(parties[0], BigInt(tx['nonce'] as number), parties[1]), [...parties]);
        }
        const layers = signedLayers(decodeId(envelope['encoded_tx'] as string), tx, {
          networkId: 'ae_dev',
          parties: (channel) => channels.get(channel),
        });
        for (const layer of layers) {
          expect(layer.unknownSigners).to.equal(0);
          expect(await signatureFault(layer), tx['type'] as string).to.equal(undefined);
        }
      }
    }
  });

  it('uses the nonces of every account in order', () => {
    const last = new Map<string, number>();
    for (const envelope of envelopes) {
      const tx = inner(envelope);
      const paid = tx['type'] === 'PayingForTx' ? [tx, inner(tx['tx'] as JsonObject)] : [tx];
      for (const each of paid.filter(({ type }) => type !== 'GAMetaTx')) {
        const origin = (each[originMember(each['type'] as string)] as string).slice(3);
        expect(each['nonce']).to.equal((last.get(origin) ?? 0) + 1);
        last.set(origin, each['nonce'] as number);
      }
    }
  });

  it('prints sorted members and no ttl of 0', async () => {
    const ordered = (object: JsonObject): void => {
      expect(Object.keys(object)).to.deep.equal(Object.keys(object).sort());
      for (const value of Object.values(object)) {
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) ordered(value);
      }
    };
    for (const envelope of envelopes) {
      ordered(envelope);
      expect(inner(envelope)['ttl']).not.to.equal(0);
    }
    for (const { keyBlock, microBlocks } of chain)
      [keyBlock, ...microBlocks.map(({ header }) => header)].forEach(ordered);
    expect((await ask(devnode, '/v2/generations/height/0')).body).not.to.match(/nonce|pow|\s/);
  });

  it('has amounts beyond 64 and 128 bits and nonces of key blocks over the whole range', () => {
    const amounts = envelopes.map((envelope) => BigInt((inner(envelope)['amount'] ?? 0) as number | bigint));
    expect(amounts.some((amount) => amount > 2n ** 64n && amount < 2n ** 128n)).to.equal(true);
    expect(amounts.some((amount) => amount > 2n ** 128n)).to.equal(true);
    const nonces = chain.slice(1).map(({ keyBlock }) => BigInt(keyBlock['nonce'] as number | bigint));
    expect(nonces.some((nonce) => nonce > 2n ** 63n)).to.equal(true);
  });

  it('switches protocols at the heights in the status', async () => {
    const { protocols } = (await read(devnode, '/v2/status')) as { protocols: JsonObject[] };
    expect(protocols[0]).to.deep.equal({ effective_at_height: 10, version: 6 });
    const versions = chain.slice(0, 12).map(({ keyBlock }) => keyBlock['version']);
    expect(versions).to.deep.equal([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
  });

  it('has texts that are hard to store', () => {
    const texts = envelopes.map(
      (envelope) => (inner(envelope)['query'] ?? inner(envelope)['response'] ?? '') as string,
    );
    expect(texts.some((text) => text.includes('\u0000'))).to.equal(true);
    expect(texts.some((text) => /[\ud800-\udbff](?![\udc00-\udfff])/.test(text))).to.equal(true);
    expect(texts.some((text) => text.includes('"'))).to.equal(true);
  });

  it('reports results of calls, creations and meta transactions only', async () => {
    const one = (type: string): JsonObject => envelopes.find((envelope) => inner(envelope)['type'] === type)!;
    const info = (type: string) => ask(devnode, `/v3/transactions/${hashOf(one(type))}/info`);

    const creation = JSON.parse((await info('ContractCreateTx')).body) as { call_info: JsonObject };
    expect(creation.call_info).to.include({ caller_id: inner(one('ContractCreateTx'))['owner_id'], return_type: 'ok' });
    expect(JSON.parse((await info('ContractCallTx')).body)).to.have.property('call_info');
    expect(JSON.parse((await info('GAMetaTx')).body)).to.have.property('ga_info');
    const none = await info('SpendTx');
    expect([none.status, none.body]).to.deep.equal([400, '{"reason":"Tx has no info"}']);
  });

  it('has refused meta transactions, whose inner transaction has no result', async () => {
    const metas = envelopes.filter((envelope) => inner(envelope)['type'] === 'GAMetaTx');
    const infos = await Promise.all(metas.map((meta) => read(devnode, `/v2/transactions/${hashOf(meta)}/info`)));
    const outcomes = infos.map(({ ga_info }) => ga_info as JsonObject);
    expect(outcomes.map(({ return_type }) => return_type)).to.include.members(['ok', 'error']);
    for (const outcome of outcomes) {
      expect(outcome['inner_object'] === undefined).to.equal(outcome['return_type'] === 'error');
    }
  });
});

describe('generation', () => {
  afterEach(closeDevnodes);

  it('makes the same chain for the same seed and steps, and another one for another seed', async () => {
    const live = async (seed: string): Promise<ReadGeneration[]> => {
      const devnode = await generated({ seed });
      await devnode.grow(2);
      await devnode.addMicroBlock();
      await devnode.fork({ depth: 2, grow: 3 });
      await devnode.microFork({ drop: 1 });
      return readChain(devnode);
    };
    const [first, again, other] = [await live('one'), await live('one'), await live('two')];
    expect(again).to.deep.equal(first);
    expect(hashOf(other[0]!.keyBlock)).not.to.equal(hashOf(first[0]!.keyBlock));
  });

  it('uses the requested protocols, times and network id', async () => {
    const devnode = await generated({
      protocols: [{ version: 6, effective_at_height: 0 }],
      startTime: 1_600_000_000_000,
      blockIntervalMs: 1000,
    });
    const chain = await readChain(devnode);
    expect(chain.every(({ keyBlock }) => keyBlock['version'] === 6)).to.equal(true);
    expect(chain[0]!.keyBlock['time']).to.equal(1_600_000_000_000);
  });

  it('has key blocks with a proof of work if edge bits are given, also in other branches', async () => {
    const devnode = await generated({ generations: 3, edgeBits: 11 });
    await devnode.fork({ depth: 2, grow: 1 });
    const [, ...blocks] = (await readChain(devnode)).map(({ keyBlock }) => keyBlock);
    expect(blocks).to.have.length(2);
    for (const block of blocks) expect(hasProofOfWork(block, 11)).to.equal(true);
  });

  it('can consist of the genesis block only', async () => {
    const devnode = await generated({ generations: 0 });
    expect(devnode.height()).to.equal(0);
    await devnode.addMicroBlock({ txs: 3 });
    expect(await read(devnode, '/v2/generations/current'))
      .to.have.property('micro_blocks')
      .with.lengthOf(1);
  });
});
