import { expect } from 'chai';
import { readGeneration, readKeyBlock, readMicroBlock, readTransaction } from '../../src/chain/facts.js';
import { MalformedError } from '../../src/chain/malformed.js';
import { recordedGenerations } from '../support/recording.js';

const keyBlock = {
  beneficiary: 'ak_1',
  hash: 'kh_1',
  height: 7,
  miner: 'ak_2',
  prev_hash: 'mh_1',
  prev_key_hash: 'kh_0',
  state_hash: 'bs_1',
  target: 553699495,
  time: 1795238655279,
  version: 6,
};
const header = { hash: 'mh_1', height: 7, prev_hash: 'kh_1', prev_key_hash: 'kh_1', time: 5, version: 6 };
const spend =
  '{"amount":20000000000000000000,"fee":16840000000000,"nonce":130,"payload":"ba_Xfbg4g==",' +
  '"recipient_id":"ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y",' +
  '"sender_id":"ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf","ttl":1300,"type":"SpendTx","version":1}';

describe('reading key blocks', () => {
  it('accepts only times that a date can have, which exports and event lines print', () => {
    const latest = 8_640_000_000_000_000;
    const micro = (time: number) => readMicroBlock(JSON.stringify({ ...header, time }), '{"transactions":[]}');
    expect(readKeyBlock(JSON.stringify({ ...keyBlock, time: latest })).time).to.equal(latest);
    expect(micro(latest).time).to.equal(latest);
    for (const read of [
      () => readKeyBlock(JSON.stringify({ ...keyBlock, time: latest + 1 })),
      () => micro(latest + 1),
    ]) {
      expect(read).to.throw(MalformedError, /time is not an integer from 0 to 8640000000000000/);
    }
  });

  it('returns the exact text, including nonces beyond 2^53', () => {
    const text = ` {"nonce": 16531548814561334946, ${JSON.stringify(keyBlock).slice(1)}\n`;

    const block = readKeyBlock(text);

    expect(block.body).to.equal(text.trim());
    expect(block).to.include({ height: 7, hash: 'kh_1', prevHash: 'mh_1', prevKeyHash: 'kh_0', beneficiary: 'ak_1' });
    expect(block).to.include({ time: 1795238655279, version: 6, target: 553699495n });
  });

  it('does not require nonce, pow and info', () => {
    expect(readKeyBlock(JSON.stringify({ ...keyBlock, height: 0, time: 0 }))).to.include({ height: 0, time: 0 });
  });

  for (const field of ['hash', 'height', 'prev_hash', 'prev_key_hash', 'beneficiary', 'time', 'version', 'target']) {
    it(`names ${field} when it is missing or ill-typed`, () => {
      const missing = JSON.stringify({ ...keyBlock, [field]: undefined });
      const illTyped = JSON.stringify({ ...keyBlock, [field]: null });

      expect(() => readKeyBlock(missing)).to.throw(MalformedError, field);
      expect(() => readKeyBlock(illTyped)).to.throw(MalformedError, field);
    });
  }

  for (const height of ['-1', '1.5', '1e300', '12345678901234567890', '2147483648', '"7"']) {
    it(`refuses the height ${height}`, () => {
      const text = JSON.stringify(keyBlock).replace('"height":7', `"height":${height}`);
      expect(() => readKeyBlock(text)).to.throw(MalformedError, 'height');
    });
  }
});

describe('reading generations', () => {
  it('returns the key block exactly as it was printed', () => {
    const block = JSON.stringify(keyBlock, null, 1);

    const { keyBlock: read, microHashes } = readGeneration(
      `{"micro_blocks": ["mh_1", "mh_2"], "key_block": ${block} }`,
    );

    expect(read.body).to.equal(block);
    expect(microHashes).to.deep.equal(['mh_1', 'mh_2']);
  });

  for (const text of ['[]', '{}', '{"key_block":1,"micro_blocks":[]}', '{"key_block":{', '']) {
    it(`refuses ${text || 'an empty answer'}`, () => expect(() => readGeneration(text)).to.throw(MalformedError));
  }

  it('refuses a list of micro blocks with an element that is not a hash', () => {
    const text = JSON.stringify({ key_block: keyBlock, micro_blocks: ['mh_1', 2] });
    expect(() => readGeneration(text)).to.throw(MalformedError, 'micro_blocks');
  });
});

describe('reading micro blocks', () => {
  const read = (transactions: string) => readMicroBlock(JSON.stringify(header), transactions);

  it('returns each transaction as it was printed, and the position of the inner one', () => {
    const envelope = `{ "hash" : "th_1",\t"signatures":[ "sg_1"], "tx": ${spend}, "more": "\\"tx\\":" }`;

    const [transaction] = read(`{"transactions": [\n${envelope}\n]}`).transactions;

    expect(transaction).to.include({ hash: 'th_1', type: 'SpendTx', body: envelope, fee: 16840000000000n, info: null });
    const { txStart, txLength } = transaction!;
    expect(envelope.slice(txStart - 1, txStart - 1 + txLength)).to.equal(spend);
    expect(transaction!.tx).to.include({ amount: 20000000000000000000n, nonce: 130 });
  });

  it('counts 267 bytes for the published spend, however it is printed', () => {
    const spread = spend.replaceAll(',', ' ,\n  ').replaceAll('":', '" : ');

    const sizes = read(`{"transactions":[{"hash":"th_1","tx":${spend}},{"hash":"th_2","tx":${spread}}]}`).transactions;

    expect(sizes.map(({ size }) => size)).to.deep.equal([267, 267]);
  });

  it('counts positions in characters, not in UTF-16 units', () => {
    const inner = '{"payload":"😀😀","type":"SpendTx"}';
    const envelope = `{"hash":"th_1","note":"😀é","tx":${inner}}`;

    const { txStart, txLength, size } = readTransaction(envelope);

    const characters = [...envelope];
    expect(characters.slice(txStart - 1, txStart - 1 + txLength).join('')).to.equal(inner);
    expect(size).to.equal(Buffer.byteLength(inner));
  });

  it('accepts any inner transaction that has a type', () => {
    const odd = '{"type":"NoSuchTx","fee":"no number","amount":null,"nonce":-1.5e300,"__proto__":{"fee":5}}';

    const [transaction] = read(`{"transactions":[{"hash":"th_1","tx":${odd}}]}`).transactions;

    expect(transaction).to.include({ type: 'NoSuchTx', fee: 0n });
  });

  it('reads fees printed as text and beyond 64 bits', () => {
    const fees = ['"123"', '123456789012345678901234567890'].map(
      (fee) => `{"hash":"th_1","tx":{"type":"X","fee":${fee}}}`,
    );

    const { transactions } = read(`{"transactions":[${fees.join(',')}]}`);

    expect(transactions.map(({ fee }) => fee)).to.deep.equal([123n, 123456789012345678901234567890n]);
  });

  it('replaces types that are not one word by one name', () => {
    const types = [String.raw`Zero\u0000Tx`, 'a b', 'x'.repeat(65), 'SpendTx'];
    const list = types.map((type) => `{"hash":"th_1","tx":{"type":"${type}"}}`);

    const { transactions } = read(`{"transactions":[${list.join(',')}]}`);

    expect(transactions.map(({ type }) => type)).to.deep.equal(['unknown', 'unknown', 'unknown', 'SpendTx']);
  });

  const faults = {
    'a hash that no path and no database can hold': String.raw`{"transactions":[{"hash":"th_\u0000","tx":{"type":"X"}}]}`,
    'a transaction without hash': '{"transactions":[{"tx":{"type":"SpendTx"}}]}',
    'a transaction without inner transaction': '{"transactions":[{"hash":"th_1"}]}',
    'an inner transaction without type': '{"transactions":[{"hash":"th_1","tx":{}}]}',
    'an inner transaction that is a list': '{"transactions":[{"hash":"th_1","tx":[]}]}',
    'no list': '{"transactions":{}}',
    'half an answer': '{"transactions":[{"hash":"th_1","tx":{"type":"SpendTx"}}',
    nothing: '',
  };
  for (const [what, text] of Object.entries(faults)) {
    it(`refuses ${what}`, () => expect(() => read(text)).to.throw(MalformedError));
  }

  it('names a header field that is missing', () => {
    const text = JSON.stringify({ ...header, time: undefined });
    expect(() => readMicroBlock(text, '{"transactions":[]}')).to.throw(MalformedError, 'time');
  });
});

describe('reading the recorded chain', () => {
  it('returns every body as the node printed it', () => {
    for (const { keyBlock: text, generation, microBlocks } of recordedGenerations()) {
      const read = readGeneration(generation);
      expect(read.keyBlock.body).to.equal(text);
      expect(read.microHashes).to.deep.equal(microBlocks.map(({ hash }) => hash));
      for (const { header: headerText, transactions } of microBlocks) {
        const micro = readMicroBlock(headerText, transactions);
        expect(micro.body).to.equal(headerText);
        expect(`{"transactions":[${micro.transactions.map(({ body }) => body).join(',')}]}`).to.equal(transactions);
        for (const { body, txStart, txLength, tx } of micro.transactions) {
          const inner = [...body].slice(txStart - 1, txStart - 1 + txLength).join('');
          expect(JSON.parse(inner)).to.have.property('type', tx['type']);
        }
      }
    }
  });
});
