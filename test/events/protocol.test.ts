import { expect } from 'chai';
import fc from 'fast-check';
import { formatCursor, parseCursor } from '../../src/events/cursor.js';
import { parseRequest } from '../../src/events/protocol.js';

const ACCOUNT = 'ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y';
const BLOCK = 'mh_JQbZK1KFhoq6RS8hmjaGY3ZDMer36Sep2qVpbPcBXgUQk8vTA';

const parse = (message: unknown): ReturnType<typeof parseRequest> =>
  parseRequest(Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)));

const errorOf = (message: unknown): string => {
  const parsed = parse(message);
  if (!('error' in parsed)) throw new Error('was understood');
  return parsed.error;
};

describe('the messages of clients', () => {
  for (const [kind, words] of Object.entries({
    key_blocks: ['key_blocks', 'KeyBlocks'],
    micro_blocks: ['micro_blocks', 'MicroBlocks'],
    transactions: ['transactions', 'Transactions'],
    tx_update: ['tx_update', 'TxUpdate'],
    rollback: ['rollback', 'Rollback'],
  })) {
    it(`${words.join(' and ')} mean the same, with either spelling of the operation`, () => {
      for (const word of words) {
        for (const op of ['subscribe', 'Subscribe', 'unsubscribe', 'Unsubscribe']) {
          expect(parse({ op, payload: word, target: 42, more: {} })).to.deep.equal({
            request: { op: op.toLowerCase(), topics: [{ kind, name: word }], lean: false },
          });
        }
      }
    });
  }

  it('object and Object require a target', () => {
    for (const name of ['object', 'Object']) {
      expect(parse({ op: 'subscribe', payload: name, target: ACCOUNT })).to.deep.equal({
        request: { op: 'subscribe', topics: [{ kind: 'object', name, target: ACCOUNT }], lean: false },
      });
    }
  });

  it('a list of subscriptions is accepted in the form of a reply', () => {
    const parsed = parse({ op: 'subscribe', subscriptions: ['KeyBlocks', 'transactions', ACCOUNT], since: BLOCK });

    expect(parsed).to.deep.equal({
      request: {
        op: 'subscribe',
        topics: [
          { kind: 'key_blocks', name: 'KeyBlocks' },
          { kind: 'transactions', name: 'transactions' },
          { kind: 'object', name: 'object', target: ACCOUNT },
        ],
        since: BLOCK,
        lean: false,
      },
    });
  });

  for (const [what, message] of Object.entries({
    'no JSON': 'hello',
    nothing: '',
    'an array': '[]',
    'a number': '7',
    null: 'null',
    'no op': { payload: 'key_blocks' },
    'an unknown op': { op: 'SUBSCRIBE', payload: 'key_blocks' },
    'an op that is no text': { op: 7, payload: 'key_blocks' },
    'an op of every object': { op: 'constructor', payload: 'key_blocks' },
    'no payload': { op: 'subscribe' },
    'a spelling between the columns': { op: 'subscribe', payload: 'KEY_BLOCKS' },
    'a payload called payload': { op: 'subscribe', payload: 'payload' },
    'a payload of every object': { op: 'subscribe', payload: '__proto__' },
    'a payload that is an array': { op: 'subscribe', payload: ['key_blocks'] },
    'no target': { op: 'subscribe', payload: 'object' },
    'a target that is no text': { op: 'subscribe', payload: 'object', target: 42 },
    'a list of targets': { op: 'subscribe', payload: 'object', target: [ACCOUNT] },
    'a target that is no identifier': { op: 'subscribe', payload: 'object', target: 'payload' },
    'a mistyped target': { op: 'subscribe', payload: 'object', target: ACCOUNT.replace('22', '23') },
    'an unknown entry': { op: 'subscribe', subscriptions: ['key_blocks', 7] },
    'a since that is no point': { op: 'subscribe', payload: 'key_blocks', since: ACCOUNT },
    'a from that is no height': { op: 'subscribe', payload: 'key_blocks', from: -1 },
    'since and from': { op: 'subscribe', payload: 'key_blocks', from: 1, since: BLOCK },
    'cursors that are no truth value': { op: 'subscribe', payload: 'key_blocks', cursors: 'yes' },
    'an unknown form of reply': { op: 'subscribe', payload: 'key_blocks', reply: 'short' },
  })) {
    it(`${what}: an error that does not look like an event`, () => {
      expect(errorOf(message)).to.be.a('string').and.not.contain('payload');
    });
  }

  it('bytes that are not UTF-8 are an error', () => {
    expect(parseRequest(Buffer.from([0xc3, 0x28]))).to.deep.equal({ error: 'not UTF-8' });
  });

  it('no text causes an exception', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const parsed = parse(text);
        if ('error' in parsed) expect(parsed.error).to.not.contain('payload');
      }),
    );
  });
});

describe('a cursor', () => {
  it('is parsed as it was formatted', () => {
    for (const transactions of [0, 1, 65_536, 'all'] as const) {
      const cursor = { seq: 12, block: BLOCK, transactions };
      expect(parseCursor(formatCursor(cursor))).to.deep.equal(cursor);
    }
  });

  it('of another form is refused', () => {
    for (const text of ['', '12', BLOCK, `x.${BLOCK}`, `1.${ACCOUNT}`, `1.${BLOCK}.`, `1.${BLOCK}.x`, `1.${BLOCK}x`]) {
      expect(parseCursor(text)).to.equal(undefined);
    }
  });
});
