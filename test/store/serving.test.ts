import { expect } from 'chai';
import pg from 'pg';
import { work } from '../../src/chain/work/target.js';
import { MiddlewareError } from '../../src/observe/errors.js';
import type { Database } from '../../src/store/connection/database.js';
import { dropCopy } from '../../src/store/schema/drop.js';
import { migrate } from '../../src/store/schema/migrate.js';
import { recordServing } from '../../src/store/schema/serving.js';
import type { Entry } from '../../src/store/schema/serving.js';
import { surveyCopies } from '../../src/store/schema/survey.js';
import { rejection } from '../support/http-server.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { administer, asRole, migrateCopy, openAs } from '../support/roles.js';

const EASIEST = 0x2100ffffn;

interface Heights {
  height?: number;
  proven?: number | undefined;
  live?: boolean;
}

describe('two copies of the chain', () => {
  let server: TestDatabase;
  let client: pg.Client;
  let number = 0;
  let blue: Database;
  let green: Database;

  before(async () => {
    server = await testDatabase();
    client = new pg.Client({ connectionString: server.url });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await server.drop();
  });
  beforeEach(() => {
    number++;
    [blue, green] = [openAs(server.url, `c${number}`), openAs(server.url, `c${number}_green`)];
  });
  afterEach(() => Promise.all([blue.close(), green.close()]));

  /** A copy with key blocks up to `height`, of which those up to `proven` are proven. */
  const make = async ({ schema }: Database, { height = -1, proven, live }: Heights = {}): Promise<void> => {
    await migrateCopy(server.url, schema);
    await grow({ schema }, { height, proven, live: live ?? height >= 0 });
  };
  const grow = (
    { schema }: Pick<Database, 'schema'>,
    { height = -1, proven = height, live = true }: Heights,
  ): Promise<void> =>
    administer(
      server.url,
      `INSERT INTO key_blocks (height, hash, prev_hash, prev_key_hash, beneficiary, time, version, target, body)
       SELECT h, 'kh_' || h, '', '', '', 0, 5, ${EASIEST}, '{}' FROM generate_series(0, ${height}) AS h ON CONFLICT DO NOTHING;
       UPDATE chain SET proven_height = ${proven}, live = ${live}`,
      schema,
    );
  const survey = () => surveyCopies(blue, [blue.schema, green.schema]);
  const steps = async (): Promise<string[]> =>
    (await survey()).serving.map(({ step, reload, schema, result }) =>
      [step, reload, schema === blue.schema ? 'blue' : 'green', ...(result === null ? [] : [result])].join(' '),
    );
  const rowsIn = async ({ schema }: Database): Promise<number> =>
    (await client.query(`SELECT FROM ${schema}.serving`)).rowCount ?? 0;
  const entry = (step: Entry['step'], reload = 'one', result: string | null = null): Entry => ({
    step,
    reload,
    result,
  });
  const refusal = async (attempt: Promise<unknown>): Promise<MiddlewareError> => {
    const error = await rejection(attempt);
    if (!(error instanceof MiddlewareError)) throw error;
    return error;
  };
  const contents = async (): Promise<unknown> =>
    (await client.query('SELECT relname, relnamespace FROM pg_class')).rows;

  describe('in a survey', () => {
    it('are read without any change: height, proven height, proven work, and whether they are complete', async () => {
      await make(blue, { height: 20, proven: 11 });
      await make(green, { height: 3, live: false });
      const before = await contents();
      const { copies, serving } = await survey();
      const workOf = (blocks: number): bigint => work(Array<bigint>(blocks).fill(EASIEST));
      expect(copies).to.deep.equal([
        { schema: blue.schema, live: true, height: 20, provenHeight: 11, work: workOf(12) },
        { schema: green.schema, live: false, height: 3, provenHeight: 3, work: workOf(4) },
      ]);
      expect(serving).to.deep.equal([]);
      expect(await contents()).to.deep.equal(before);
    });

    it('are left out where there is no schema, an empty one, or one with tables of others, and nothing is created', async () => {
      await client.query(`CREATE SCHEMA ${blue.schema}; CREATE SCHEMA ${green.schema} CREATE TABLE migrations (a int)`);
      const before = await contents();
      expect(await survey()).to.deep.equal({ copies: [], serving: [] });
      expect(await contents()).to.deep.equal(before);
    });

    it('may be of older versions, without the record and without a proven height', async () => {
      await make(blue, { height: 5 });
      await client.query(`
        DROP TABLE ${blue.schema}.serving;
        ALTER TABLE ${blue.schema}.chain DROP COLUMN proven_height;
        DELETE FROM ${blue.schema}.migrations WHERE name IN ('0012_proven', '0024_expand_serving')`);
      expect(await survey()).to.deep.equal({
        copies: [{ schema: blue.schema, live: true, height: 5, provenHeight: -1, work: 0n }],
        serving: [],
      });
    });

    it('do not count as absent where the role may not read them', async () => {
      await make(blue, { height: 5 });
      await make(green, { height: 5 });
      const role = openAs(asRole(server.url, 'migrate'), blue.schema);
      const both = [blue.schema, green.schema];
      try {
        await client.query(
          `REVOKE ALL ON SCHEMA ${green.schema} FROM mdw_migrate; ALTER SCHEMA ${green.schema} OWNER TO current_user`,
        );
        expect(await refusal(surveyCopies(role, both))).to.include({
          code: 'missing_right',
          message: `The role has no right to use the schema ${green.schema}`,
        });
        await client.query(`
          GRANT USAGE ON SCHEMA ${green.schema} TO mdw_migrate;
          ALTER TABLE ${green.schema}.serving OWNER TO current_user; REVOKE ALL ON ${green.schema}.serving FROM mdw_migrate`);
        expect((await refusal(surveyCopies(role, both))).code).to.equal('missing_right');
      } finally {
        await role.close();
      }
    });
  });

  describe('in the record', () => {
    it('have the same rows, also a copy that was made after the first row; a repeated row is stored once', async () => {
      await make(blue, { height: 9 });
      await recordServing(blue, green.schema, entry('switched', 'zero'));
      await make(green, { height: 9 });
      await recordServing(green, blue.schema, entry('intended'));
      await recordServing(green, blue.schema, entry('intended'));
      await recordServing(green, blue.schema, entry('switched'));
      expect(await steps()).to.deep.equal(['switched zero blue', 'intended one green', 'switched one green']);
      expect([await rowsIn(blue), await rowsIn(green)]).to.deep.equal([3, 3]);
      const { serving, copies } = await survey();
      expect(serving.at(-1)?.work).to.equal(String(copies[1]?.work));
    });

    it('are remembered by the remaining copy when the other is dropped, with the end of the reload', async () => {
      await make(blue, { height: 9 });
      await make(green, { height: 9 });
      await recordServing(green, blue.schema, entry('switched'));
      const operator = { serving: green.schema, anyWork: false, entry: entry('done', 'one', 'Complete') };
      expect(await dropCopy(blue, operator)).to.equal('dropped');
      expect(await dropCopy(blue, operator)).to.equal('absent');
      expect(await steps()).to.deep.equal(['switched one green', 'done one green Complete']);
    });

    it('have a first row from the drop before a reload, also if the copy that serves was promoted by an older version', async () => {
      await make(green, { height: 9 });
      const operator = { serving: green.schema, anyWork: false };
      expect(await dropCopy(blue, operator)).to.equal('absent');
      expect(await steps()).to.deep.equal(['switched  green']);
      await recordServing(green, blue.schema, entry('switched'));
      expect(await dropCopy(blue, operator)).to.equal('absent');
      expect(await steps()).to.deep.equal(['switched  green', 'switched one green']);
    });

    it('are of an older version where the table is missing: nothing is recorded there', async () => {
      await make(blue, { height: 9 });
      await make(green, { height: 9 });
      await client.query(
        `DROP TABLE ${blue.schema}.serving; DELETE FROM ${blue.schema}.migrations WHERE name = '0024_expand_serving'`,
      );
      expect(await recordServing(blue, green.schema, entry('switched'))).to.equal(false);
      expect(await steps()).to.deep.equal([]);
      expect(await recordServing(green, blue.schema, entry('switched'))).to.equal(true);
      expect(await steps()).to.deep.equal(['switched one green']);
      expect(await migrate(blue)).to.deep.equal(['0024_expand_serving']);
    });

    it('keep the later of two rows with one number, as after a restored backup', async () => {
      await make(blue, { height: 9 });
      await make(green, { height: 9 });
      await recordServing(blue, 'absent', entry('switched', 'old'));
      await recordServing(green, 'absent', entry('switched', 'new'));
      expect(await steps()).to.deep.equal(['switched new green']);
      await recordServing(green, blue.schema, entry('done', 'new', 'Complete'));
      expect((await steps()).at(-1)).to.equal('done new green Complete');
    });
  });

  describe('of which one is to be dropped for an operator', () => {
    const serving = (schema: string, anyWork = false) => ({ serving: schema, anyWork });

    it('keep the one with more proven work than the one that serves', async () => {
      await make(blue, { height: 30, proven: 20 });
      await make(green, { height: 40, proven: 19 });
      const before = await contents();
      const { code, message } = await refusal(dropCopy(blue, serving(green.schema)));
      expect(code).to.equal('copy_ahead');
      expect(message).to.equal(
        `The copy in schema ${blue.schema} is proven up to height 20 and has more proven work than that in schema ` +
          `${green.schema}, which serves and is proven up to height 19: nothing was dropped`,
      );
      expect(await contents()).to.deep.equal(before);
      await grow(green, { height: 40, proven: 20 });
      expect(await dropCopy(blue, serving(green.schema))).to.equal('dropped');
    });

    it('keep it if the one that serves does not exist, is empty or cannot be used', async () => {
      await make(blue, { height: 3 });
      expect((await refusal(dropCopy(blue, serving('absent')))).code).to.equal('copy_ahead');
      await make(green);
      expect((await refusal(dropCopy(blue, serving(green.schema)))).code).to.equal('copy_ahead');
    });

    it('lose it if a person named it', async () => {
      await make(blue, { height: 30 });
      await make(green, { height: 3 });
      expect(await dropCopy(blue, serving(green.schema, true))).to.equal('dropped');
    });

    it('are compared after a commit that is under way, which may lower the proof of the one that serves', async () => {
      await make(blue, { height: 30 });
      await make(green, { height: 30 });
      const populator = new pg.Client({ connectionString: server.url });
      await populator.connect();
      try {
        await populator.query(`BEGIN; UPDATE ${green.schema}.chain SET proven_height = 29`);
        const dropping = refusal(dropCopy(blue, serving(green.schema)));
        for (let waits = false; !waits;) {
          const { rows } = await client.query(
            `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FOR SHARE'`,
          );
          waits = rows.length > 0;
        }
        await populator.query('COMMIT');
        expect((await dropping).code).to.equal('copy_ahead');
      } finally {
        await populator.end();
      }
    });
  });
});
