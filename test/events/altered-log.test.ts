/** The event log is verified against the stored chain: clients that resume are sent its rows. */
import { expect } from 'chai';
import pg from 'pg';
import type { Difference } from '../../src/store/facts/difference.js';
import { createWorld, verifyEvents } from '../support/events.js';
import type { World } from '../support/events.js';
import { shareOf } from '../support/share.js';

describe('the event log, altered by hand', () => {
  let world: World;
  let hand: pg.Client;

  before(async () => {
    world = await createWorld();
    await world.devnode.grow(3);
    await world.sync();
    await world.devnode.fork({ depth: 2, grow: 3, retainTxs: 'some' });
    await world.sync();
    await world.devnode.addMicroBlock({ txs: 2 });
    await world.sync();
    hand = new pg.Client({ connectionString: world.databaseUrl, options: '-c search_path=mdw' });
    await hand.connect();
    await hand.query('CREATE TABLE saved_events AS SELECT * FROM events');
  });
  after(async () => {
    await hand.end();
    await world.close();
  });

  /** The differences after a statement that must change one row, which is undone. */
  async function found(statement: string): Promise<Difference[]> {
    try {
      const { rowCount } = await hand.query(statement);
      expect(rowCount, statement).to.equal(1);
      return await verifyEvents(world.database);
    } finally {
      await hand.query('DELETE FROM events');
      await hand.query('INSERT INTO events SELECT * FROM saved_events');
      await hand.query('UPDATE chain SET event_seq = (SELECT max(seq) FROM events)');
    }
  }

  it('has each kind of event of a followed chain with a reorg, and no difference', async () => {
    const { rows } = await hand.query<{ kind: string }>('SELECT DISTINCT kind FROM events ORDER BY kind');
    expect(rows.map(({ kind }) => kind)).to.have.members([
      'key_block',
      'left',
      'micro_block',
      'rollback',
      'transaction',
      'tx_update',
    ]);
    expect(await verifyEvents(world.database)).to.deep.equal([]);
  });

  it('differs in each row whose number, kind, position or hash is altered', async () => {
    const { rows } = await hand.query<{ seq: string; kind: string }>('SELECT seq, kind FROM events ORDER BY seq');
    const unseen: string[] = [];
    for (const { seq, kind } of shareOf(rows)) {
      const changes = ['seq = seq + 1000', `kind = 'other'`];
      if (kind !== 'rollback') changes.push(`hash = hash || 'x'`);
      // What was removed again, or is a rollback, is stored nowhere else.
      if (!['rollback', 'left'].includes(kind)) changes.push(`position = position + 1`);
      for (const change of changes) {
        const differences = await found(`UPDATE events SET ${change} WHERE seq = ${seq}`);
        if (differences.length === 0) unseen.push(`${kind} ${seq} ${change}`);
      }
    }
    expect(unseen).to.deep.equal([]);
  });

  it('differs where a text of a block or transaction of the chain is altered', async () => {
    for (const kind of ['key_block', 'micro_block', 'transaction', 'tx_update']) {
      const last = `(SELECT max(seq) FROM events WHERE kind = '${kind}' AND hash IN
        (SELECT hash FROM key_blocks UNION ALL SELECT hash FROM micro_blocks UNION ALL SELECT hash FROM transactions))`;
      const differences = await found(
        `UPDATE events SET body = replace(body, '"hash":', '"x":1,"hash":') WHERE seq = ${last}`,
      );
      expect(
        differences.map(({ table, column }) => [table, column]),
        kind,
      ).to.deep.equal([['events', 'body']]);
    }
  });

  it('differs where a row is missing, or a transaction is announced as if it were new', async () => {
    const middle = '(SELECT seq FROM events ORDER BY seq LIMIT 1 OFFSET (SELECT count(*) / 2 FROM events))';
    expect(
      (await found(`DELETE FROM events WHERE seq = ${middle}`)).map(({ table, stored }) => [table, stored]),
    ).to.deep.equal([['events', null]]);
    expect(await found(`DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)`)).to.have.length(1);
    const moved = `(SELECT max(seq) FROM events WHERE kind = 'tx_update')`;
    expect((await found(`UPDATE events SET kind = 'transaction' WHERE seq = ${moved}`))[0]).to.include({
      column: 'kind',
    });
  });
});
