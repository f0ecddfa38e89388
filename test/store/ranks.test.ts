import { expect } from 'chai';
import type pg from 'pg';
import { migrationText } from '../../src/store/schema/migrations.js';
import { names } from '../../src/store/queries/names.js';
import { choices } from '../support/histories.js';
import { tamper } from '../support/roles.js';
import { emptyDatabase } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

/** Expected members of the lists of names, from `names` alone. */
const EXPECTED_RANKS = `
  SELECT r.kind, r.id, r.key, r.label, r.position
  FROM names AS n
  CROSS JOIN LATERAL ranks_of_name(
    n.position, n.name, n.created_at_height, n.owner, n.expires_at, n.pointer_ids, n.active
  ) AS r
  ORDER BY 1, 2, 3, 4, 5`;
const RANKS = `
  SELECT k.kind, k.id, r.key, r.label, r.position
  FROM ranks AS r JOIN rankings AS k ON k.key = r.ranking
  ORDER BY 1, 2, 3, 4, 5`;

/** Expected sampled counts of the middle level, from `ranks` alone: each counts the members up to the next one. */
const EXPECTED_MILESTONES = `
  SELECT ranking, CASE WHEN bucket = 0 THEN -1 ELSE (array_agg(position ORDER BY key, label, position))[1] END AS position,
    count(*) AS count
  FROM (
    SELECT *, count(*) FILTER (WHERE position % 509 = 0) OVER (PARTITION BY ranking ORDER BY key, label, position) AS bucket
    FROM ranks
  ) AS r
  GROUP BY ranking, bucket
  ORDER BY 1, 2`;
const MILESTONES = 'SELECT ranking, position, count FROM milestones ORDER BY 1, 2';

/** Expected sampled counts of the lowest and the highest level, in lists with a sampled member of that level. */
const EXPECTED_SAMPLES = `
  SELECT ranking, level, CASE WHEN bucket = 0 THEN -1 ELSE (array_agg(position ORDER BY key, label, position))[1] END AS position,
    count(*)::int AS count
  FROM (
    SELECT *,
      count(*) FILTER (WHERE sampled) OVER (PARTITION BY ranking, level ORDER BY key, label, position) AS bucket,
      bool_or(sampled) OVER (PARTITION BY ranking, level) AS any_sampled
    FROM (
      SELECT *, 1 AS level, position % 509 IN (0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480) AS sampled
      FROM ranks
      UNION ALL SELECT *, 3, position % (509 * 31) = 0 FROM ranks
    ) AS r
  ) AS r
  WHERE any_sampled
  GROUP BY ranking, level, bucket
  ORDER BY 1, 2, 3`;
const SAMPLES = 'SELECT ranking, level::int, position, count FROM sampled_counts ORDER BY 1, 2, 3';

describe('ranked lists with sampled counts', () => {
  let seeded: SeededDatabase;
  let client: pg.Client;
  const random = choices(3);
  /** Levels that had a sampled member. */
  const levels = new Set<number>();

  before(async () => {
    seeded = await emptyDatabase();
    client = await seeded.database.connect();
    // The rows are the same in each run.
    await client.query('SELECT setseed(0.3)');
    await client.query(
      `INSERT INTO key_blocks SELECT n, 'kh' || n, '', '', '', 0, 1, 1, '' FROM generate_series(0, 900) AS n`,
    );
  });
  after(async () => {
    await client.end();
    await seeded.drop();
  });

  /** About every fourth position is sampled, so that there are many of them, close together and far apart. */
  const insert = (count: number): Promise<unknown> =>
    client.query(
      `INSERT INTO names (position, name, name_hash, tx_hash, created_at_height, auction_end_height, owner, expires_at,
         pointers, pointer_ids, winning_bid, winning_bidder, bid_position)
       SELECT DISTINCT ON (1) p, 'name ' || p % 97, 'nm', 'th', h, h, 'owner ' || p % 3, h + 100 + p % 900, '[]',
         ARRAY['target ' || p % 2, 'target ' || p % 5], 1, 'bidder', 0
       FROM (
         SELECT h, CASE WHEN r < 0.25 THEN ((h << 33) / 509 + (r * 100)::int) * 509 ELSE (h << 33) + (r * 60000)::int END AS p
         FROM (SELECT (random() * 900)::int::bigint AS h, random() AS r FROM generate_series(1, $1)) AS x
       ) AS y
       WHERE NOT EXISTS (SELECT FROM names WHERE position = p)`,
      [count],
    );
  const some = (share: number): string => `position IN (SELECT position FROM names WHERE random() < ${share})`;

  const check = async (): Promise<void> => {
    expect((await client.query(RANKS)).rows).to.deep.equal((await client.query(EXPECTED_RANKS)).rows);
    expect((await client.query(MILESTONES)).rows).to.deep.equal((await client.query(EXPECTED_MILESTONES)).rows);
    const samples = (await client.query<{ level: number }>(SAMPLES)).rows;
    expect(samples).to.deep.equal((await client.query(EXPECTED_SAMPLES)).rows);
    for (const { level } of samples) levels.add(level);
  };

  it('have the right members and counts after random inserts, updates and deletes', async () => {
    for (let round = 0; round < 25; round++) {
      const kind = random.int(0, 4);
      if (kind <= 1) await insert(random.int(1, 300));
      else if (kind === 2)
        await client.query(`UPDATE names SET expires_at = expires_at + 7, owner = 'owner 1' WHERE ${some(0.2)}`);
      else if (kind === 3) await client.query(`DELETE FROM names WHERE ${some(random.chance(0.2) ? 1 : 0.2)}`);
      else await client.query('SELECT settle()');
      await check();
    }
    expect([...levels]).to.have.members([1, 3]);
  });

  it('are counted by the migration in an existing copy', async () => {
    await insert(1500);
    await tamper(
      seeded.database,
      `SET ROLE mdw_migrate;
      ${await migrationText('0013_sampled_counts', 'down')}
      ${await migrationText('0013_sampled_counts', 'up')}`,
    );
    await check();
    await insert(100);
    await check();
  });

  it('return every page of the sorted list in both orders, and its length', async () => {
    await insert(1500);
    await client.query('SELECT settle()');
    await check();
    const { rows } = await client.query<{ name: string; tx_hash: string; active: boolean; created: string }>(
      `SELECT name, tx_hash, active, created_at_height AS created FROM names
       ORDER BY created_at_height DESC, name, position`,
    );
    const text = ({ name, created }: { name: string; created: string }): string => `${name} ${created}`;
    for (const active of [false, true]) {
      for (const reverse of [false, true]) {
        const all = rows.filter((row) => row.active || !active).map(text);
        if (reverse) all.reverse();
        expect(all.length).to.be.above(500);
        for (const [skip, take] of [
          [0, 10],
          [1, 1],
          [505, 20],
          [all.length - 3, 10],
          [all.length, 5],
          [5, 0],
          [40, 900],
          [0, 10_000],
        ] as const) {
          const slice = { by: 'number' as const, skip: BigInt(skip), take, wanted: BigInt(take) };
          const { row } = await names(seeded.database, { owner: null, active, reverse }, slice);
          const told = JSON.parse(row!.body) as { name: string; created_at_height: number }[];
          expect(told.map((one) => `${one.name} ${one.created_at_height}`)).to.deep.equal(all.slice(skip, skip + take));
          expect(row!.total).to.equal(String(all.length));
        }
      }
    }
  });
});
