import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { openReads } from '../../src/cli/replicas.js';
import { createMetrics } from '../../src/observe/metrics.js';
import type { Metrics } from '../../src/observe/metrics.js';
import { keyPosition } from '../../src/chain/position.js';
import { createDatabase } from '../../src/store/connection/database.js';
import type { Database } from '../../src/store/connection/database.js';
import { commit } from '../../src/store/write/commit.js';
import { headAnswer } from '../../src/store/queries/answer.js';
import type { Reads } from '../../src/store/replicas/reads.js';
import { ask, testApi } from '../support/api.js';
import type { Reply, TestApi } from '../support/api.js';
import { printFigures } from '../support/figures.js';
import { startMdw } from '../support/mdw.js';
import { eventually } from '../support/populator.js';
import { startRelay } from '../support/relay.js';
import { administer, asRole, migrateCopy, openAs } from '../support/roles.js';
import { madeBlocks, silent } from '../support/seed.js';
import { PASSWORD } from '../support/secrets.js';
import { startCluster } from '../support/standbys.js';
import type { Cluster, Standby } from '../support/standbys.js';

/** Requests that are not cached: each has its own path. */
const READ = '/middleware/size/current?n=';
const CACHED = '/middleware/count/current';

describe('replicas', () => {
  let cluster: Cluster;
  let writer: Database;
  let standbys: Standby[];
  let metrics: Metrics;
  let api: TestApi;
  let close: () => Promise<void>;
  /** Hashes of all heads, in the order of their commits. */
  let heads: string[];
  let height: number;

  before(async () => {
    cluster = await startCluster();
    await migrateCopy(cluster.url);
    writer = openAs(asRole(cluster.url, 'populate'));
    heads = [];
    height = -1;
    for (let i = 0; i < 3; i++) await grow();
    standbys = [await cluster.standby(), await cluster.standby()];
  });
  beforeEach(async () => {
    await serve();
  });
  afterEach(() => close());
  after(async () => {
    await writer.close();
    await cluster.close();
  });

  /** Reads from the standbys of a process that has just begun. */
  function open({ hosts = standbys.map(({ url }) => new URL(url).host), statementTimeoutMs = 15_000 } = {}) {
    metrics = createMetrics();
    const readers = openAs(asRole(cluster.url, 'serve'));
    const config = {
      databaseUrl: asRole(cluster.url, 'serve'),
      databaseReplicaUrls: hosts.map((host) => `postgres://${host}`),
      databaseSchema: 'mdw',
      databasePoolSize: 4,
      statementTimeoutMs,
    };
    const { reads, close } = openReads({ config, readers, database: writer, logger: silent, metrics });
    return { readers, reads, closeReads: () => close().then(() => readers.close()) };
  }

  async function serve(change: (reads: Reads) => Reads = (reads) => reads): Promise<void> {
    const { readers, reads, closeReads } = open();
    api = await testApi(readers, {}, { reads: change(reads), metrics });
    close = async () => {
      await api.close();
      await closeReads();
    };
  }

  const previous = (): string | undefined => heads.at(-1);

  /** Commits a new head, one height above. */
  async function grow(): Promise<void> {
    const blocks = madeBlocks([{ time: heads.length * 1000 }], height + 1, previous());
    const base = previous() ?? null;
    // Before the commit, because a client may see the new head before the commit returns.
    heads.push(blocks[0]!.hash);
    await commit(writer, () => Promise.resolve(), { base, removeFrom: null, blocks });
    height++;
  }

  /** Replaces the last key blocks by one block of another branch. */
  async function replaceHeads(count: number): Promise<void> {
    height -= count - 1;
    const { rows } = await writer.query<{ hash: string }>({
      name: 'test.hash',
      text: 'SELECT hash FROM key_blocks WHERE height = $1',
      values: [height - 1],
    });
    const base = rows[0]!.hash;
    const blocks = madeBlocks([{ time: heads.length * 1000 }], height, base);
    const { hash } = blocks[0]!;
    heads.push(hash);
    await commit(writer, () => Promise.resolve(), { base, removeFrom: keyPosition(height), blocks, endsWith: hash });
  }

  /** Hash of the head in a standby. */
  async function headIn(url: string): Promise<string | undefined> {
    const database = openAs(asRole(url, 'serve'));
    const { head } = await headAnswer(database);
    await database.close();
    return head?.hash;
  }

  /** Number of exclusive locks that the replay of a standby holds. */
  async function locksIn(url: string): Promise<number> {
    const database = openAs(asRole(url, 'serve'));
    const { rowCount } = await database.query({
      name: 'test.locks',
      text: `SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND relation = 'key_blocks'::regclass`,
    });
    await database.close();
    return rowCount;
  }

  const inUse = async (): Promise<number[]> => {
    const { values } = await metrics.replicaInUse.get();
    return standbys.map(
      ({ url }) => values.find(({ labels }) => labels['replica'] === new URL(url).host)?.value ?? NaN,
    );
  };
  const reads = async (outcome: string): Promise<number[]> => {
    const { values } = await metrics.replicaReads.get();
    return standbys.map(
      ({ url }) =>
        values.find(({ labels }) => labels['replica'] === new URL(url).host && labels['outcome'] === outcome)?.value ??
        0,
    );
  };
  const until = (wanted: readonly number[]): Promise<unknown> =>
    eventually(inUse, (found) => String(found) === String(wanted));

  let asked = 0;
  /** Number of the head in an answer. */
  async function headOf(path = `${READ}${asked++}`): Promise<number> {
    const { status, headers, body }: Reply = await api.get(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
    return heads.indexOf(headers['x-chain-hash'] as string);
  }

  /** Sends concurrent requests while `work` runs and returns the number of answers. No answer may be older than one before it. */
  async function asking(work: () => Promise<unknown>): Promise<number> {
    let newest = -1;
    let answered = 0;
    let ended = false;
    const clients = Array.from({ length: 6 }, async (_, i) => {
      while (!ended) {
        const before = newest;
        const head = await headOf(i % 3 === 0 ? CACHED : undefined);
        expect(head, `answer ${answered}`).to.be.at.least(before);
        newest = Math.max(newest, head);
        answered++;
      }
    });
    try {
      // Wait until all connections are in use.
      const underWay = eventually(
        () => Promise.resolve(answered),
        (count) => count > 50,
      ).then(work);
      await Promise.race([underWay, Promise.all(clients)]);
    } finally {
      ended = true;
      await Promise.all(clients);
    }
    return answered;
  }

  /** Grows the chain and replaces its head, with at least one answer after each commit. */
  async function move(commits: number): Promise<void> {
    for (let i = 0; i < commits; i++) {
      await (i % 3 === 2 ? replaceHeads(1) : grow());
      await headOf();
    }
  }

  it('all answer requests', async () => {
    await until([1, 1]);
    for (let i = 0; i < 10; i++) expect(await headOf()).to.equal(heads.length - 1);

    expect(Math.min(...(await reads('answered')))).to.be.greaterThan(3);
  });

  it('never answer with an older state, and one that lags is not read until it has caught up', async () => {
    await until([1, 1]);
    await standbys[1]!.delay('1h');
    await grow();
    await asking(() => move(60));
    // A statement or a check detected that it is behind.
    await headOf();
    await until([1, 0]);
    // With commits without a pause between them, the other one is behind most of the time too.
    const [before = 0] = await reads('answered');
    for (let i = 0; i < 10; i++) await headOf();
    expect((await reads('answered'))[0]).to.be.greaterThan(before);

    await standbys[1]!.delay('0');
    await until([1, 1]);
  });

  it('cause no failed request when one is killed, and it is read again when it is back', async () => {
    await until([1, 1]);
    await asking(async () => {
      standbys[0]!.signal('SIGKILL');
      await until([0, 1]);
      await move(10);
    });
    await standbys[0]!.restart();
    await close();
    await serve();
    await until([1, 1]);
  });

  it('cause no failed request when one hangs, and it is read again when it is back', async () => {
    await until([1, 1]);
    await asking(async () => {
      standbys[0]!.signal('SIGSTOP');
      await until([0, 1]);
      await move(10);
    });
    standbys[0]!.signal('SIGCONT');
    await until([1, 1]);
  });

  it('cause no failed request when one of several behind an address hangs', async () => {
    const relay = await startRelay(`http://${new URL(standbys[0]!.url).host}`);
    const { reads, closeReads } = open({ hosts: [new URL(relay.url).host], statementTimeoutMs: 500 });
    const ask = (): Promise<unknown[]> => Promise.all(Array.from({ length: 12 }, () => headAnswer(reads)));
    const answered = async (): Promise<number> => (await metrics.replicaReads.get()).values[0]?.value ?? 0;
    try {
      await eventually(
        () => ask().then(answered),
        (count) => count > 12,
      );
      // The first connection is the one that checks.
      relay.freezeAllButFirst();
      const ended = await Promise.race([ask().then(() => 'answered'), pause(10_000, 'not answered', { ref: false })]);
      expect(ended).to.equal('answered');
      const before = await answered();
      await eventually(
        () => ask().then(answered),
        (count) => count > before,
      );
    } finally {
      await relay.shut();
      await closeReads();
    }
  });

  it('cause no failed request when all connections to one go silent, and it is read again on new ones', async () => {
    const relay = await startRelay(`http://${new URL(standbys[0]!.url).host}`);
    const { reads, closeReads } = open({ hosts: [new URL(relay.url).host] });
    const ask = async (): Promise<void> => {
      const heads = await Promise.all(Array.from({ length: 12 }, () => headAnswer(reads)));
      for (const { head } of heads) expect(head?.height).to.equal(height);
    };
    const isInUse = async (): Promise<boolean> => (await metrics.replicaInUse.get()).values[0]?.value === 1;
    try {
      await eventually(isInUse, (yes) => yes);
      await ask();
      relay.silence('all');
      const from = performance.now();
      await ask();
      const answered = performance.now();
      await eventually(isInUse, (yes) => !yes);
      await ask();
      relay.endSilence();
      const ended = performance.now();
      await eventually(isInUse, (yes) => yes);
      printFigures('server to a replica', { answered: answered - from, 'used again': performance.now() - ended });
    } finally {
      await relay.shut();
      await closeReads();
    }
  });

  it('finish a long statement although new connections to their address reach another one', async () => {
    const [first, second] = standbys.map(({ url }) => new URL(url));
    const relay = await startRelay(`http://${first!.host}`);
    const address = Object.assign(new URL(asRole(first!.href, 'serve')), { port: new URL(relay.url).port });
    const database = createDatabase({
      url: address.href,
      schema: 'mdw',
      poolSize: 2,
      statementTimeoutMs: 0,
      logger: silent,
    });
    const sleeping = database.query({ name: 'test.sleep', text: 'SELECT pg_sleep(9)' });
    await eventually(
      () => database.query({ name: 'test.asleep', text: `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'` }),
      ({ rowCount }) => rowCount === 1,
    );
    relay.leadNew(`http://${second!.host}`);
    const { rowCount } = await sleeping;
    await database.close();
    await relay.shut();
    expect(rowCount).to.equal(1);
  });

  it('are read again after their connections are lost, though the primary hangs', async () => {
    const { reads, closeReads } = open();
    await until([1, 1]);
    cluster.signal('SIGSTOP');
    try {
      for (const { url } of standbys)
        await administer(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'mdw_serve'`);
      await eventually(
        async () => (await metrics.replicaLeftOut.get()).values.length,
        (length) => length === 2,
      );
      await until([1, 1]);
      expect((await headAnswer(reads)).head?.height).to.equal(height);
    } finally {
      cluster.signal('SIGCONT');
      await closeReads();
    }
  });

  it('are left out for a while when they accept no more connections', async () => {
    await administer(cluster.url, `CREATE ROLE few LOGIN PASSWORD '${PASSWORD}' CONNECTION LIMIT 1 IN ROLE mdw_serve`);
    const { reads, closeReads } = open({ hosts: standbys.map(({ url }) => `few:${PASSWORD}@${new URL(url).host}`) });
    const leftOut = async (): Promise<number> =>
      (await metrics.replicaLeftOut.get()).values.reduce((sum, { value }) => sum + value, 0);
    try {
      await until([1, 1]);
      const end = performance.now() + 2_000;
      while (performance.now() < end) expect((await headAnswer(reads)).head?.height).to.equal(height);
      expect(await leftOut()).to.be.within(2, 12);
    } finally {
      await closeReads();
    }
  });

  it('are replaced by the primary when all are away', async () => {
    await until([1, 1]);
    for (const standby of standbys) standby.signal('SIGSTOP');
    await asking(async () => {
      await until([0, 0]);
      await move(10);
    });
    const { status } = await api.get('/middleware/status');
    expect(status, 'too old, but answered').to.equal(503);
    for (const standby of standbys) standby.signal('SIGCONT');
    await until([1, 1]);
  });

  it('answer nothing older than a request demands, even if the request is ahead of this process', async () => {
    await until([1, 1]);
    await standbys[1]!.delay('1h');
    await headOf(CACHED);
    await grow();
    for (let i = 0; i < 8; i++) {
      const wanted = { headers: { 'x-min-height': String(height) } };
      const { status, headers } = await api.get(i % 2 === 0 ? CACHED : `${READ}${asked++}`, wanted);
      expect([status, headers['x-chain-height']]).to.deep.equal([200, String(height)]);
    }
    const { status, body } = await api.get(CACHED, { headers: { 'x-min-height': String(height + 1) } });
    expect([status, JSON.parse(body)]).to.deep.equal([
      412,
      { reason: `x-min-height is ${height + 1}, but the head is at height ${height}` },
    ]);
    await standbys[1]!.delay('0');
    await until([1, 1]);
  });

  it('are not read by a new process while they lag, though it does not know the head yet', async () => {
    await until([1, 1]);
    await standbys[1]!.delay('1h');
    await grow();
    const { reads, closeReads } = open();
    try {
      await until([1, 0]);
      for (let i = 0; i < 4; i++) expect((await headAnswer(reads)).head?.height).to.equal(height);
    } finally {
      await closeReads();
      await standbys[1]!.delay('0');
    }
  });

  it('are read again while statements wait for the primary longer than a replica may take to answer', async () => {
    const { readers, closeReads } = open();
    let ended = false;
    // More than connections, so that each waits for another one.
    const busy = Array.from({ length: 12 }, async () => {
      while (!ended) await readers.query({ name: 'test.sleep', text: 'SELECT pg_sleep(0.8)' });
    });
    try {
      await until([1, 1]);
    } finally {
      ended = true;
      await Promise.all(busy);
      await closeReads();
    }
  });

  it('refuse no height that the primary has, though they have another branch with a lower head', async () => {
    await close();
    // The process learns of commits from answers alone, as when notifications are late.
    await serve((reads) => ({ ...reads, committed: () => undefined }));
    await until([1, 1]);
    const wanted = height;
    expect(await headOf()).to.equal(heads.length - 1);
    await replaceHeads(2);
    try {
      for (const { url } of standbys) {
        await eventually(
          () => headIn(url),
          (hash) => hash === previous(),
        );
        await administer(url, 'SELECT pg_wal_replay_pause()');
      }
      while (height < wanted) await grow();
      for (const accept of ['*/*', 'text/csv']) {
        const headers = { accept, 'x-min-height': String(wanted) };
        const { status, body } = await api.get(`/middleware/transactions/interval/0/${wanted}`, { headers });
        expect(status, body).to.equal(200);
      }
    } finally {
      for (const { url } of standbys) await administer(url, 'SELECT pg_wal_replay_resume()');
    }
  });

  it('are read by mdw -s, which never prints their password', async () => {
    const LOCAL = '127.0.0.1:0';
    const running = startMdw(['-s'], {
      NODE_URL: 'http://127.0.0.1:1',
      DATABASE_URL: asRole(cluster.url, 'serve'),
      DATABASE_REPLICA_URLS: standbys.map(({ url }) => asRole(url, 'serve')).join(', '),
      HTTP_ADDRESS: LOCAL,
      METRICS_ADDRESS: LOCAL,
      WEBSOCKET_ADDRESS: LOCAL,
      LOG_LEVEL: 'debug',
    });
    const [, http, ofMetrics] = await running.saw(/"http":{[^}]*"port":(\d+)}.*"metrics":{[^}]*"port":(\d+)}/);
    const lines = async (): Promise<string> => (await ask(Number(ofMetrics), '/metrics')).body;
    await eventually(lines, (text) => text.match(/^mdw_replica_in_use{.*} 1$/gm)?.length === 2);
    for (let i = 0; i < 4; i++) expect((await ask(Number(http), `${READ}${i}`)).status).to.equal(200);

    expect((await lines()).match(/^mdw_replica_reads_total{.*outcome="answered"} [1-9]/gm)).to.have.length(2);
    running.process.kill('SIGTERM');
    const { status, stdout, stderr } = await running.ended;
    expect([status, stdout + stderr]).to.satisfy(
      ([code, output]: [number, string]) => code === 0 && !output.includes('secret'),
    );
  });

  it('have no errors in their logs', () => {
    const errors = standbys.flatMap(({ log }) => log().match(/^[^[]*\[\d+\] ERROR:.*\n.*$/gm) ?? []);
    expect(errors).to.deep.equal([]);
  });

  it('cause no failed request when their replay stops while it holds a lock', async () => {
    const { reads, closeReads } = open({ statementTimeoutMs: 1_500 });
    const locking = new pg.Client({ connectionString: cluster.url, options: '-c search_path=mdw' });
    await locking.connect();
    try {
      await until([1, 1]);
      await locking.query('BEGIN; LOCK TABLE key_blocks IN ACCESS EXCLUSIVE MODE');
      // Sends the lock to the standbys now.
      await administer(cluster.url, 'SELECT pg_switch_wal()');
      for (const { url } of standbys) {
        await eventually(
          () => locksIn(url),
          (count) => count === 1,
        );
        await administer(url, 'SELECT pg_wal_replay_pause()');
      }
      await locking.query('COMMIT');
      const answers = Array.from({ length: 4 }, () => headAnswer(reads));
      await grow();
      await headAnswer(reads.primary);
      for (const { head } of await Promise.all(answers)) expect(head?.height).to.equal(height);
    } finally {
      await locking.end();
      for (const { url } of standbys) await administer(url, 'SELECT pg_wal_replay_resume()');
      await closeReads();
    }
  });

  it('are no longer read when they are promoted', async () => {
    await until([1, 1]);
    await asking(async () => {
      await standbys[0]!.promote();
      await until([0, 1]);
      await move(10);
    });
    const { values } = await metrics.replicaLeftOut.get();
    expect(values.map(({ labels }) => labels['reason'])).to.include('not_standby');
  });
});
