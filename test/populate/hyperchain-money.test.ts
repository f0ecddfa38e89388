/** What the Rosetta interface of a recorded hyperchain tells of contract calls: it lists neither rewards nor calls of the node itself. */
import { expect } from 'chai';
import { exactInteger, isObject, parseExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { readKeyBlock } from '../../src/chain/facts.js';
import { GAPS } from '../../src/chain/money/movement.js';
import { KINDS } from '../../src/chain/money/kinds.js';
import { keyPosition } from '../../src/chain/position.js';
import type { ChainNode } from '../../src/node/client.js';
import { createRosettaNode } from '../../src/node/rosetta.js';
import type { RosettaNode } from '../../src/node/rosetta.js';
import { createMetrics } from '../../src/observe/metrics.js';
import { checkBalances } from '../../src/populate/check-balances.js';
import { fenceBesideWriter } from '../../src/store/lease.js';
import { writeIdentity } from '../../src/store/chain-state.js';
import type { Database } from '../../src/store/connection/database.js';
import { NO_WORK, silent, syncContext, syncFully } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { differencesIn } from '../support/filled.js';
import { keepMoney } from '../support/keep-money.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedBalances, recordedChanges } from '../support/recorded-money.js';
import { recordedNode } from '../support/recorded-node.js';
import { recordedGenerations } from '../support/recording.js';
import { startRosetta } from '../support/rosetta.js';
import type { RosettaServer } from '../support/rosetta.js';
import { emptyCopy } from '../support/roles.js';

const OF = 'realnode-hyperchain';
const TOP = 67;

const asObject = (text: string): JsonObject => {
  const value = parseExact(text);
  return isObject(value) ? value : {};
};
/** Of the network itself: Rosetta lists nothing for them. */
const ITS_OWN = [
  'ak_LRbi65kmLtE7YMkG6mvG5TxAXTsPJDZjAtsPuaXtRyPA7gnfJ',
  'ak_KJgjAXMtRF68AbT5A2aC9fTk8PA4WFv26cFSY27fXs6FtYQHK',
  'ak_11111111111111111111111111111115rHyByZ',
];

describe('the money of a hyperchain whose node tells what contracts paid', () => {
  let server: TestDatabase;
  let database: Database;
  let rosetta: RosettaServer;
  let client: RosettaNode;
  const balances = recordedBalances(OF);
  const node: ChainNode = { ...recordedNode(undefined, OF), get: (path) => Promise.resolve(balances(path)) };

  before(async () => {
    server = await testDatabase();
    rosetta = await startRosetta(OF);
    client = createRosettaNode({ url: rosetta.url, timeoutMs: 10_000 });
    database = await emptyCopy(server.url);
    await writeIdentity(database, {
      networkId: 'hc_rec1',
      genesisHash: readKeyBlock(recordedGenerations(OF)[0]!.keyBlock).hash,
    });
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
    await work();
  });
  after(async () => {
    client.close();
    await database.close();
    await rosetta.close();
    await server.drop();
  });

  /** Works as the populator does, until everything is written and each generation with a gap has been asked about. */
  async function work(): Promise<void> {
    await keepMoney({ database, node, rosetta: client }, async () => {
      const { rows } = await database.query<{ is_done: boolean }>({
        name: 'test.hyperchain-ledger',
        text: `
          SELECT position >= $1 AND NOT EXISTS (SELECT FROM ledger_rewrites)
            AND NOT EXISTS (SELECT FROM ledger_questions WHERE attempts = 0) AS is_done
          FROM ledger`,
        values: [keyPosition(TOP)],
      });
      return rows[0]?.is_done === true;
    });
  }

  const numbers = async (text: string): Promise<number[]> =>
    (await database.query<{ n: string }>({ name: `test.hc-${text.length}`, text })).rows.map(({ n }) => Number(n));

  it('has the payments inside calls from the node, except of a generation in which the node replays with other gas', async () => {
    const paid = await numbers(`SELECT count(*) AS n FROM movements WHERE from_node AND kind = ${KINDS.payment.code}`);
    expect(paid[0]).to.be.above(0);
    const left = await numbers(
      `SELECT DISTINCT position >> 33 AS n FROM ledger_gaps WHERE gaps & ${GAPS.inside} <> 0 ORDER BY 1`,
    );
    expect(left.every((height) => height % 10 === 9)).to.equal(true);
    const waiting = await numbers('SELECT height AS n FROM ledger_questions ORDER BY 1');
    expect(waiting).to.deep.equal(left);
    expect(await differencesIn(database)).to.deep.equal([]);
  });

  it('keeps the gap of what contracts pay the leaders at each key block', async () => {
    const heights = await numbers(
      `SELECT position >> 33 AS n FROM ledger_gaps WHERE gaps & ${GAPS.reward} <> 0 AND position & 8589934591 = 0 ORDER BY 1`,
    );
    expect(heights).to.deep.equal(Array.from({ length: TOP }, (_, i) => i + 1));
  });

  it('adds up to the balances of the node after each micro block, without the accounts of the network and those generations', async () => {
    const { rows } = await database.query<{ hash: string; id: string; amount: string }>({
      name: 'test.hc-changes',
      text: `
        SELECT b.hash, a.id, sum(m.amount) AS amount FROM movements AS m JOIN ledger_ids AS a ON a.key = m.account
        CROSS JOIN LATERAL (SELECT hash, position, tx_count FROM micro_blocks WHERE position <= m.position ORDER BY position DESC LIMIT 1) AS b
        WHERE m.position < b.position + b.tx_count GROUP BY 1, 2`,
    });
    const ours = new Map(rows.map(({ hash, id, amount }) => [`${hash} ${id}`, BigInt(amount)]));
    const { rows: blocks } = await database.query<{ hash: string; height: string }>({
      name: 'test.hc-blocks',
      text: 'SELECT hash, position >> 33 AS height FROM micro_blocks',
    });
    const changes = recordedChanges(OF);
    const wrong: string[] = [];
    for (const { hash, height } of blocks)
      for (const [id, change] of changes.get(hash)!)
        if (Number(height) % 10 !== 9 && !ITS_OWN.includes(id) && (ours.get(`${hash} ${id}`) ?? 0n) !== change)
          wrong.push(`${height} ${id}`);
    expect(blocks.length).to.equal(32);
    expect(wrong).to.deep.equal([]);
  });

  it('has the balances of the node after each block that is compared, of all accounts: what no answer tells is a row for an account and a block', async () => {
    const stopping = new AbortController();
    const metrics = createMetrics();
    const checking = checkBalances({
      ...{ database, node, metrics, hasRosetta: true, logger: silent, signal: stopping.signal, work: NO_WORK },
      ...{ fence: fenceBesideWriter, mayWork: () => true, share: 100, pauseMs: 0 },
    });
    await keepMoney({ database, node, rosetta: client }, async () => {
      return (await metrics.accountsVerifiedShare.get()).values[0]?.value === 1;
    });
    stopping.abort();
    await checking;

    const { rows } = await database.query<{ id: string; position: string; balance: string }>({
      name: 'test.hc-balances',
      text: `
        SELECT a.id, m.position, m.balance FROM movements AS m JOIN ledger_ids AS a ON a.key = m.account ORDER BY m.position, m.index`,
    });
    const { rows: keys } = await database.query<{ hash: string; height: string }>({
      name: 'test.hc-key-blocks',
      text: `SELECT hash, height FROM key_blocks WHERE height <= ${TOP - 10} ORDER BY height`,
    });
    const ids = [...new Set(rows.map(({ id }) => id))];
    const wrong: string[] = [];
    for (const { hash, height } of keys) {
      for (const id of ids) {
        const own = rows.findLast((row) => row.id === id && BigInt(row.position) <= keyPosition(Number(height)));
        const theirs = exactInteger(asObject(balances(`/accounts/${id}/hash/${hash}`).text)['balance']) ?? 0n;
        if (BigInt(own?.balance ?? 0) !== theirs) wrong.push(`${height} ${id}`);
      }
    }
    expect(wrong).to.deep.equal([]);
    expect(await differencesIn(database)).to.deep.equal([]);

    const unexplained = await numbers(
      `SELECT position >> 33 AS n FROM movements WHERE kind = ${KINDS.unexplained.code} AND position > 0 ORDER BY 1`,
    );
    // What the contract for stakes gets at the end of an epoch. No row names the other two accounts of the network itself.
    expect(unexplained).to.deep.equal([20, 30, 40, 50]);
  });
});
