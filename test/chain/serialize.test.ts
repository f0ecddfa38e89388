import { expect } from 'chai';
import { decodeId, encodeId, hash } from '../../src/chain/encoding/encoding.js';
import { parseExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { differenceOf } from '../../src/chain/proof/members.js';
import { keyHeaderBytes, microHeaderBytes } from '../../src/chain/serialize/headers.js';
import { textBytes } from '../../src/chain/serialize/fields.js';
import { parseSigned } from '../../src/chain/serialize/parse.js';
import { encodeRlp, minimalBytes } from '../../src/chain/encoding/rlp.js';
import { signedMessage } from '../../src/chain/protocol/signing.js';
import { keyPair, verifySignature } from '../../devtools/devnode/generate/signing.js';
import {
  serializeSigned,
  serializeTransaction,
  signedTransactionHash,
  wrapSigned,
} from '../../src/chain/serialize/transactions.js';
import { BUILDER_VECTORS, KEY_BLOCK_41838, MICRO_BLOCK_41838, SIGNED_SPEND } from '../fixtures/serialize-vectors.js';
import { CERES } from '../../src/chain/protocol/versions.js';
import { RECORDINGS, recording } from '../support/recording.js';

/** Objects that the recorded nodes answered to matching paths. */
const recordedBodies = (path: RegExp): JsonObject[] =>
  RECORDINGS.flatMap((of) => [...recording(of)])
    .filter(([request, { status }]) => status === 200 && path.test(request.slice('GET '.length)))
    .map(([, { body }]) => parseExact(body) as JsonObject);

describe('RLP', () => {
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

  it('writes small bytes as themselves, short and long strings and lists with their length', () => {
    expect(hex(encodeRlp(Uint8Array.of(0x7f)))).to.equal('7f');
    expect(hex(encodeRlp(Uint8Array.of(0x80)))).to.equal('8180');
    expect(hex(encodeRlp([]))).to.equal('c0');
    expect(hex(encodeRlp(new Uint8Array(55))).slice(0, 4)).to.equal('b700');
    expect(hex(encodeRlp(new Uint8Array(56))).slice(0, 6)).to.equal('b83800');
    expect(hex(encodeRlp([new Uint8Array(300)])).slice(0, 12)).to.equal('f9012fb9012c');
  });

  it('writes integers without leading zeros and zero as one zero byte', () => {
    expect([0, 1, 255, 256, 2n ** 64n].map((n) => hex(minimalBytes(n)))).to.deep.equal([
      '00',
      '01',
      'ff',
      '0100',
      '010000000000000000',
    ]);
    expect(() => minimalBytes(-1)).to.throw(RangeError);
  });
});

describe('serialised transactions', () => {
  for (const { title, tx, expected } of BUILDER_VECTORS) {
    it(`equal what the node's builder gives for ${title}`, () => {
      expect(encodeId('tx', serializeTransaction(tx))).to.equal(expected);
    });
  }

  it('equal `encoded_tx` and give the hash for every recorded transaction, and are read again as the node prints them', () => {
    const types = new Set<unknown>();
    for (const envelope of recordedBodies(/^\/v2\/transactions\/th_\w+$/)) {
      const tx = envelope['tx'] as JsonObject;
      types.add(tx['type']);
      const signed = serializeSigned(envelope, { protocol: CERES });
      expect(encodeId('tx', signed), envelope['hash'] as string).to.equal(envelope['encoded_tx']);
      expect(signedTransactionHash(signed)).to.equal(envelope['hash']);
      expect(differenceOf(tx, parseSigned(signed).tx, { protocol: CERES }), envelope['hash'] as string).to.equal(
        undefined,
      );
    }
    expect(types.size).to.equal(25);
  });

  it('have valid signatures of the network id and the hash', () => {
    const { seed, publicKey, networkId, tx, signature, encoded, transactionHash } = SIGNED_SPEND;
    const key = keyPair(Buffer.from(seed, 'hex'));
    const unsigned = serializeTransaction(tx);
    const message = signedMessage(unsigned, networkId);

    const made = key.sign(message);

    expect(encodeId('ak', key.publicKey)).to.equal(publicKey);
    expect(encodeId('sg', made)).to.equal(signature);
    expect(verifySignature(message, decodeId(signature, 'sg'), key.publicKey)).to.equal(true);
    expect(encodeId('tx', wrapSigned([made], unsigned))).to.equal(encoded);
    expect(signedTransactionHash(wrapSigned([made], unsigned))).to.equal(transactionHash);
  });

  it('encode different lone surrogates differently', () => {
    expect(Buffer.from(textBytes('a\ud800b😀\udc00')).toString('hex')).to.equal('61eda08062f09f9880edb080');
  });

  it('are refused when a member is missing, negative or of another kind', () => {
    const spend = SIGNED_SPEND.tx as JsonObject;
    expect(() => serializeTransaction({ ...spend, amount: -1 })).to.throw('amount');
    expect(() => serializeTransaction({ ...spend, fee: 'x' })).to.throw('fee');
    expect(() => serializeTransaction({ ...spend, sender_id: 'kh_1' })).to.throw('sender_id');
    expect(() => serializeTransaction({ ...spend, type: 'HCVoteTx' })).to.throw('HCVoteTx');
  });
});

describe('block headers', () => {
  it('give the hash of every recorded key block and micro block', () => {
    for (const block of recordedBodies(/^\/v2\/key-blocks\/height\/\d+$/)) {
      expect(encodeId('kh', hash(keyHeaderBytes(block)))).to.equal(block['hash']);
    }
    for (const header of recordedBodies(/^\/v2\/micro-blocks\/hash\/\w+\/header$/)) {
      expect(encodeId('mh', hash(microHeaderBytes(header)))).to.equal(header['hash']);
    }
  });

  it('give the hashes of blocks of the main network', () => {
    expect(encodeId('kh', hash(keyHeaderBytes(KEY_BLOCK_41838)))).to.equal(KEY_BLOCK_41838.hash);
    expect(encodeId('mh', hash(microHeaderBytes(MICRO_BLOCK_41838)))).to.equal(MICRO_BLOCK_41838.hash);
  });

  it('are refused with the name of the wrong member', () => {
    expect(() => keyHeaderBytes({ ...KEY_BLOCK_41838, pow: [1, 2] })).to.throw('pow');
    expect(() => keyHeaderBytes({ ...KEY_BLOCK_41838, nonce: 2n ** 64n })).to.throw('nonce');
    expect(() => microHeaderBytes({ ...MICRO_BLOCK_41838, time: 1.5 })).to.throw('time');
  });
});
