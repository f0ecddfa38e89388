import { expect } from 'chai';
import { KINDS } from '../../src/chain/money/kinds.js';
import type { ChainNode } from '../../src/node/client.js';
import { createMetrics } from '../../src/observe/metrics.js';
import type { Metrics } from '../../src/observe/metrics.js';
import { checkBalances } from '../../src/populate/check-balances.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { verifyProjections } from '../../src/populate/verify-projections.js';
import type { ReportedDifference } from '../../src/populate/verify-projections.js';
import type { Database } from '../../src/store/connection/database.js';
import { fenceBesideWriter } from '../../src/store/lease.js';
import { movements } from '../../src/store/projections/movements.js';
import { NO_WORK, silent, syncContext, syncFully } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { movementDump, writeMovements } from '../support/ledger-rows.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedBalances } from '../support/recorded-money.js';
import { recordedNode } from '../support/recorded-node.js';
import { emptyCopy, tamper } from '../support/roles.js';

const OF = 'realnode-tokens';
const RULES = { delay: 10, treasury: null };
/** Compared are balances ten key blocks below the head. */
const COMPARED = 693;
/** Questions about balances between two looks at all rows. */
const QUESTIONS = 1_000;

describe('balances compared with those of a node', () => {
  let server: TestDatabase;
  let database: Database;
  const answers = recordedBalances(OF);
  const node: ChainNode = { ...recordedNode(undefined, OF), get: (path) => Promise.resolve(answers(path)) };

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
    await writeMovements(database, 'ae_dev', RULES);
  });
  after(async () => {
    await database.close();
    await server.drop();
  });

  const valueOf = async (metric: Metrics['accountsVerifiedShare']): Promise<number> =>
    (await metric.get()).values[0]?.value ?? -1;

  /** Compares until it is done. */
  async function check(
    hasRosetta: boolean,
    isDone: (metrics: Metrics) => Promise<boolean>,
    asked: Parameters<typeof checkBalances>[0]['node'] = node,
  ): Promise<void> {
    const metrics = createMetrics();
    const stopping = new AbortController();
    const checking = checkBalances({
      ...{ database, node: asked, metrics, hasRosetta, logger: silent, signal: stopping.signal, work: NO_WORK },
      ...{ fence: fenceBesideWriter, mayWork: () => true, share: 100, pauseMs: 0, secondShare: 1 },
    });
    try {
      await eventually(
        () => isDone(metrics),
        (done) => done,
      );
    } finally {
      stopping.abort();
      await checking;
    }
  }

  /** Accounts and key blocks in which our rows do not give the node's balance, up to the compared height. */
  async function wrongBalances(): Promise<string[]> {
    const { rows: blocks } = await database.query<{ hash: string; last: string }>({
      name: 'test.blocks',
      text: `SELECT hash, height << 33 AS last FROM key_blocks WHERE height <= $1 ORDER BY height`,
      values: [COMPARED],
    });
    const { rows: accounts } = await database.query<{ id: string; places: string[] | null; balances: string[] | null }>(
      {
        name: 'test.balances',
        text: `
        SELECT i.id, array_agg(m.position::text ORDER BY m.position, m.index) AS places,
          array_agg(m.balance::text ORDER BY m.position, m.index) AS balances
        FROM ledger_ids AS i LEFT JOIN movement_rows AS m ON m.account = i.key WHERE i.id LIKE 'ak_%' GROUP BY i.id`,
      },
    );
    const wrong: string[] = [];
    for (const { id, places, balances } of accounts) {
      let next = 0;
      for (const { hash, last } of blocks) {
        while (places?.[next] != null && BigInt(places[next]!) <= BigInt(last)) next += 1;
        const balance = next === 0 ? '0' : balances![next - 1]!;
        const theirs = /"balance":(\d+)/.exec(answers(`/accounts/${id}/hash/${hash}`).text)?.[1] ?? '0';
        if (theirs !== balance) wrong.push(`${hash} ${id} ${theirs} ${balance}`);
      }
    }
    return wrong;
  }

  async function differing(): Promise<string[]> {
    const found: string[] = [];
    const tables = movements.tables.map(({ name }) => name);
    const onDifference = (one: ReportedDifference): void => {
      if (tables.includes(one.table)) found.push(JSON.stringify(one));
    };
    await verifyProjections({ database, onDifference });
    return found;
  }

  it('get one row for each account and block with a difference, until all are those of the node', async () => {
    expect((await wrongBalances()).length).to.be.above(1_000);
    // What was paid and paid back is found by trying heights, one with each walk.
    // All rows are read after many questions only: to read them all the time would keep the walks from going on.
    let [asked, next] = [0, 0];
    const get: ChainNode['get'] = (path) => {
      asked += 1;
      return node.get(path);
    };
    const isDone = async (): Promise<boolean> => {
      if (asked < next) return false;
      next = asked + QUESTIONS;
      return (await wrongBalances()).length === 0;
    };
    await check(false, isDone, { ...node, get });
    await check(
      false,
      async ({ accountsVerified, accountsVerifiedShare, accountMismatches }) =>
        (await valueOf(accountsVerifiedShare)) === 1 &&
        (await valueOf(accountsVerified)) > 25 &&
        (await valueOf(accountMismatches)) === 0,
    );
    expect(await wrongBalances()).to.deep.equal([]);
    expect(await differing()).to.deep.equal([]);
    const { rows } = await database.query<{ kind: number; count: number; most: number }>({
      name: 'test.corrections',
      text: `
        SELECT kind, count(*)::int AS count, max(count)::int AS most FROM (
          SELECT m.kind, count(*) OVER (PARTITION BY m.account, m.position) AS count FROM movements AS m WHERE m.kind IN ($1, $2) AND from_node
        ) AS m GROUP BY kind ORDER BY kind`,
      values: [KINDS.preset.code, KINDS.unexplained.code],
    });
    const [preset, unexplained] = rows;
    expect(preset).to.deep.equal({ kind: KINDS.preset.code, count: 1, most: 1 });
    expect(unexplained).to.deep.include({ kind: KINDS.unexplained.code, most: 1 });
    expect(unexplained!.count).to.be.above(50);
  });

  it('are kept when heights are loaded again, and compared again when rows are', async () => {
    const before = await movementDump(database);
    const heights = [36, 80, 153].map((height) => ({ from: height, to: height }));
    expect((await replaceHeights({ database, node, heights })).failed).to.deep.equal([]);
    await decodeAll(database, node);
    await writeMovements(database, 'ae_dev', RULES);
    expect(await movementDump(database)).to.deep.equal(before);
    expect(await differing()).to.deep.equal([]);
  });

  it('are compared for all other accounts if an answer about one cannot be read', async () => {
    const { rows } = await database.query<{ id: string; count: number }>({
      name: 'test.checked',
      text: `
        SELECT i.id, (count(*) OVER ())::int AS count FROM ledger_checks AS c JOIN ledger_ids AS i ON i.key = c.account
        ORDER BY i.key LIMIT 1`,
    });
    const { id, count } = rows[0]!;
    for (const balance of ['1.5', '"x"', '{']) {
      await tamper(database, 'DELETE FROM ledger_checks');
      const get: ChainNode['get'] = (path) =>
        Promise.resolve(path.includes(id) ? { status: 200, text: `{"balance":${balance}}` } : answers(path));
      const isDone = async ({ accountsVerified }: Metrics): Promise<boolean> =>
        (await valueOf(accountsVerified)) === count - 1;
      await check(false, isDone, { ...node, get });
    }
  });

  /** Of one account, from a height on, with another last digit. */
  async function lies(): Promise<{ id: string; height: number; get: ChainNode['get'] }> {
    const { rows } = await database.query<{ id: string; height: number; hashes: string[] }>({
      name: 'test.lie',
      text: `
        SELECT i.id, m.height, ARRAY(
          SELECT hash FROM key_blocks WHERE height > m.height UNION ALL SELECT hash FROM micro_blocks WHERE position > m.height << 33
        ) AS hashes
        FROM ledger_ids AS i CROSS JOIN LATERAL (
          SELECT (position >> 33)::bigint AS height FROM movement_rows WHERE account = i.key AND position < 500::bigint << 33 ORDER BY position DESC LIMIT 1
        ) AS m
        WHERE i.id LIKE 'ak_%' AND m.height > 100 ORDER BY i.id LIMIT 1`,
    });
    const { id, height, hashes } = rows[0]!;
    const later = new Set(hashes);
    const get: ChainNode['get'] = (path) => {
      const { status, text } = answers(path);
      const isLie = path.startsWith(`/accounts/${id}/`) && later.has(path.split('/').at(-1)!);
      return Promise.resolve({ status, text: isLie ? text.replace(/("balance":\d*)\d/, '$17') : text });
    };
    return { id, height: Number(height), get };
  }

  const stateOf = async (id: string): Promise<{ height: number; wrong_at: number | null; corrections: number }> => {
    const { rows } = await database.query<{ height: number; wrong_at: number | null; corrections: number }>({
      name: 'test.check',
      text: `
        SELECT c.height::int, c.wrong_at::int, (SELECT count(*) FROM ledger_corrections)::int AS corrections
        FROM ledger_checks AS c JOIN ledger_ids AS i ON i.key = c.account WHERE i.id = $1`,
      values: [id],
    });
    return rows[0]!;
  };

  const isDisputed = async (metrics: Metrics): Promise<boolean> => (await valueOf(metrics.accountMismatches)) === 1;
  const isAllRight = async (metrics: Metrics): Promise<boolean> =>
    (await valueOf(metrics.accountMismatches)) === 0 && (await valueOf(metrics.accountsVerifiedShare)) === 1;

  for (const liar of ['first', 'other'] as const) {
    it(`are not verified where the ${liar} of two nodes lies, no row is made of it, and they are as soon as both say the same`, async () => {
      const { id, height, get } = await lies();
      const before = await stateOf(id);
      const [own, others] = [{ ...node, ...(liar === 'first' && { get }) }, liar === 'other' ? get : node.get];
      const pool = { ...own, others: () => [{ url: 'http://other', node: { ...node, get: others } }] };
      await check(false, isDisputed, pool);
      expect(await stateOf(id)).to.deep.equal({ ...before, height, wrong_at: height + 1 });
      const honest = { ...node, others: () => [{ url: 'http://other', node }] };
      await check(false, isAllRight, honest);
      expect(await stateOf(id)).to.deep.equal(before);
    });
  }

  it('show a row that is wrong, in its block', async () => {
    await tamper(
      database,
      `UPDATE movement_rows AS m SET balance = m.balance + 7
       FROM (SELECT account, position, index FROM movement_rows WHERE kind = 4 AND position < 40::bigint << 33 ORDER BY position DESC LIMIT 1) AS w
       WHERE m.account = w.account AND (m.position, m.index) >= (w.position, w.index)`,
    );
    expect(await wrongBalances()).to.not.deep.equal([]);
    await check(true, async () => {
      const { rows } = await database.query({
        name: 'test.asked',
        text: 'SELECT height::int, state FROM ledger_questions',
      });
      return rows.length > 0;
    });
    const { rows } = await database.query<{ height: number }>({
      name: 'test.wrong',
      text: 'SELECT DISTINCT wrong_at::int - 1 AS height FROM ledger_checks WHERE wrong_at IS NOT NULL',
    });
    expect(rows.length).to.equal(1);
    expect(rows[0]!.height).to.be.below(40);
  });
});
