import { expect } from 'chai';
import type { Devnode } from '../../devtools/devnode/start.js';
import { closeDevnodes } from '../support/devnode.js';
import { EXTERNAL_PORT, askAgain, comparable, recordedLines, recordedLive } from '../support/realnode.js';
import type { RecordedLine } from '../support/realnode.js';

/** Members that are different in each run. */
const VARYING = ['difficulty', 'hashrate', 'peer_pubkey', 'pubkey', 'uptime', 'utilization'];

const RICH_CONTRACT = 'GV68inYjmsaFLD7ygfA7ThtZ8vAxyGobv43kAnALM4oXQfbin';
const ORACLE_CONTRACT = '2FeTTk8QbqNogB249jrrq2Pu6RHfRJdkMdQExoYtm3UaVoMS4w';
const PAID_ACCOUNT = 'Bo5TFTJJpuGqXSFm5sWMCitSE2VSREEsVZJA1C3UGBTTuidji';

/** Paths whose answers differ from those of the recorded node, and why. */
const EXCEPTIONS: readonly { why: string; path: RegExp; method?: string }[] = [
  {
    why: 'contracts are not run: payments and creations from within one did not happen',
    path: new RegExp(
      `/accounts/((ct|ak)_(${RICH_CONTRACT}|${ORACLE_CONTRACT})|ak_${PAID_ACCOUNT}(/height/[1-9]\\d+)?)(\\?|$)`,
    ),
  },
  {
    why: 'contracts are not run: a contract made itself an oracle and was asked',
    path: new RegExp(`/oracles/ok_${ORACLE_CONTRACT}(/queries)?(\\?|/|$)`),
  },
  { why: 'there are no state trees, so that nothing can be proven', path: /\/ct_[^1]\w+\/poi$/ },
  { why: 'a candidate has the key and the time of its node', path: /\/key-blocks\/pending$/ },
  { why: 'the path of the specification is served', path: /^\/transactions$/, method: 'POST' },
];

/** Thousands of these requests are similar and answered from the blocks. Only one in ten is sent. */
const OF_BLOCKS = /^\/v[23]\/(key-blocks|generations|micro-blocks|transactions)\//;

const isException = ({ path, method }: RecordedLine): boolean =>
  EXCEPTIONS.some((exception) => exception.path.test(path) && (exception.method ?? 'GET') === method);

describe('a live node that continues the recorded chain', () => {
  let devnode: Devnode;

  before(async () => {
    devnode = await recordedLive();
    // Transactions that were pending at the recorded node.
    const pending = recordedLines('chain').find(({ path }) => path === '/v2/debug/transactions/pending')!;
    const { transactions } = JSON.parse(pending.body) as { transactions: { encoded_tx: string }[] };
    for (const { encoded_tx: tx } of transactions) {
      const post = {
        method: 'POST',
        path: '/v2/transactions',
        port: EXTERNAL_PORT,
        request_body: JSON.stringify({ tx }),
      };
      await askAgain(devnode, { ...pending, ...post });
    }
  });
  after(closeDevnodes);

  async function differs(line: RecordedLine): Promise<string | undefined> {
    const { status, body } = await askAgain(devnode, line);
    const [told, recorded] = [comparable(body, VARYING), comparable(line.body, VARYING)];
    if (status === line.status && told === recorded) return undefined;
    return `${line.method} ${line.path} ${line.request_body ?? ''}: ${status} ${told}, not ${line.status} ${recorded}`;
  }

  async function differences(lines: readonly RecordedLine[]): Promise<string[]> {
    const found: string[] = [];
    for (const line of lines) {
      const difference = await differs(line);
      if (difference !== undefined) found.push(difference);
    }
    return found;
  }

  for (const name of ['chain', 'errors'] as const) {
    it(`answers the external requests of ${name}.jsonl as recorded, from its own state`, async () => {
      const asked = recordedLines(name).filter(
        (line, at) =>
          line.port === EXTERNAL_PORT &&
          !isException(line) &&
          (name === 'errors' || !OF_BLOCKS.test(line.path) || at % 10 === 0),
      );
      expect(asked.length).to.be.greaterThan(name === 'chain' ? 800 : 180);
      expect(await differences(asked)).to.deep.equal([]);
    });
  }

  it('differs only where a reason is given', async () => {
    const lines = [...recordedLines('chain'), ...recordedLines('errors')].filter(({ port }) => port === EXTERNAL_PORT);
    for (const { why, path, method = 'GET' } of EXCEPTIONS) {
      const excepted = lines.filter((line) => path.test(line.path) && line.method === method);
      expect(excepted, why).not.to.deep.equal([]);
      expect(await differences(excepted), why).not.to.deep.equal([]);
    }
  });
});
