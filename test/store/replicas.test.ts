import { expect } from 'chai';
import { ListKind } from '../../src/chain/derive.js';
import { openReads } from '../../src/cli/replicas.js';
import { listen } from '../../src/store/connection/listen.js';
import { createMetrics } from '../../src/observe/metrics.js';
import { numberAndWake } from '../../src/store/connection/commit-number.js';
import type { Database, Rows, Statement } from '../../src/store/connection/database.js';
import { acquireLease } from '../../src/store/lease.js';
import { headAnswer } from '../../src/store/queries/answer.js';
import { listStartAfter, positionOf } from '../../src/store/queries/export-transactions.js';
import { eventsAfter, factsAfter, logHead } from '../../src/store/queries/events.js';
import { createFloor } from '../../src/store/replicas/floor.js';
import { raising, spread } from '../../src/store/replicas/reads.js';
import type { Replica } from '../../src/store/replicas/replica.js';
import { completeUrl } from '../../src/store/replicas/url.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import { asRole, emptyCopy, openAs } from '../support/roles.js';
import { append, emptyDatabase, madeBlocks, silent } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

describe('commit numbers', () => {
  let seeded: SeededDatabase;
  let database: Database;

  before(async () => {
    seeded = await emptyDatabase();
    ({ database } = seeded);
  });
  after(() => seeded.drop());

  /** Commit number to which a statement raises a floor. */
  const numberOf = async (ask: (db: Database) => Promise<unknown>): Promise<bigint> => {
    const floor = createFloor();
    await ask(raising(database, floor));
    return floor.number();
  };
  const sent = { block: -1n, transaction: 0n, logs: 0n, position: -1n, seq: 0 };
  const all = { keyBlocks: true, microBlocks: true, transactions: true, logs: true };
  const ways: [string, (db: Database) => Promise<unknown>][] = [
    ['answers', (db) => headAnswer(db)],
    ['the event log', (db) => eventsAfter(db, 0, 10)],
    ['the end of the event log', (db) => logHead(db)],
    ['the stored chain that is published', (db) => factsAfter(db, sent, all, 10)],
  ];

  it('grow with each commit, in all statements that are answered or published', async () => {
    let last = -1n;
    let base: string | null = null;
    for (let height = 0; height < 3; height++) {
      const blocks = madeBlocks([{}], height, base ?? undefined);
      await append(database, base, blocks);
      base = blocks[0]!.hash;
      const number = await numberOf((db) => headAnswer(db));
      expect(number > last).to.equal(true);
      for (const [what, ask] of ways) expect(await numberOf(ask), what).to.equal(number);
      last = number;
    }
  });

  it('come with the place in the chain from which an export continues', async () => {
    const { rows } = await database.query<{ hash: string }>({
      name: 'test.head',
      text: 'SELECT hash FROM key_blocks ORDER BY height DESC LIMIT 1',
    });
    const base = rows[0]!.hash;
    const blocks = madeBlocks([{ microBlocks: [[{}]] }], 3, base);
    await append(database, base, blocks);
    const [{ hash, sender } = {}] = (
      await database.query<{ hash: string; sender: string }>({
        name: 'test.transaction',
        text: `SELECT hash, (body::json)->'tx'->>'sender_id' AS sender FROM transactions`,
      })
    ).rows;
    const number = await numberOf((db) => headAnswer(db));
    let position: bigint | null = null;
    expect(await numberOf(async (db) => (position = await positionOf(db, hash!)))).to.equal(number);
    const list = { kind: ListKind.account, id: sender!, type: null };
    expect(await numberOf((db) => listStartAfter(db, list, position!))).to.equal(number);
  });

  it('come with the height of the head, to which an answer raises the floor', async () => {
    const floor = createFloor();
    await headAnswer(raising(database, floor));

    expect(floor.height()).to.equal(3);
  });

  it('are greater in a later lease than those of commits that an earlier one lost', async () => {
    const before = await numberOf((db) => headAnswer(db));
    for (let i = 0; i < 5; i++) await database.transaction(numberAndWake);
    const lost = await numberOf((db) => headAnswer(db));
    // A standby without these commits takes over from the server.
    await database.query({ name: 'test.lose', text: 'UPDATE writer SET commits = commits - 5' });
    expect(await numberOf((db) => headAnswer(db))).to.equal(before);
    const lease = await acquireLease({
      database,
      seconds: 10,
      logger: silent,
      signal: new AbortController().signal,
    });

    expect((await numberOf((db) => headAnswer(db))) > lost).to.equal(true);
    await lease.release();
  });

  it('are in each notification, and are reported when listening begins', async () => {
    const reported: (bigint | undefined)[] = [];
    const listener = listen({ database, logger: silent, onWake: (number) => reported.push(number) });
    await eventually(
      () => Promise.resolve(reported.length),
      (length) => length === 1,
    );
    await database.transaction(numberAndWake);
    await eventually(
      () => Promise.resolve(reported.length),
      (length) => length === 2,
    );
    await database.query({ name: 'test.wake', text: `SELECT pg_notify('mdw_' || current_schema(), '')` });
    await eventually(
      () => Promise.resolve(reported.length),
      (length) => length === 3,
    );
    await listener.close();

    const number = await numberOf((db) => headAnswer(db));
    expect(reported).to.deep.equal([number - 1n, number, undefined]);
  });
});

describe('reads spread over replicas', () => {
  const statement: Statement = { name: 'test', text: '', numbered: true };
  const rowsOf = (number: number): Rows<object> => ({ rows: [{ commit_number: String(number) }], rowCount: 1 });

  /** A primary at a commit, and replicas that are always in use. */
  function scene(primaryAt: number, replicasAt: number[]) {
    const floor = createFloor();
    const asked: string[] = [];
    const server = (name: string, number: number) => ({
      query<Row extends object>() {
        asked.push(name);
        return Promise.resolve(rowsOf(number) as Rows<Row>);
      },
    });
    const primary = raising(server('primary', primaryAt) as unknown as Database, floor);
    const replicas = replicasAt.map((number, i): Replica => ({
      ...server(`replica ${i}`, number),
      name: String(i),
      inUse: () => true,
      busy: () => 0,
      stopUsing: () => undefined,
      close: () => Promise.resolve(),
    }));
    return { floor, asked, reads: spread({ primary, floor, replicas, onRead: () => undefined }) };
  }

  it('go to the primary if the statement has no commit number', async () => {
    const { reads, asked } = scene(1, [1]);
    await reads.query({ name: 'test', text: '' });
    expect(asked).to.deep.equal(['primary']);
  });

  it('are repeated on the primary if the answer is older than the last known commit', async () => {
    const { reads, asked } = scene(2, [1]);
    await reads.query(statement);
    reads.committed(2n);
    expect(await reads.query(statement)).to.deep.equal(rowsOf(2));
    expect(asked).to.deep.equal(['replica 0', 'replica 0', 'primary']);
  });

  it('go to the primary while commits have no numbers', async () => {
    const { reads, asked } = scene(1, [1]);
    reads.committed(undefined);
    await reads.query(statement);
    reads.committed(1n);
    await reads.query(statement);
    expect(asked).to.deep.equal(['primary', 'replica 0']);
  });

  it('go to each replica in turn if all are equally busy', async () => {
    const { reads, asked } = scene(1, [1, 1, 1]);
    for (let i = 0; i < 6; i++) await reads.query(statement);
    expect(new Set(asked.slice(0, 3)).size).to.equal(3);
    expect(new Set(asked.slice(3)).size).to.equal(3);
  });
});

describe('a server that is not a replica', () => {
  it('is not used if it is the primary, has another copy or lacks the schema', async () => {
    const own = await testDatabase();
    const other = await testDatabase();
    const empty = await testDatabase();
    const database = await emptyCopy(own.url);
    const otherCopy = await emptyCopy(other.url);
    const readers = openAs(asRole(own.url, 'serve'));
    const metrics = createMetrics();
    const config = {
      databaseUrl: asRole(own.url, 'serve'),
      databaseReplicaUrls: [own, other, empty].map(({ url }) => asRole(url, 'serve')),
      databaseSchema: 'mdw',
      databasePoolSize: 2,
      statementTimeoutMs: 5_000,
    };
    const { reads, close } = openReads({ config, readers, database, logger: silent, metrics });
    const reasons = async (): Promise<string[]> =>
      (await metrics.replicaLeftOut.get()).values.map(({ labels }) => String(labels['reason'])).sort();
    await eventually(reasons, (found) => found.length === 3);

    expect(await reasons()).to.deep.equal(['not_standby', 'other_copy', 'schema_older']);
    expect((await headAnswer(reads)).head).to.equal(null);
    expect((await metrics.replicaReads.get()).values.filter(({ value }) => value > 0)).to.deep.equal([]);
    await close();
    for (const one of [readers, database, otherCopy]) await one.close();
    for (const one of [own, other, empty]) await one.drop();
  });
});

describe('the URL of a replica', () => {
  for (const [replica, whole] of [
    ['postgres://pg-ro', 'postgres://u:p%40@pg-ro/d?sslmode=require'],
    ['postgresql://pg-2:5433', 'postgresql://u:p%40@pg-2:5433/d?sslmode=require'],
    ['postgres://v:q@pg-2/e?sslmode=disable', 'postgres://v:q@pg-2/e?sslmode=disable'],
    ['postgres://v@pg-2/', 'postgres://v@pg-2/d?sslmode=require'],
  ] as const) {
    it(`gets its missing parts from the primary: ${replica.replace(':q@', ':***@')}`, () =>
      expect(completeUrl(replica, 'postgres://u:p%40@pg-rw:5432/d?sslmode=require')).to.equal(whole));
  }

  it('never gets an address that the primary has as a parameter, nor another login than its own', () => {
    const primary = 'postgres:///d?host=/run/postgresql&port=5433&user=u&password=p&sslmode=disable';
    expect(completeUrl('postgres://pg-2', primary)).to.equal('postgres://pg-2/d?user=u&password=p&sslmode=disable');
    expect(completeUrl('postgres://v:q@pg-2', primary)).to.equal('postgres://v:q@pg-2/d?sslmode=disable');
  });
});
