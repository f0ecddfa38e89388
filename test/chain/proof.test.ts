import { expect } from 'chai';
import { encodeId, hash } from '../../src/chain/encoding/encoding.js';
import { isObject, parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import { readGeneration, readKeyBlock, readMicroBlock } from '../../src/chain/facts.js';
import { MalformedError } from '../../src/chain/malformed.js';
import { describeFlaw, proveKeyBlock, proveMicroBlock } from '../../src/chain/proof/block.js';
import { keyBlockWithout, microBlockWithout } from '../../src/chain/proof/extra.js';
import type { Proof, ProofLevel } from '../../src/chain/proof/level.js';
import { decodeRlp } from '../../src/chain/serialize/decode-rlp.js';
import { microHeaderBytes } from '../../src/chain/serialize/headers.js';
import { encodeRlp, minimalBytes } from '../../src/chain/encoding/rlp.js';
import type { RlpItem } from '../../src/chain/encoding/rlp.js';
import { serializeSigned, serializeTransaction } from '../../src/chain/serialize/transactions.js';
import { transactionsRoot } from '../../src/chain/serialize/txs-root.js';
import { CERES, FORTUNA, IRIS, MINERVA } from '../../src/chain/protocol/versions.js';
import { RECORDINGS, recordedGenerations } from '../support/recording.js';

const generations = RECORDINGS.flatMap((of) => recordedGenerations(of));
const microBlocks = generations.flatMap(({ microBlocks: found }) => found);
const [anyBlock] = microBlocks;
const HEADER = parseExact(anyBlock!.header) as JsonObject;

/** Envelopes of recorded transactions. */
const envelopes = microBlocks.flatMap(
  ({ transactions }) => (parseExact(transactions) as { transactions: JsonObject[] }).transactions,
);
const ofType = (type: string): JsonObject =>
  envelopes.find(({ tx }) => isObject(tx) && tx['type'] === type && tx['query'] !== '')!;

function prove(header: string, transactions: Json | string, level: ProofLevel = 'full'): Proof {
  const text = typeof transactions === 'string' ? transactions : stringifyExact({ transactions });
  const { signed: _signed, header: _header, ...proof } = proveMicroBlock(readMicroBlock(header, text), level);
  return proof;
}

/** A micro block with these transactions and correct hashes. `signed`: their bytes. */
function sealed(
  transactions: readonly JsonObject[],
  signed: readonly Uint8Array[],
  version = CERES,
): { header: string; list: JsonObject[] } {
  const header = { ...HEADER, version, txs_hash: encodeId('bx', transactionsRoot(signed)) };
  const id = encodeId('mh', hash(microHeaderBytes(header)));
  const list = transactions.map((envelope) => ({ ...envelope, block_hash: id, block_height: HEADER['height']! }));
  return { header: stringifyExact({ ...header, hash: id }), list };
}

/** An envelope with any bytes, which need not match its JSON. */
const envelopeOf = (signed: Uint8Array, tx: JsonObject, signatures: Json = []): JsonObject => ({
  encoded_tx: encodeId('tx', signed),
  hash: encodeId('th', hash(signed)),
  signatures,
  tx,
});

const wrap = (unsigned: RlpItem, signatures: RlpItem = []): Uint8Array =>
  encodeRlp([minimalBytes(11), minimalBytes(1), signatures, encodeRlp(unsigned)]);

/** All variants of the value with one change: a digit, a character, or a missing member. */
function* changes(value: JsonObject, at = ''): Generator<{ path: string; changed: JsonObject }> {
  for (const [member, inner] of Object.entries(value)) {
    const path = at === '' ? member : `${at}.${member}`;
    for (const other of others(inner, path)) yield { path, changed: { ...value, [member]: other } };
    const { [member]: _, ...rest } = value;
    yield { path: `${path} (missing)`, changed: rest };
  }
}

function* others(value: Json, path: string): Generator<Json> {
  if (typeof value === 'number' || typeof value === 'bigint') {
    yield BigInt(value) + 1n;
    yield BigInt(value) * 10n + 1n;
  } else if (typeof value === 'string') {
    const at = Math.max(value.length - 3, 0);
    yield value.slice(0, at) + (value[at] === 'x' ? 'y' : 'x') + value.slice(at + 1);
    yield `${value}1`;
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      for (const other of others(item, path)) yield value.map((old, i) => (i === index ? other : old));
    yield [...value, value[0] ?? 0];
    if (value.length > 0) yield value.slice(1);
  } else if (isObject(value)) {
    for (const { changed } of changes(value, path)) yield changed;
    yield { ...value, colour: 'red' };
  }
}

/** Members that may be missing, because releases before 6.13 and 7.1 do not print them. */
const MAY_BE_MISSING = ['encoded_tx (missing)'];

/** Whether the change is refused or, for an unknown version, reported as unproven. */
function isFound(proving: () => Proof): boolean {
  try {
    const { flaw, unproven, extra } = proving();
    return flaw !== undefined || unproven.length > 0 || extra !== undefined;
  } catch (error) {
    if (error instanceof MalformedError) return true;
    throw error;
  }
}

/** Nodes before 7.3 do not print flags: those of most blocks follow from the other members. */
const lacksOnlyFlags = ({ flags }: JsonObject, path: string): boolean =>
  path === 'flags (missing)' && ['ba_gAAAAOYyHPU=', 'ba_wAAAAKv2ZV4=', 'ba_AAAAAIy5ASU='].includes(flags as string);

describe("proof of a node's answers", () => {
  it('proves every block and transaction of the recorded chains, at each level', () => {
    let transactions = 0;
    for (const level of ['headers', 'hashes', 'full'] as const) {
      for (const { generation, microBlocks: found } of generations) {
        const { header: _, ...key } = proveKeyBlock(readGeneration(generation).keyBlock, level);
        expect(key, generation).to.deep.equal({ unproven: [] });
        for (const block of found) {
          const proof = prove(block.header, block.transactions, level);
          expect(proof, block.hash).to.deep.equal({ unproven: [] });
          transactions += readMicroBlock(block.header, block.transactions).transactions.length;
        }
      }
    }
    expect(transactions).to.equal((444 + 336 + 90 + 39) * 3);
  });

  it('proves the recorded chains up to Iris without encoded_tx, as nodes before 6.13 give it', () => {
    for (const { header, transactions } of microBlocks) {
      const isIris = Number((parseExact(header) as JsonObject)['version']) <= IRIS;
      const list = (parseExact(transactions) as { transactions: JsonObject[] }).transactions.map(
        ({ encoded_tx: _, ...rest }) => rest,
      );
      for (const level of ['hashes', 'full'] as const) {
        const { flaw, unproven } = prove(header, list, level);
        expect(unproven).to.deep.equal([]);
        expect(flaw?.field).to.equal(isIris || list.length === 0 ? undefined : 'encoded_tx');
      }
    }
  });

  it('detects a change anywhere in three transactions of each recorded kind, with and without encoded_tx', () => {
    const seen = new Map<string, number>();
    let tried = 0;
    for (const { header, transactions } of microBlocks) {
      const { transactions: list } = parseExact(transactions) as { transactions: JsonObject[] };
      for (const [index, envelope] of list.entries()) {
        const kind = [...stringifyExact(envelope).matchAll(/"type":"\w+"/g)].join();
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
        if (seen.get(kind)! > 3) continue;
        const { encoded_tx: _, ...bare } = envelope;
        for (const variant of [envelope, bare]) {
          for (const { path, changed } of changes(variant)) {
            if (MAY_BE_MISSING.includes(path)) continue;
            if (path === 'tx' && withoutOptional(changed) === withoutOptional(variant)) continue;
            const altered = list.map((one, i) => (i === index ? changed : one));
            expect(
              isFound(() => prove(header, altered)),
              `${path}: ${stringifyExact(changed)}`,
            ).to.equal(true);
            tried += 1;
          }
        }
      }
    }
    expect(tried).to.be.greaterThan(4_500);
  });

  it('detects a change anywhere in a recorded header', () => {
    for (const { generation, microBlocks: found } of generations) {
      const { key_block: key, micro_blocks: hashes } = parseExact(generation) as Record<string, JsonObject>;
      for (const { path, changed } of changes(key!)) {
        if (isSameKeyBlock(key!, changed) || lacksOnlyFlags(key!, path)) continue;
        const text = stringifyExact({ key_block: changed, micro_blocks: hashes! });
        const changedFound = isFound(() => proveKeyBlock(readGeneration(text).keyBlock, 'headers'));
        expect(changedFound, `${path}: ${text}`).to.equal(true);
      }
      for (const { header, transactions } of found) {
        const members = parseExact(header) as JsonObject;
        for (const { path, changed } of changes(members)) {
          if (lacksOnlyFlags(members, path)) continue;
          const changedFound = isFound(() => prove(stringifyExact(changed), transactions, 'headers'));
          expect(changedFound, `${path}: ${header}`).to.equal(true);
        }
      }
    }
  });

  it('detects missing, added and exchanged transactions, and names the block', () => {
    const block = microBlocks.find(({ transactions }) => transactions.split('"encoded_tx"').length > 3)!;
    const { transactions: list } = parseExact(block.transactions) as { transactions: JsonObject[] };
    for (const level of ['hashes', 'full'] as const) {
      for (const altered of [[], list.slice(1), [...list, list[0]!], [list[1]!, list[0]!, ...list.slice(2)]]) {
        const { flaw } = prove(block.header, altered, level);
        expect(flaw).to.include({ block: block.hash, field: 'txs_hash' });
      }
    }
    expect(prove(block.header, [], 'headers').flaw).to.equal(undefined);
  });

  it('names the wrong member and the transaction, and says why', () => {
    const block = microBlocks.find(({ transactions }) => transactions.includes('"SpendTx"'))!;
    const { flaw } = prove(block.header, block.transactions.replace(/"amount":(\d+)/, '"amount":1$1'));

    expect(flaw).to.deep.include({ block: block.hash, field: 'amount' });
    expect(flaw!.reason).to.match(/^1(\d+) instead of \1$/);
    expect(describeFlaw(flaw!)).to.match(
      /^transaction th_\w+ of block mh_\w+ is not proven: amount: \d+ instead of \d+$/,
    );
  });

  it('accepts a micro block without transactions if its header matches', () => {
    const { header } = sealed([], []);
    expect(prove(header, [])).to.deep.equal({ unproven: [] });
  });

  it('leaves out members that the bytes do not contain, wherever they are', () => {
    const spend = ofType('SpendTx');
    const signed = serializeSigned(spend);
    const { header, list } = sealed([spend], [signed]);
    const [envelope] = list as [JsonObject];
    const more = { payer_id: 'ak_1', 'a.b': { c: 1 }, 'tx.a': 2 };
    const tx = { ...(envelope['tx'] as JsonObject), ...more, a: 1n << 70n };
    const longer = stringifyExact({ ...(parseExact(header) as JsonObject), colour: 'red' });
    const text = stringifyExact({ transactions: [{ ...envelope, ...more, tx }] });

    expect(prove(header, list)).to.deep.equal({ unproven: [] });
    const block = readMicroBlock(longer, text);
    const { flaw, unproven, extra } = proveMicroBlock(block, 'full');
    expect([flaw, unproven]).to.deep.equal([undefined, []]);
    const clean = microBlockWithout(block, extra!);
    expect(parseExact(clean.body)).to.deep.equal(parseExact(header));
    expect(clean.transactions.map(({ body }) => parseExact(body))).to.deep.equal(list);
    expect(clean.transactions[0]!.tx).to.deep.equal(envelope['tx']);

    const { key_block: key } = parseExact(generations[3]!.generation) as { key_block: JsonObject };
    const keyBlock = readKeyBlock(stringifyExact({ ...key, colour: 'red' }));
    const proof = proveKeyBlock(keyBlock, 'full');
    expect(parseExact(keyBlockWithout(keyBlock, proof.extra!).body)).to.deep.equal(key);
  });

  it('leaves out members in lists, also where texts are not UTF-8', () => {
    const update = envelopes.find(({ tx }) => isObject(tx) && (tx['pointers'] as Json[] | undefined)?.length === 1)!;
    const tx = update['tx'] as JsonObject;
    const [{ encoded_key: _, ...pointer }] = tx['pointers'] as [JsonObject];
    const items = decodeRlp(serializeTransaction(tx)) as RlpItem[];
    const at = items.findIndex((item) => !(item instanceof Uint8Array));
    const [[, value]] = items[at] as unknown as [[RlpItem, RlpItem]];
    items[at] = [[Uint8Array.of(0x61, 0xff, 0x62), value]];
    const signed = wrap(items);
    const clean = { ...tx, pointers: [{ ...pointer, key: 'a\ufffdb' }] };
    const more = { ...tx, pointers: [{ ...clean.pointers[0]!, 'colour[0].a': 'red' }] };
    const { header, list } = sealed([envelopeOf(signed, more)], [signed]);

    const block = readMicroBlock(header, stringifyExact({ transactions: list }));
    const { flaw, extra } = proveMicroBlock(block, 'full');
    expect(flaw).to.equal(undefined);
    expect(microBlockWithout(block, extra!).transactions.map(({ tx: stored }) => stored)).to.deep.equal([clean]);
  });

  it('refuses any spelling but that of nodes of the time', () => {
    const inHeader = (header: string, from: RegExp, to: string): string => {
      const altered = header.replace(from, to);
      expect(altered, String(from)).not.to.equal(header);
      return altered;
    };
    const { header } = microBlocks.find(({ header: text }) => text.includes('"prev_hash":"mh_'))!;
    const wrongHeaders = [
      inHeader(header, /"prev_hash":"mh_/, '"prev_hash":"kh_'),
      inHeader(header, /"prev_key_hash":"kh_/, '"prev_key_hash":"mh_'),
      inHeader(header, /"state_hash":"bs_/, '"state_hash":"bx_'),
      inHeader(header, /"txs_hash":"bx_/, '"txs_hash":"bs_'),
      inHeader(header, /"pof_hash":"no_fraud",/, ''),
      inHeader(header, /"height":(\d+)/, '"height":"$1"'),
    ];
    for (const wrong of wrongHeaders)
      expect(
        isFound(() => prove(wrong, [], 'headers')),
        wrong,
      ).to.equal(true);

    const ofTransaction = (type: string, from: RegExp, to: string): Proof => {
      const envelope = ofType(type);
      const { header: sealedHeader, list } = sealed([envelope], [serializeSigned(envelope)]);
      return prove(sealedHeader, inHeader(stringifyExact({ transactions: list }), from, to));
    };
    for (const [type, from, to] of [
      ['SpendTx', /"amount":(\d+)/, '"amount":"$1"'],
      ['SpendTx', /"nonce":\d+/, '"nonce":"0x0001"'],
      ['SpendTx', /"payload":"ba_[^"]*"/, '"payload":""'],
      ['SpendTx', /"sender_id":"ak_/, '"sender_id":"ct_'],
      ['SpendTx', /"encoded_tx":"[^"]*",/, ''],
      ['ContractCallTx', /"abi_version":(\d)/, '"abi_version":"0x000$1"'],
      ['ContractCallTx', /"abi_version":(\d)/, '"vm_version":$1'],
      ['ContractCreateTx', /"vm_version":(\d)/, '"vm_version":"0x000$1"'],
      ['NameClaimTx', /"version":2/, '"version":1'],
      ['GAMetaTx', /"hash":/, '"signatures":[],"hash":'],
      ['GAAttachTx', /"auth_fun":"0x[^"]*"/, '"auth_fun":"0xAB"'],
    ] as const)
      expect(ofTransaction(type, from, to).flaw, `${type} ${to}`).not.to.equal(undefined);
  });

  it('accepts the spelling of old nodes in blocks of their protocols alone', () => {
    const call = ofType('ContractCallTx');
    const spelled = (version: number, from: RegExp, to: string, envelope = call): Proof => {
      const { header, list } = sealed([envelope], [serializeSigned(envelope)], version);
      return prove(header, stringifyExact({ transactions: list }).replace(from, to));
    };
    const old: [number, RegExp, string, JsonObject?][] = [
      [FORTUNA, /"abi_version":(\d)/, '"abi_version":"0x000$1"'],
      [MINERVA, /"abi_version":(\d)/, '"vm_version":$1'],
      [IRIS, /"encoded_tx":"[^"]*",/, ''],
      [FORTUNA, /"type":"ContractCallTx"/, '$&,"ttl":0', withoutTtl(call)],
    ];
    for (const [newest, from, to, envelope] of old) {
      expect(spelled(newest, from, to, envelope).flaw, to).to.equal(undefined);
      expect(spelled(newest + 1, from, to, envelope).flaw, to).not.to.equal(undefined);
    }
  });

  it('refuses two members with the same name', () => {
    const spend = ofType('SpendTx');
    const { header, list } = sealed([spend], [serializeSigned(spend)]);
    const text = stringifyExact({ transactions: list });

    expect(prove(header, text.replace('"amount":', '"amount":5,"amount":')).flaw?.reason).to.include('the same name');
    expect(prove(header.replace('"time":', '"time":5,"time":'), list).flaw?.reason).to.include('the same name');
  });

  it('refuses integers that are not printed as digits, which other programs would read as floats or refuse', () => {
    const spend = ofType('SpendTx');
    const { header, list } = sealed([spend], [serializeSigned(spend)]);
    const text = stringifyExact({ transactions: list });
    const reason = 'an integer is not printed as digits';
    for (const form of ['$1.0', '$1e0', '$1E+0', ' $1.0']) {
      for (const member of ['fee', 'nonce', 'block_height']) {
        const altered = text.replace(new RegExp(`"${member}":(\\d+)`), `"${member}":${form}`);
        expect(prove(header, altered).flaw, `${member} ${form}`).to.include({ reason });
      }
      expect(prove(header.replace(/"time":(\d+)/, `"time":${form}`), list).flaw, form).to.include({ reason });
    }
    const zero = { ...(spend['tx'] as JsonObject), amount: 0 };
    const signed = wrap(decodeRlp(serializeTransaction(zero)));
    const free = sealed([envelopeOf(signed, zero)], [signed]);
    expect(prove(free.header, free.list)).to.deep.equal({ unproven: [] });
    const negative = stringifyExact({ transactions: free.list }).replace('"amount":0', '"amount":-0');
    expect(prove(free.header, negative).flaw).to.include({ reason });
  });

  it('accepts such numbers within texts', () => {
    const query = { ...(ofType('OracleQueryTx')['tx'] as JsonObject), query: 'a:1.5, [2e3 and "b":-0' };
    const signed = wrap(decodeRlp(serializeTransaction(query)));
    const { header, list } = sealed([envelopeOf(signed, query)], [signed]);
    expect(prove(header, list)).to.deep.equal({ unproven: [] });
  });

  it('reports unknown types as unproven, and refuses known bytes under an unknown type', () => {
    const vote = wrap([minimalBytes(83), minimalBytes(1), minimalBytes(7)]);
    const { header, list } = sealed([envelopeOf(vote, { type: 'HCVoteTx', epoch: 7, version: 1 })], [vote]);
    const [envelope] = list as [JsonObject];

    const proof = prove(header, list);
    expect(proof.flaw).to.equal(undefined);
    expect(proof.unproven).to.have.length(1);
    expect(proof.unproven[0]).to.include({ hash: envelope['hash'], type: 'HCVoteTx' });
    // Its bytes are still part of the proof.
    expect(prove(header, []).flaw).to.include({ field: 'txs_hash' });

    const { encoded_tx: _, ...bare } = envelope;
    expect(prove(header, [bare]).flaw).to.include({ transaction: envelope['hash'] });

    const spend = ofType('SpendTx');
    const known = sealed([{ ...spend, tx: { type: 'HCVoteTx', version: 1 } }], [serializeSigned(spend)]);
    expect(prove(known.header, known.list).flaw).to.include({ transaction: spend['hash'] });
  });

  it('reports blocks of a later version as unproven', () => {
    const later = stringifyExact({ ...HEADER, version: 7, hash: anyBlock!.hash });
    expect(prove(later, anyBlock!.transactions, 'headers').unproven).to.deep.equal([
      { hash: anyBlock!.hash, type: 'MicroBlock', reason: 'version 7' },
    ]);
  });

  it('proves texts that are not UTF-8 as the node prints them', () => {
    const query = ofType('OracleQueryTx')['tx'] as JsonObject;
    const items = decodeRlp(serializeTransaction(query)) as RlpItem[];
    items[5] = Uint8Array.of(0x61, 0xff, 0xfe, 0x62);
    const signed = wrap(items);
    const says = (text: string): Proof => {
      const { header, list } = sealed([envelopeOf(signed, { ...query, query: text })], [signed]);
      return prove(header, list);
    };

    expect(says('a\ufffd\ufffdb')).to.deep.equal({ unproven: [] });
    expect(says('a\ufffdb')).to.deep.equal({ unproven: [] });
    expect(says('a\ufffdc').flaw).to.include({ field: 'query' });
  });
});

function withoutTtl(envelope: JsonObject): JsonObject {
  const { ttl: _, ...tx } = envelope['tx'] as JsonObject;
  return envelopeOf(serializeSigned({ signatures: [], tx }), tx);
}

/** A pointer may have only the text of its key, and absent signatures may be an empty list. */
const withoutOptional = (envelope: JsonObject): string =>
  stringifyExact(envelope).replace(/"encoded_key":"[^"]*",?|"signatures":\[\],?/g, '');

/** In a genesis block, nonce and proof of work are absent, and an empty `info` may be absent. The bytes are the same. */
function isSameKeyBlock(block: JsonObject, changed: JsonObject): boolean {
  return block['info'] === 'cb_Xfbg4g==' && changed['info'] === undefined;
}
