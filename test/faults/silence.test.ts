import { expect } from 'chai';
import { pino } from 'pino';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { createDatabase } from '../../src/store/connection/database.js';
import { printFigures } from '../support/figures.js';
import { chainDump, cleanDump, populateInto } from '../support/populating.js';
import type { Populating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { startRelay } from '../support/relay.js';
import type { Relay } from '../support/relay.js';
import { administer, asRole, migrateCopy } from '../support/roles.js';

/** The address of the database through a relay. */
const through = (relay: Relay, url: string): string =>
  Object.assign(new URL(url), { port: new URL(relay.url).port }).href;

/** The URL of another database of the same server. */
const elsewhere = (url: string): string => Object.assign(new URL(url), { pathname: '/postgres' }).href;

/** Whether the bytes begin a statement with this name or text; a prepared one is sent by its name only. */
const begins =
  (text: string) =>
  (sent: Buffer): boolean =>
    sent.includes(text);

/** Whether the bytes are rows of a COPY. */
function rowsOfCopy(): (sent: Buffer) => boolean {
  let copies = false;
  return (sent) => {
    const isRows = copies && sent.includes('kh_');
    copies ||= sent.includes('COPY ');
    return isRows;
  };
}

describe('a populator whose connections to the database go silent', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  let relay: Relay;
  let populating: Populating;
  let copies = 0;
  const databaseLog: string[] = [];

  before(async () => {
    server = await testDatabase();
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'silence', generations: 5, txsPerGeneration: 5 } },
    });
  });
  beforeEach(async () => {
    const { hostname, port } = new URL(server.url);
    relay = await startRelay(`http://${hostname}:${port}`);
    const schema = `silent_${++copies}`;
    await migrateCopy(server.url, schema);
    databaseLog.length = 0;
    const database = createDatabase({
      url: asRole(through(relay, server.url), 'populate'),
      schema,
      poolSize: 4,
      statementTimeoutMs: 0,
      logger: pino({}, { write: (line: string) => void databaseLog.push(line) }),
    });
    populating = populateInto(database, [devnode.externalUrl]);
    await populating.at(devnode.top().hash);
  });
  afterEach(async () => {
    await populating.stop();
    await relay.shut();
  });
  after(async () => {
    await devnode.close();
    await server.drop();
  });

  const isLogged = (msg: string): Promise<unknown> =>
    eventually(
      () => Promise.resolve([...databaseLog, ...populating.log.map((line) => JSON.stringify(line))]),
      (lines) => lines.some((line) => line.includes(msg)),
    );

  /** What was stored, twice or not at all, shows in the copy; it must be that of a clean load. */
  async function heals(what: string, silentFrom: number): Promise<void> {
    await isLogged('Closed a silent connection to the database');
    const noticed = performance.now();
    await devnode.grow(1);
    await populating.at(devnode.top().hash);
    printFigures(what, { noticed: noticed - silentFrom, healed: performance.now() - silentFrom });
    const stored = await chainDump(populating.database);
    expect(stored).to.deep.equal(await cleanDump(server, `clean_${copies}`, devnode.externalUrl));
  }

  it('continues on new ones when all open ones are silent between two statements', async () => {
    relay.silence();
    const from = performance.now();
    await devnode.grow(1);
    await heals('populator, between statements', from);
  });

  const moments: [name: string, fits: () => (sent: Buffer) => boolean, bytes: 'lost' | 'arrive'][] = [
    ['a statement that arrives', () => begins('chain.last-hash'), 'arrive'],
    ['a statement that is lost', () => begins('chain.last-hash'), 'lost'],
    ['COPY, before its rows', () => begins('COPY '), 'arrive'],
    ['COPY, with rows that are lost', rowsOfCopy, 'lost'],
    ['COMMIT that is stored', () => begins('COMMIT'), 'arrive'],
    ['COMMIT that is lost', () => begins('COMMIT'), 'lost'],
    ['the renewal of its lease', () => begins('lease.renew'), 'arrive'],
  ];
  for (const [name, fits, bytes] of moments) {
    it(`loses and doubles nothing when one is silent during ${name}`, async () => {
      const silent = relay.silenceWhen(fits(), bytes);
      await devnode.grow(1);
      await silent;
      await heals(`populator, during ${name}`, performance.now());
    });
  }

  it('gives up its lease without an answer when the server refuses new ones, and continues when it accepts them', async () => {
    const { pathname } = new URL(server.url);
    const accept = (yes: boolean): Promise<unknown> =>
      administer(elsewhere(server.url), `ALTER DATABASE "${pathname.slice(1)}" WITH ALLOW_CONNECTIONS ${yes}`);
    await accept(false);
    relay.silence();
    const from = performance.now();
    await isLogged('Lost the lease to populate').finally(() => accept(true));
    await heals('populator, open connections silent, new ones refused', from);
  });

  it('gives up its lease without an answer when new ones are silent, too, and continues when they work again', async () => {
    relay.silence('all');
    const from = performance.now();
    await devnode.grow(1);
    await isLogged('Lost the lease to populate');
    const lost = performance.now();
    await isLogged('Stopped populating, will try again');
    const { values } = await populating.metrics.writerRole.get();
    expect(values.find(({ labels }) => labels['role'] === 'writer')?.value).to.equal(0);

    relay.endSilence();
    printFigures('populator, database silent for all', { 'lease given up': lost - from });
    await heals('populator, database silent for all', from);
  });
});
