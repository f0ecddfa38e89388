import { expect } from 'chai';
import { createWorld } from '../support/events.js';
import type { World } from '../support/events.js';
import { administer, asRole } from '../support/roles.js';

/** Events 21 and 22 are lost with a server, and the populator uses their numbers again for other events. */
describe('event numbers that are used twice after a failover', () => {
  let world: World;

  beforeEach(async () => (world = await createWorld({ seed: 'failover', generations: 2 })));
  afterEach(() => world.close());

  /** The last events are others from one moment to the next, and more have come: what a server finds that was away. */
  const loseAndReplace = (count: number, more: number): Promise<void> =>
    world.database.transaction(async (tx) => {
      await tx.query({
        name: 'test.lose',
        text: `
          WITH lost AS (
            DELETE FROM events WHERE seq > (SELECT event_seq FROM chain) - $1 RETURNING seq, kind, position, hash, body
          )
          INSERT INTO test_lost SELECT * FROM lost`,
        values: [count],
      });
      await tx.query({
        name: 'test.replace',
        text: `
          INSERT INTO events (seq, kind, position, hash, body)
          SELECT seq + shift, kind, position, hash, body FROM test_lost, generate_series(0, $1) AS shift
          ON CONFLICT DO NOTHING`,
        values: [more],
      });
      await tx.query({
        name: 'test.head-on',
        text: `UPDATE chain SET event_seq = (SELECT max(seq) FROM events)`,
      });
      await tx.query({ name: 'test.wake', text: `SELECT pg_notify('mdw_' || current_schema(), '')` });
    });

  it('are noticed though all else is equal, and clients must subscribe again', async () => {
    const table = 'CREATE TABLE test_lost (seq bigint, kind text, position bigint, hash text, body text)';
    await administer(asRole(world.databaseUrl, 'migrate'), table, 'mdw');
    const server = await world.serve();
    const client = await server.connect();
    await client.ask({ op: 'subscribe', payload: 'micro_blocks' });
    await client.ask({ op: 'subscribe', payload: 'key_blocks' });
    await world.devnode.grow(2);
    await world.sync();
    await client.reached(await world.head());
    const received = client.frames.length;

    await loseAndReplace(2, 1);
    const { code, reason } = await client.closed;

    expect({ code, reason }).to.deep.equal({ code: 1012, reason: 'events were lost: subscribe again' });
    expect(client.frames.slice(received), 'nothing of the other log').to.deep.equal([]);
  });
});
