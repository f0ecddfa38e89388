import { expect } from 'chai';
import type { Devnode } from '../../devtools/devnode/start.js';
import { closeDevnodes } from '../support/devnode.js';
import { described } from '../support/recorded-requests.js';
import { EXTERNAL_PORT, askAgain, comparable, recordedLines, recordedLive } from '../support/realnode.js';
import type { RecordedLine } from '../support/realnode.js';

/** The first recorded height of a token supply after a payment by a contract. */
const FIRST_CONTRACT = 45;

/** Answers that differ from those of the recorded node, and why. */
const EXCEPTIONS: readonly { why: string; is(line: RecordedLine): boolean }[] = [
  { why: 'every node has a key of its own', is: ({ path }) => path.endsWith('/debug/accounts/node') },
  {
    why: 'contracts are not run: payments from within them did not happen, the sum is the same',
    is: ({ path }) =>
      Number(/token-supply\/height\/(\d+)$/.exec(path)?.[1]) >= FIRST_CONTRACT && !path.endsWith('/1214'),
  },
  { why: 'the path of the specification is served', is: ({ path }) => path.endsWith('/oracles/oracle') },
  {
    why: "the specification's table of builders does not have this field",
    is: ({ path, request_body = '', note }) =>
      note !== 'bad json' &&
      ((path.endsWith('/transactions/spend') && !request_body.includes('"payload"')) ||
        (path.endsWith('/oracles/query') && !request_body.includes('"sender_id"')) ||
        (path.endsWith('/oracles/respond') && !request_body.includes('"oracle_id"'))),
  },
];

describe('the internal API of a live node that continues the recorded chain', () => {
  let devnode: Devnode;
  const asked = (['chain', 'errors', 'builders'] as const).flatMap((name) =>
    recordedLines(name).filter(({ port }) => port !== EXTERNAL_PORT),
  );

  before(async () => {
    devnode = await recordedLive();
    // Transactions that were pending at the recorded node.
    const pending = recordedLines('chain').find(({ path }) => path === '/v2/debug/transactions/pending')!;
    const { transactions } = JSON.parse(pending.body) as { transactions: { encoded_tx: string }[] };
    for (const { encoded_tx: tx } of transactions) {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ tx });
      await fetch(`${devnode.externalUrl}/v2/transactions`, { method: 'POST', headers, body });
    }
  });
  after(closeDevnodes);

  const isException = (line: RecordedLine): boolean => EXCEPTIONS.some(({ is }) => is(line));

  async function differs(line: RecordedLine): Promise<string | undefined> {
    const { status, body } = await askAgain(devnode, line);
    if (status === line.status && comparable(body) === comparable(line.body)) return undefined;
    return `${described(line)}: ${status} ${body}, not ${line.status} ${line.body}`;
  }

  it('answers builders, token supply, pool and all other requests as recorded (builders.jsonl, chain.jsonl, errors.jsonl)', async () => {
    const lines = asked.filter((line) => !isException(line));
    expect(lines.length).to.be.greaterThan(500);
    const different: string[] = [];
    for (const line of lines) {
      const difference = await differs(line);
      if (difference !== undefined) different.push(difference);
    }
    expect(different.join('\n')).to.equal('');
  });

  it('has the recorded sum of all coins at every height', async () => {
    const total = (body: string): string | undefined => /"total":(\d+)/.exec(body)?.[1];
    for (const line of asked.filter(({ path, status }) => path.includes('/token-supply/') && status === 200))
      expect(total((await askAgain(devnode, line)).body), line.path).to.equal(total(line.body));
  });

  it('differs only where a reason is given', async () => {
    for (const { why, is } of EXCEPTIONS) {
      const lines = asked.filter(is);
      const different = await Promise.all(lines.map(differs));
      expect(
        different.filter((each) => each !== undefined),
        why,
      ).not.to.deep.equal([]);
    }
  });
});
