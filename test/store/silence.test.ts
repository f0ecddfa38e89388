import { expect } from 'chai';
import pg from 'pg';
import { pino } from 'pino';
import { createDatabase } from '../../src/store/connection/database.js';
import type { Database } from '../../src/store/connection/database.js';
import { listen } from '../../src/store/connection/listen.js';
import { rejection } from '../support/http-server.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { startRelay } from '../support/relay.js';
import type { Relay } from '../support/relay.js';
import { administer, asRole, migrateCopy } from '../support/roles.js';

const ASLEEP = `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`;

describe('a silent connection to the database', () => {
  let server: TestDatabase;
  let relay: Relay;
  let database: Database;
  let ending: AbortController;
  let log: string[];

  before(async () => {
    server = await testDatabase();
    await migrateCopy(server.url);
  });
  beforeEach(async () => {
    const { hostname, port } = new URL(server.url);
    relay = await startRelay(`http://${hostname}:${port}`);
    ending = new AbortController();
    log = [];
    database = open();
  });
  afterEach(async () => {
    await relay.shut();
    await database.close();
  });
  after(() => server.drop());

  const open = (more: Partial<Parameters<typeof createDatabase>[0]> = {}): Database =>
    createDatabase({
      url: Object.assign(new URL(asRole(server.url, 'populate')), { port: new URL(relay.url).port }).href,
      schema: 'mdw',
      poolSize: 4,
      statementTimeoutMs: 0,
      ending: ending.signal,
      logger: pino({}, { write: (line: string) => void log.push(line) }),
      ...more,
    });
  /** Waits until a session is in `pg_sleep`. */
  const asleep = (): Promise<unknown> =>
    eventually(
      () => database.query({ name: 'test.asleep', text: ASLEEP }),
      ({ rowCount }) => rowCount === 1,
    );
  const one = { name: 'test.one', text: 'SELECT 1 AS one' };
  const sessions = async (): Promise<number> => {
    const { rows } = await database.query<{ count: string }>({
      name: 'test.sessions',
      text: `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'mdw mdw' AND datname = current_database()`,
    });
    return Number(rows[0]!.count);
  };

  it('is none while the server executes its statement, however long that takes', async () => {
    await administer(server.url, 'CREATE TABLE mdw.slow (n int); GRANT ALL ON mdw.slow TO mdw_populate');
    const blocker = new pg.Client({ connectionString: server.url });
    await blocker.connect();
    await blocker.query('BEGIN; LOCK TABLE mdw.slow');
    const rows = Array.from({ length: 200_000 }, (_, i) => `${i}\n`);
    const copying = database.transaction((tx) => tx.copy('slow', rows));
    const waiting = database.query({ name: 'test.slow', text: 'SELECT count(*) FROM slow' });
    const sleeping = database.query({ name: 'test.sleep', text: 'SELECT pg_sleep(13)' });
    await sleeping;
    expect(database.isSilent()).to.equal(false);
    await blocker.query('COMMIT');
    await blocker.end();
    await Promise.all([copying, waiting]);

    const { rows: stored } = await database.query({ name: 'test.count', text: 'SELECT count(*)::int FROM slow' });
    expect(stored).to.deep.equal([{ count: 200_000 }]);
    expect(log).to.deep.equal([]);
  });

  const unreachable: [string, (relay: Relay) => void][] = [
    ['are refused', (to) => to.refuseNew()],
    ['get no answer', (to) => to.silence('new')],
  ];
  for (const [name, make] of unreachable) {
    it(`is none while the server executes its statement, though new connections ${name}`, async () => {
      const sleeping = database.query({ name: 'test.sleep', text: `SELECT 'slept' AS outcome FROM pg_sleep(25)` });
      await asleep();
      make(relay);
      const { rows } = await sleeping;
      expect(rows).to.deep.equal([{ outcome: 'slept' }]);
    });
  }

  it('is closed with the idle ones beside it, and its session and locks are gone on the server, too', async () => {
    await Promise.all([one, one, one].map((statement) => database.query(statement)));
    relay.silence();
    const fault = await rejection(database.query(one));
    expect(fault.code).to.equal('database_silent');
    for (let i = 0; i < 4; i++) await database.query(one);
    await eventually(sessions, (count) => count <= 3);
    expect(database.pool()).to.include({ busy: 0, waiting: 0 });
  });

  it('in the middle of a COPY leaves no lock behind', async () => {
    await administer(server.url, 'CREATE TABLE mdw.copied (n int); GRANT ALL ON mdw.copied TO mdw_populate');
    let copies = false;
    void relay.silenceWhen((sent) => {
      const now = copies;
      copies ||= sent.includes('COPY copied');
      return now;
    }, 'lost');
    const rows = Array.from({ length: 100_000 }, (_, i) => `${i}\n`);
    const fault = await rejection(database.transaction((tx) => tx.copy('copied', rows)));
    expect(fault.code).to.equal('database_silent');
    await database.transaction((tx) => tx.run('LOCK TABLE copied IN ACCESS EXCLUSIVE MODE'));
  });

  it('is noticed while it listens, and what was missed is reported on the next one', async () => {
    const numbers: (bigint | undefined)[] = [];
    const listener = listen({
      database,
      logger: pino({ level: 'silent' }),
      onWake: (number) => void numbers.push(number),
    });
    await eventually(
      () => Promise.resolve(numbers.length),
      (length) => length === 1,
    );
    relay.silence();
    await administer(server.url, 'UPDATE mdw.writer SET commits = commits + 7');
    await eventually(
      () => Promise.resolve(numbers.at(-1)),
      (number) => number === numbers[0]! + 7n,
    );
    await listener.close();
  });

  it('ends within its own time limit, also if nothing else can be asked', async () => {
    const limited = open({ statementTimeoutMs: 1_000, answerTimeoutMs: 2_000 });
    await limited.query(one);
    relay.silence('all');
    const fault = await rejection(limited.query(one));
    expect(fault.code).to.equal('database_lost');
    await limited.close();
  });

  it('does not delay the end of the process', async () => {
    const client = await database.connect();
    await database.query(one);
    relay.silence('all');
    const statements = [rejection(database.query(one)), rejection(client.query('SELECT 1'))];
    const opening = rejection(database.connect());
    ending.abort();
    const faults = await Promise.all([...statements, opening]);
    expect(faults.map(({ code }) => code)).to.include('database_silent');
    await client.end();
  });
});
