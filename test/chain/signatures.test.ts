import { expect } from 'chai';
import { decodeId, encodeId, hash } from '../../src/chain/encoding/encoding.js';
import { parseExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { readGeneration, readKeyBlock, readMicroBlock } from '../../src/chain/facts.js';
import type { KeyBlock, MicroBlock } from '../../src/chain/facts.js';
import { signerOf } from '../../src/chain/protocol/generations.js';
import { channelId } from '../../src/chain/protocol/ids.js';
import { keyHeaderBytes, microHeaderBytes } from '../../src/chain/serialize/headers.js';
import { serializeSigned, serializeTransaction, wrapSigned } from '../../src/chain/serialize/transactions.js';
import { isValidSignature } from '../../src/chain/signatures/ed25519.js';
import { keyBlockFlaw, leaderFlaw } from '../../src/chain/signatures/leader.js';
import { signatureFault, signedLayers } from '../../src/chain/signatures/transaction.js';
import type { SignedLayer } from '../../src/chain/signatures/transaction.js';
import { TRANSACTION_TYPES } from '../../src/chain/transactions/catalogue.js';
import { keyPair } from '../../devtools/devnode/generate/signing.js';
import { RECORDINGS, recorded, recordedGenerations, recordedKeyBlock } from '../support/recording.js';

interface RecordedBlock {
  network: string;
  keyBlock: KeyBlock;
  microBlock: MicroBlock;
}

const blocks: RecordedBlock[] = RECORDINGS.flatMap((of) => {
  const network = (parseExact(recorded('/v2/status', of)) as JsonObject)['network_id'] as string;
  return recordedGenerations(of).flatMap(({ generation, microBlocks }) => {
    const { keyBlock } = readGeneration(generation);
    return microBlocks.map(({ header, transactions }) => ({
      network,
      keyBlock,
      microBlock: readMicroBlock(header, transactions),
    }));
  });
});

interface RecordedTransaction {
  network: string;
  tx: JsonObject;
  signed: Uint8Array;
}

const transactions: RecordedTransaction[] = blocks.flatMap(({ network, microBlock }) =>
  microBlock.transactions.map(({ body, tx }) => {
    const encoded = (parseExact(body) as JsonObject)['encoded_tx'] as string;
    return { network, tx, signed: decodeId(encoded) };
  }),
);

/** The parties of the recorded channels. A generalized account makes the id with its authentication, so the creator is looked for. */
const channels = new Map<string, string[]>();
for (const { tx } of transactions) {
  if (tx['type'] !== 'ChannelCreateTx') continue;
  const [initiator, responder] = [tx['initiator_id'] as string, tx['responder_id'] as string];
  channels.set(channelId(initiator, BigInt(tx['nonce'] as number), responder), [initiator, responder]);
}

const layersOf = ({ signed, tx, network }: RecordedTransaction): SignedLayer[] =>
  signedLayers(signed, tx, { networkId: network, parties: (channel) => channels.get(channel) });

async function faultsOf(layers: readonly SignedLayer[]): Promise<string[]> {
  const faults = await Promise.all(layers.map(signatureFault));
  return faults.filter((fault) => fault !== undefined);
}

/** Copies of the bytes with one bit flipped: of each byte a different one. */
function* flipped(bytes: Uint8Array): Generator<Uint8Array> {
  for (let i = 0; i < bytes.length; i++) {
    const copy = new Uint8Array(bytes);
    copy[i]! ^= 1 << (i % 8);
    yield copy;
  }
}

const NO_TRANSACTIONS = '{"transactions":[]}';

/** Recorded transactions, one of each type. */
const oneOfEach = [...new Map(transactions.map((one) => [one.tx['type'] as string, one])).values()];

const signedHeader = ({ hash, body }: MicroBlock) => ({
  hash,
  header: microHeaderBytes(parseExact(body) as JsonObject),
});

/** Where the signature is in the header of a key block; 42 integers and the nonce have 176 bytes. */
const SEAL = 180;

/** The recorded micro blocks whose leader their own key block names. */
const led = blocks.filter(({ keyBlock, microBlock }) => signerOf(keyBlock, microBlock.height) !== undefined);

describe('the signature of a micro block', () => {
  it('is that of the miner of its key block, on every recorded micro block outside hyperchains', async () => {
    const flaws = await Promise.all(
      led.map(({ keyBlock, microBlock }) => leaderFlaw(signedHeader(microBlock), keyBlock.miner)),
    );

    expect(flaws.filter((flaw) => flaw !== undefined)).to.deep.equal([]);
    expect(flaws).to.have.length.above(490);
    expect(blocks).to.have.length(led.length + 32 + 16);
  });

  it('of a key block of a hyperchain is that of its miner, and not of a changed header', async () => {
    for (const of of ['realnode-hyperchain', 'realnode-hyperchain-holes'] as const) {
      for (const { keyBlock } of recordedGenerations(of).slice(1)) {
        const { hash: block, miner, body } = readKeyBlock(keyBlock);
        const header = keyHeaderBytes(parseExact(body) as JsonObject);
        expect(await keyBlockFlaw({ hash: block, header }, miner)).to.equal(undefined);
        const other = encodeId('ak', keyPair(Buffer.alloc(32, 1)).publicKey);
        expect(await keyBlockFlaw({ hash: block, header }, other)).to.deep.equal({
          block,
          field: 'pow',
          reason: `${other}, its leader, did not sign it`,
        });
      }
    }
    const { miner, body } = readKeyBlock(recordedKeyBlock(20, 'realnode-hyperchain'));
    const header = keyHeaderBytes(parseExact(body) as JsonObject);
    const read = [...flipped(header)].filter((_, i) => i < SEAL + 64 || i >= SEAL + 176);
    for (const altered of read)
      expect(await keyBlockFlaw({ hash: 'kh_', header: altered }, miner)).to.not.equal(undefined);
  });

  it('is that of the miner of the next key block, on every recorded micro block of a hyperchain', async () => {
    for (const of of ['realnode-hyperchain', 'realnode-hyperchain-holes'] as const) {
      for (const [height, { microBlocks }] of recordedGenerations(of).entries()) {
        if (microBlocks.length === 0) continue;
        const { miner } = readKeyBlock(recordedKeyBlock(height + 1, of));
        for (const { header } of microBlocks)
          expect(await leaderFlaw(signedHeader(readMicroBlock(header, NO_TRANSACTIONS)), miner)).to.equal(undefined);
      }
    }
  });

  it('is not valid for the miners of the key blocks around it, if these are others', async () => {
    const miners = [
      ...new Set(blocks.map(({ keyBlock }) => keyBlock.miner)),
      encodeId('ak', keyPair(Buffer.alloc(32, 1)).publicKey),
    ];
    for (const { keyBlock, microBlock } of led.slice(0, 20)) {
      for (const miner of miners) {
        const flaw = await leaderFlaw(signedHeader(microBlock), miner);
        expect(flaw === undefined).to.equal(miner === keyBlock.miner);
      }
    }
  });

  it('is refused after a change of any byte of the header, and without a signature', async () => {
    const { keyBlock, microBlock } = blocks.find(({ microBlock: { body } }) => body.includes('no_fraud'))!;
    const { hash: block, header } = signedHeader(microBlock);
    const { signature: _, ...unsigned } = parseExact(microBlock.body) as JsonObject;

    for (const altered of [...flipped(header), microHeaderBytes(unsigned)]) {
      const flaw = await leaderFlaw({ hash: block, header: altered }, keyBlock.miner);
      expect(flaw, Buffer.from(altered).toString('hex')).to.deep.equal({
        block,
        field: 'signature',
        reason: `${keyBlock.miner}, the leader of its generation, did not sign it`,
      });
    }
  });
});

describe('the signatures of a transaction', () => {
  it('are those of all that must sign it, for every recorded transaction', async () => {
    const unsigned: unknown[] = [];
    for (const one of transactions) {
      const layers = layersOf(one);
      // The transaction inside a GAMetaTx has no effect without its signatures, but the GAMetaTx is valid.
      if ((await faultsOf(layers.filter(({ authenticated }) => !authenticated))).length > 0) unsigned.push(one.tx);
    }

    expect(unsigned).to.deep.equal([]);
    expect(transactions).to.have.length.above(700);
  });

  it('are refused for a change of any byte of the signatures or of what is signed, for each type', async () => {
    const types = oneOfEach.map(({ tx }) => tx['type']);
    expect(types).to.have.length.above(20);
    for (const one of oneOfEach) {
      for (const layer of layersOf(one)) {
        for (const [index, signature] of layer.signatures.entries()) {
          for (const altered of flipped(signature)) {
            const signatures = layer.signatures.with(index, altered);
            expect(await signatureFault({ ...layer, signatures }), one.tx['type'] as string).to.match(
              / did not sign it$/,
            );
          }
          const { length } = layer.signatures;
          expect(await signatureFault({ ...layer, signatures: layer.signatures.toSpliced(index, 1) })).to.equal(
            `${length - 1} signatures instead of ${length}`,
          );
          expect(await signatureFault({ ...layer, signatures: [...layer.signatures, signature] })).to.equal(
            `${length + 1} signatures instead of ${length}`,
          );
        }
        if (layer.signatures.length === 0) continue;
        const variants = layer.messages.map((message) => [...flipped(message)]);
        for (let at = 0; at < Math.min(...variants.map((of) => of.length)); at++) {
          const messages = variants.map((of) => of[at]!);
          expect(await signatureFault({ ...layer, messages }), one.tx['type'] as string).to.match(/ did not sign it$/);
        }
      }
    }
  });

  it('are refused for another network, and those inside a PayingForTx for the network itself', async () => {
    for (const one of oneOfEach) {
      const layers = layersOf({ ...one, network: `${one.network}2` }).filter(({ signers }) => signers.length > 0);
      expect(await faultsOf(layers), one.tx['type'] as string).to.have.length(layers.length);
    }
    const [outer, inner] = layersOf(oneOfEach.find(({ tx }) => tx['type'] === 'PayingForTx')!);
    expect(Buffer.from(inner!.messages[0]!).toString('latin1')).to.include('-inner_tx');
    expect(Buffer.from(outer!.messages[0]!).toString('latin1')).not.to.include('-inner_tx');
  });

  it('may be of the hash or of the transaction itself', async () => {
    const pair = keyPair(Buffer.alloc(32, 3));
    const account = encodeId('ak', pair.publicKey);
    const spend = { ...oneOfEach.find(({ tx }) => tx['type'] === 'SpendTx')!.tx, sender_id: account };
    const unsigned = serializeTransaction(spend);
    const check = async (message: Uint8Array): Promise<string[]> => {
      const signed = wrapSigned([pair.sign(message)], unsigned);
      return faultsOf(signedLayers(signed, spend, { networkId: 'ae_test', parties: () => undefined }));
    };

    expect(await check(Buffer.concat([Buffer.from('ae_test'), hash(unsigned)]))).to.deep.equal([]);
    expect(await check(Buffer.concat([Buffer.from('ae_test'), unsigned]))).to.deep.equal([]);
    expect(await check(hash(unsigned))).to.deep.equal([`${account} did not sign it`]);
  });

  it('of two accounts must be of both: one account cannot sign twice', async () => {
    const create = oneOfEach.find(({ tx }) => tx['type'] === 'ChannelCreateTx')!;
    const [layer] = layersOf(create);
    const twice = [layer!.signatures[0]!, layer!.signatures[0]!];

    expect(layer!.signers).to.deep.equal([create.tx['initiator_id'], create.tx['responder_id']]);
    expect(await signatureFault({ ...layer!, signatures: twice })).to.match(/ did not sign it$/);
    expect(await signatureFault({ ...layer!, signatures: layer!.signatures.toReversed() })).to.equal(undefined);
  });

  it('of a channel whose parties are not known: the one who sends it must sign, and one more', async () => {
    const deposit = oneOfEach.find(({ tx }) => tx['type'] === 'ChannelDepositTx')!;
    const { network, tx, signed } = deposit;
    const [layer] = signedLayers(signed, tx, { networkId: network, parties: () => undefined });

    expect(layer).to.deep.include({ signers: [tx['from_id']], unknownSigners: 1 });
    expect(await signatureFault(layer!)).to.equal(undefined);
    expect(await signatureFault({ ...layer!, signatures: layer!.signatures.slice(1) })).to.be.a('string');
    const stranger = { ...layer!, signers: [encodeId('ak', Buffer.alloc(32, 9))] };
    expect(await signatureFault(stranger)).to.match(/ did not sign it$/);
  });

  it('inside a GAMetaTx are those of all others', () => {
    const [alice, bob] = [1, 2].map((seed) => encodeId('ak', keyPair(Buffer.alloc(32, seed)).publicKey)) as [
      string,
      string,
    ];
    const create = oneOfEach.find(({ tx }) => tx['type'] === 'ChannelCreateTx')!.tx;
    const meta = transactions.find(({ tx }) => tx['type'] === 'GAMetaTx' && tx['version'] === 2)!.tx;
    const inner = { ...create, initiator_id: alice, responder_id: bob };
    const enveloped = (tx: JsonObject): JsonObject => (tx['type'] === 'GAMetaTx' ? { tx } : { signatures: [], tx });
    const around = (account: string, wrapped: JsonObject): JsonObject => ({
      ...meta,
      ga_id: account,
      tx: enveloped(wrapped),
    });
    const signersOf = (tx: JsonObject): (readonly string[])[] =>
      signedLayers(serializeSigned(enveloped(tx)), tx, {
        networkId: 'ae_test',
        parties: () => undefined,
      }).map(({ signers, authenticated }) => [...signers, ...(authenticated ? ['authenticated'] : [])]);

    expect(signersOf(around(alice, inner))).to.deep.equal([[], [bob, 'authenticated']]);
    expect(signersOf(around(bob, around(alice, inner)))).to.deep.equal([[], ['authenticated'], ['authenticated']]);
    const deposit = oneOfEach.find(({ tx }) => tx['type'] === 'ChannelDepositTx')!.tx;
    expect(signersOf(around(alice, deposit))).to.deep.equal([[]]);
  });

  it('are known for each type: members that the type has', () => {
    for (const { name, signers, fields } of TRANSACTION_TYPES) {
      const members = fields.filter(({ form }) => form === 'id').map(({ member }) => member);
      expect(members, name).to.include.members(
        signers === 'parties' ? ['channel_id'].filter((m) => members.includes(m)) : [...signers],
      );
      expect(
        fields.some(({ form, member }) => form === 'nested' && member === 'tx'),
        name,
      ).to.equal(fields.at(-1)?.form === 'nested');
    }
  });
});

describe('a key of small order', () => {
  it('signs nothing: OpenSSL accepts signatures that anybody can make for it', async () => {
    const signature = Buffer.concat([Buffer.of(1), Buffer.alloc(63)]);
    const one = Buffer.concat([Buffer.of(1), Buffer.alloc(31)]);
    for (const key of [Buffer.alloc(32), one]) {
      for (let i = 0; i < 64; i++) expect(await isValidSignature(Buffer.of(i), signature, key)).to.equal(false);
    }
  });

  it('is told from others, also where it is not encoded in the usual way', async () => {
    const pair = keyPair(Buffer.alloc(32, 5));
    const message = Buffer.from('any');
    expect(await isValidSignature(message, pair.sign(message), pair.publicKey)).to.equal(true);
    const p = Buffer.from('edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f', 'hex');
    for (const first of [0xec, 0xed, 0xee]) {
      p[0] = first;
      expect(await isValidSignature(message, Buffer.concat([p, Buffer.alloc(32)]), p)).to.equal(false);
      expect(await isValidSignature(message, pair.sign(message), p)).to.equal(false);
    }
  });

  it('and bytes of another length are refused', async () => {
    const pair = keyPair(Buffer.alloc(32, 5));
    const message = Buffer.from('any');
    expect(await isValidSignature(message, pair.sign(message).subarray(1), pair.publicKey)).to.equal(false);
    expect(await isValidSignature(message, pair.sign(message), pair.publicKey.subarray(1))).to.equal(false);
  });
});
