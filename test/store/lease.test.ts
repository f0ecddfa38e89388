import { expect } from 'chai';
import type { Database } from '../../src/store/connection/database.js';
import { acquireLease, fenceBesideWriter } from '../../src/store/lease.js';
import type { Lease } from '../../src/store/lease.js';
import { silent } from '../support/copy.js';
import { emptyCopy } from '../support/roles.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { GIVE_UP_MS } from '../support/patience.js';

describe('the lease to populate', () => {
  let server: TestDatabase;
  let database: Database;
  const leases: Lease[] = [];

  const acquire = async (options: Partial<Parameters<typeof acquireLease>[0]> = {}): Promise<Lease> => {
    const lease = await acquireLease({
      database,
      seconds: 2,
      logger: silent,
      signal: AbortSignal.timeout(GIVE_UP_MS),
      ...options,
    });
    leases.push(lease);
    return lease;
  };
  const write = (lease: Lease, body: string): Promise<void> =>
    database.transaction(async (tx) => {
      await lease.fence(tx);
      await tx.query({ name: 'test.write', text: 'UPDATE chain SET node_state = $1', values: [body] });
      await lease.fence(tx);
    });
  const written = async (): Promise<string | null> => {
    const { rows } = await database.query<{ node_state: string | null }>({
      name: 'test.read',
      text: 'SELECT node_state FROM chain',
    });
    return rows[0]!.node_state;
  };
  /** Lets the lease end as if its holder were frozen; the connection of the holder stays open. */
  const freeze = async (lease: Lease): Promise<void> => {
    await database.query({
      name: 'test.freeze',
      text: `UPDATE writer SET ends_at = now() - interval '1 second' WHERE epoch = $1`,
      values: [lease.epoch],
    });
  };

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
  });

  afterEach(async () => {
    for (const lease of leases.splice(0)) await lease.release();
  });

  after(async () => {
    await database.close();
    await server.drop();
  });

  it('is given to one process, and to the next one when it is released', async () => {
    const first = await acquire();
    let second: Promise<Lease> | undefined;
    const waiting = await new Promise<string>((resolve) => {
      second = acquire({ onWait: resolve });
    });
    await write(first, 'first');

    await first.release();
    const next = await second!;

    expect(waiting).to.match(/^.+:\d+:/);
    expect(next.epoch).to.equal(first.epoch + 1n);
    await write(next, 'second');
    expect(await written()).to.equal('second');
  });

  it('is free at once when the connection of its holder is lost', async () => {
    const first = await acquire({ seconds: 60 });
    const lost = new Promise((resolve) => first.lost.addEventListener('abort', resolve));
    await database.query({
      name: 'test.kill',
      text: `
        SELECT pg_terminate_backend(l.pid) FROM pg_locks l
        WHERE l.locktype = 'advisory' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    });
    const second = await acquire({ seconds: 60 });
    await lost;

    expect(second.epoch).to.equal(first.epoch + 1n);
  });

  it('is taken over from a frozen holder when it ends, and the former holder can write nothing then', async () => {
    const frozen = await acquire({ seconds: 600 });
    await freeze(frozen);
    const next = await acquire();
    await write(next, 'next');

    const late = await write(frozen, 'late').then(
      () => 'written',
      (error: { code: string }) => error.code,
    );

    expect(late).to.equal('lease_lost');
    expect(frozen.lost.aborted).to.equal(true);
    expect(await written()).to.equal('next');
  });

  it('is not taken over while its holder commits', async () => {
    const first = await acquire();
    const order: string[] = [];
    let second: Promise<unknown> | undefined;
    await database.transaction(async (tx) => {
      await first.fence(tx);
      await freeze2(tx);
      second = acquire().then(() => order.push('taken'));
      await new Promise((resolve) => setImmediate(resolve));
      await tx.query({ name: 'test.slow', text: 'SELECT pg_sleep(0.6)' });
      await first.fence(tx);
      order.push('committed');
    });
    await first.release();
    await second;

    expect(order).to.deep.equal(['committed', 'taken']);

    async function freeze2(tx: Parameters<Lease['fence']>[0]): Promise<void> {
      await tx.query({ name: 'test.end', text: `UPDATE writer SET ends_at = now() - interval '1 second'` });
    }
  });

  it('lets another writing process wait for a commit of the populator', async () => {
    const lease = await acquire();
    const order: string[] = [];
    let beside: Promise<unknown> | undefined;
    await database.transaction(async (tx) => {
      await lease.fence(tx);
      beside = database.transaction(async (other) => {
        await fenceBesideWriter(other);
        order.push('beside');
      });
      await tx.query({ name: 'test.short', text: 'SELECT pg_sleep(0.2)' });
      order.push('populator');
    });
    await beside;

    expect(order).to.deep.equal(['populator', 'beside']);
  });
});
