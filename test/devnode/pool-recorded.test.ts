import { expect } from 'chai';
import { isObject, parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { closeDevnodes } from '../support/devnode.js';
import { EXTERNAL_PORT, askAgain, comparable, recordedLines, recordedLive } from '../support/realnode.js';
import type { RecordedLine } from '../support/realnode.js';

/** The posts were made in this generation of the recorded chain. */
const HEIGHT = 212;
/** Numbers of the lines before which the recorded node made a block. */
const FIRST_QUESTION = 21;
const AFTER_A_BLOCK = 47;
const LAST_BLOCK = 97;

/** Keys and times, and values that are derived from them. */
const VARYING = [
  'block_hash',
  'difficulty',
  'genesis_key_block_hash',
  'hashrate',
  'peer_pubkey',
  'top_key_block_hash',
  'uptime',
];

/**
 * Before the recording, a transaction of an account that does not exist was in the pool of the recorded node. Here it is refused, because the
 * specification refuses accounts without coins. So it is not known and not counted, until a block drops it.
 */
const isOfUnfunded = ({ note }: RecordedLine): boolean => note?.startsWith('sender never funded') ?? false;
const UNFUNDED_ID = /^th_2Yfem/;
const countsUnfunded = ({ path }: RecordedLine, at: number): boolean => path.endsWith('/status') && at < AFTER_A_BLOCK;

function withoutUnfunded(body: string): string {
  const answer = body === '' ? undefined : parseExact(body);
  if (!isObject(answer) || !Array.isArray(answer['transactions'])) return body;
  const transactions = (answer['transactions'] as JsonObject[]).filter(({ hash }) => !UNFUNDED_ID.test(hash as string));
  return stringifyExact({ ...answer, transactions });
}

describe('posting the transactions that were posted to the recorded node', () => {
  let devnode: Devnode;
  const lines = recordedLines('pool');

  before(async () => {
    devnode = await recordedLive({ fromHeight: HEIGHT - 1 });
    await devnode.mineKeyBlock();
    // The other transaction that was already pending, the first one in the first list of pending transactions.
    const { body } = lines.find(({ path }) => path === '/v2/debug/transactions/pending')!;
    const [{ encoded_tx: tx }] = (JSON.parse(body) as { transactions: [{ encoded_tx: string }] }).transactions;
    const post = {
      method: 'POST',
      path: '/v2/transactions',
      port: EXTERNAL_PORT,
      request_body: JSON.stringify({ tx }),
    };
    expect(await askAgain(devnode, { ...lines[0]!, ...post })).to.have.property('status', 200);
  });
  after(closeDevnodes);

  it('gets the recorded answers: errors, repeated and pending transactions, nonces, inclusion', async () => {
    for (const [at, line] of lines.entries()) {
      if (at === FIRST_QUESTION) await devnode.addMicroBlock({ txs: 1 });
      if (at === AFTER_A_BLOCK) {
        await devnode.mineKeyBlock();
        await devnode.addMicroBlock();
      }
      if (at === LAST_BLOCK) await devnode.mineKeyBlock();
      const { status, body } = await askAgain(devnode, line);
      if (isOfUnfunded(line)) {
        expect([status, body]).to.deep.equal([
          400,
          '{"error_code":"insufficient_funds","reason":"Insufficient balance"}',
        ]);
        continue;
      }
      const masked = countsUnfunded(line, at) ? [...VARYING, 'pending_transactions_count'] : VARYING;
      const told = [status, comparable(body, masked)];
      expect(told, `line ${at}, ${line.path}, ${line.note ?? ''}`).to.deep.equal([
        line.status,
        comparable(withoutUnfunded(line.body), masked),
      ]);
    }
  });
});
