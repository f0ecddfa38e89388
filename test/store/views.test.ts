/** The views for SQL queries of people: they must have the same values as the answers of the API. */
import { expect } from 'chai';
import { parseExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import type { Database } from '../../src/store/connection/database.js';
import { dropCopy } from '../../src/store/schema/drop.js';
import { migrate } from '../../src/store/schema/migrate.js';
import { migrationText } from '../../src/store/schema/migrations.js';
import { commit } from '../../src/store/write/commit.js';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { rejection } from '../support/http-server.js';
import { readWhole } from '../support/plans.js';
import type { PlanNode } from '../support/plans.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedGenerations } from '../support/recording.js';
import { asRole, emptyCopy, openAs, tamper } from '../support/roles.js';
import { append, madeBlocks, madeHash, recordedBlocks } from '../support/seed.js';
import type { MadeTransaction } from '../support/seed.js';

type Row = Record<string, unknown>;

const VIEWS = [
  'v_account_transactions',
  'v_channels',
  'v_contract_calls',
  'v_contracts',
  'v_days',
  'v_key_blocks',
  'v_micro_blocks',
  'v_name_auctions',
  'v_names',
  'v_oracles',
  'v_transactions',
];

/** Types whose amounts are in the wrapped transaction. */
const WRAPPING = ['GAMetaTx', 'PayingForTx'];
/** Types for which exports give 0 if the code failed; the view gives the amount that they state. */
const RUNS = ['ContractCallTx', 'ContractCreateTx'];

const by =
  (...columns: string[]) =>
  (a: Row, b: Row): number =>
    columns.map((column) => String(a[column])).join() < columns.map((column) => String(b[column])).join() ? -1 : 1;

const textOf = (value: unknown): string => String(value);

let number = 0;
const ask = async (database: Database, text: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.query<Row>({ name: `test.views.${++number}`, text, values })).rows;

const viewsOf = async (database: Database): Promise<unknown[]> =>
  (
    await ask(
      database,
      `SELECT viewname FROM pg_views WHERE schemaname = current_schema() AND viewname LIKE 'v\\_%' ORDER BY 1`,
    )
  ).map(({ viewname }) => viewname);

describe('views', () => {
  let server: TestDatabase;
  let database: Database;
  let reader: Database;
  let api: TestApi;
  const recorded = recordedGenerations();
  const top = recorded.length - 1;
  /** Transactions of the recording by hash. */
  const printed = new Map<string, JsonObject>();

  before(async () => {
    for (const { transactions } of recorded.flatMap(({ microBlocks }) => microBlocks)) {
      for (const one of (parseExact(transactions) as { transactions: JsonObject[] }).transactions)
        printed.set(one['hash'] as string, one['tx'] as JsonObject);
    }
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await append(database, null, recordedBlocks());
    // Calls are decoded in the background.
    await tamper(
      database,
      `UPDATE contract_calls SET state = 'done', arguments = '{"function":"tip","arguments":[{"type":"string","value":"\\u0000"}]}',
        result = '{"function":"tip"}'`,
    );
    await tamper(database, 'ANALYZE');
    reader = openAs(asRole(server.url, 'reader'));
    api = await testApi(database, { limitCap: 1000 });
  });
  after(async () => {
    await api.close();
    await reader.close();
    await database.close();
    await server.drop();
  });

  const see = (text: string, values?: unknown[]): Promise<Row[]> => ask(reader, text, values);
  const listed = async (path: string): Promise<Row[]> => (await api.json(path)) as Row[];
  const exported = async (path: string): Promise<Row[]> => {
    const { status, body } = await api.get(path, { headers: { accept: 'application/x-ndjson' } });
    expect(status, path).to.equal(200);
    return body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
  };

  it('are exactly the listed ones', async () => {
    expect(await viewsOf(reader)).to.deep.equal(VIEWS);
  });

  it('of key blocks and micro blocks have the members of the node, and count their contents', async () => {
    const answer = parseExact((await api.get(`/middleware/generations/0/${top}`)).body) as unknown as {
      data: Record<string, JsonObject & { micro_blocks: Record<string, JsonObject & { transactions: JsonObject }> }>;
    };
    const generations = Object.values(answer.data);
    const iso = (time: unknown): string => new Date(Number(time)).toISOString();

    const keyBlocks = await see('SELECT * FROM v_key_blocks ORDER BY height');
    expect(
      keyBlocks.map(({ tx_count, fees, time, ...row }) => [
        { ...row, time: (time as Date).toISOString() },
        tx_count,
        fees,
      ]),
    ).to.deep.equal(
      generations
        .sort((a, b) => Number(a['height']) - Number(b['height']))
        .map((block) => {
          const transactions = Object.values(block.micro_blocks).flatMap((micro) => Object.keys(micro.transactions));
          const row = {
            height: String(Number(block['height'])),
            hash: block['hash'],
            prev_hash: block['prev_hash'],
            prev_key_hash: block['prev_key_hash'],
            beneficiary: block['beneficiary'],
            version: Number(block['version']),
            target: textOf(block['target']),
            time: iso(block['time']),
          };
          const fees = transactions.reduce((sum, hash) => sum + BigInt(textOf(printed.get(hash)!['fee'])), 0n);
          return [row, transactions.length, String(fees)];
        }),
    );

    const microBlocks = await see('SELECT * FROM v_micro_blocks');
    expect(
      microBlocks
        .map(({ height, hash, prev_hash, tx_count, time }) => ({
          ...{ height, hash, prev_hash, tx_count, time: (time as Date).toISOString() },
        }))
        .sort(by('hash')),
    ).to.deep.equal(
      generations
        .flatMap((block) =>
          Object.entries(block.micro_blocks).map(([hash, micro]) => ({
            height: String(Number(block['height'])),
            hash,
            prev_hash: micro['prev_hash'],
            tx_count: Object.keys(micro.transactions).length,
            time: iso(micro['time']),
          })),
        )
        .sort(by('hash')),
    );
    const ordered = await see('SELECT height FROM v_micro_blocks ORDER BY position');
    expect(ordered.map(({ height }) => Number(height))).to.deep.equal(
      ordered.map(({ height }) => Number(height)).sort((a, b) => a - b),
    );
  });

  it('of transactions have the values of the export of an interval, with exact amounts', async () => {
    const rows = await exported(`/middleware/transactions/interval/0/${top}`);
    expect(rows).to.have.lengthOf(printed.size);
    const viewed = await see('SELECT * FROM v_transactions ORDER BY position DESC');

    const seen = viewed.map(({ time, height, block_hash, hash, type, sender, recipient, amount, fee, nonce }) => ({
      ...{ time: (time as Date).toISOString(), height: Number(height), block_hash, hash, type, fee, nonce },
      ...(WRAPPING.includes(String(type)) ? {} : { sender, recipient, amount }),
    }));
    const expected = rows.map((row) => {
      const { time, height, block_hash, hash, type, sender, recipient, fee_aettos: fee, nonce } = row;
      const tx = printed.get(hash as string)!;
      const stated = BigInt(textOf(tx['amount'] ?? 0)) + BigInt(textOf(tx['deposit'] ?? 0));
      const amount = RUNS.includes(String(type)) ? String(stated) : row['amount_aettos'];
      return {
        ...{ time, height, block_hash, hash, type, fee, nonce },
        ...(WRAPPING.includes(String(type)) ? {} : { sender, recipient, amount }),
      };
    });
    expect(seen).to.deep.equal(expected);
    for (const { hash, type, sender, body } of viewed) {
      const tx = printed.get(hash as string)!;
      if (type === 'GAMetaTx') expect(sender).to.equal(tx['ga_id']);
      if (type === 'PayingForTx') expect(sender).to.equal(tx['payer_id']);
      expect((parseExact(body as string) as JsonObject)['tx']).to.deep.equal(tx);
    }
  });

  it('of transactions of an account have the rows of its export, in the same order', async () => {
    const accounts = await see('SELECT DISTINCT account FROM v_account_transactions');
    expect(accounts).to.have.length.above(10);
    const directions = new Set<unknown>();
    for (const { account } of accounts) {
      const rows = await exported(`/middleware/transactions/account/${account as string}`);
      const seen = await see('SELECT * FROM v_account_transactions WHERE account = $1 ORDER BY ordinal DESC', [
        account,
      ]);
      expect(seen.map(({ hash, height, type }) => ({ hash, height: Number(height), type }))).to.deep.equal(
        rows.map(({ hash, height, type }) => ({ hash, height, type })),
      );
      expect(seen.map(({ ordinal }) => ordinal)).to.deep.equal(seen.map((_, i) => seen.length - i));
      seen.forEach(({ direction }, i) => {
        directions.add(direction);
        if (direction !== null) expect(direction, String(rows[i]!['hash'])).to.equal(rows[i]!['direction']);
        else if (!WRAPPING.includes(String(rows[i]!['type']))) expect(rows[i]!['direction']).to.equal(null);
      });
    }
    expect([...directions].sort()).to.deep.equal(['in', null, 'out', 'self']);
  });

  it('of names have all records, and show which are active and which are in auction', async () => {
    const seen = await see('SELECT * FROM v_names');
    expect(
      seen
        .map(({ name, name_hash, hash, height, auction_end_height, owner, expires_height, pointers }) => ({
          ...{ name, name_hash, tx_hash: hash, created_at_height: Number(height) },
          ...{ auction_end_height: Number(auction_end_height), owner, expires_at: Number(expires_height) },
          pointers: pointers === null ? null : (JSON.parse(pointers as string) as unknown),
        }))
        .sort(by('tx_hash')),
      // The views do not have the node's records.
    ).to.deep.equal((await listed('/middleware/names')).map(({ source: _, ...name }) => name).sort(by('tx_hash')));

    const namesIn = (state: string): unknown[] =>
      seen
        .filter((row) => row['state'] === state)
        .map(({ name }) => name)
        .sort();
    const active = await listed('/middleware/names/active');
    expect(namesIn('active')).to.deep.equal(active.map(({ name }) => name).sort());
    const running = await listed('/middleware/names/auctions/active');
    expect(namesIn('auction')).to.deep.equal(running.map(({ name }) => name).sort());
    expect(namesIn('revoked')).to.have.length.above(0);

    const auctions = await see('SELECT * FROM v_name_auctions WHERE running');
    expect(
      auctions
        .map(({ name, end_height, winning_bid, winning_bidder }) => ({
          ...{ name, expiration: Number(end_height), winning_bid, winning_bidder },
        }))
        .sort(by('name')),
    ).to.deep.equal(running.sort(by('name')));
    expect(running).to.have.length.above(0);
  });

  it('of contracts and calls have those that the API lists', async () => {
    const contracts = await see('SELECT * FROM v_contracts ORDER BY position DESC');
    expect(
      contracts.map(({ contract, hash, height }) => ({
        ...{ contract_id: contract, transaction_hash: hash, block_height: Number(height) },
      })),
    ).to.deep.equal(await listed('/middleware/contracts/all'));

    const called = await see('SELECT DISTINCT contract FROM v_contract_calls');
    expect(called).to.have.length.above(1);
    for (const { contract } of called) {
      const path = `/middleware/contracts/calls/address/${contract as string}`;
      const rows = await exported(path);
      const answers = await listed(path);
      const seen = await see(`SELECT * FROM v_contract_calls WHERE contract = $1 ORDER BY position`, [contract]);
      expect(
        seen.map(({ hash, height, caller, fee, nonce, return_type, ...row }) => ({
          ...{ hash, height: Number(height), caller, fee, nonce, return_type },
          ...{ function: row['function'], arguments: row['arguments'], result: row['result'], gas: row['gas_used'] },
          // A transaction that wraps the call states no amount.
          amount: return_type === 'ok' ? (row['amount'] ?? '0') : '0',
        })),
      ).to.deep.equal(
        rows.map(({ hash, height, caller, fee_aettos: fee, nonce, return_type, ...row }, i) => ({
          ...{ hash, height, caller, fee, nonce, return_type },
          ...{ function: 'tip', arguments: row['arguments'], result: row['result'] },
          gas: String((answers[i]!['callinfo'] as { gas_used: number }).gas_used),
          amount: row['amount_aettos'],
        })),
      );
      expect(new Set(seen.map(({ state }) => state))).to.deep.equal(new Set(['decoded']));
    }
  });

  it('of oracles and channels have those that the API lists, and show which have ended', async () => {
    const oracles = await see('SELECT * FROM v_oracles WHERE active ORDER BY position DESC');
    expect(
      oracles.map(({ oracle, hash, height, expires_height }) => ({
        oracle_id: oracle,
        transaction_hash: hash,
        block_height: Number(height),
        expires_at: Number(expires_height),
      })),
    ).to.deep.equal((await listed('/middleware/oracles/list')).map(({ tx: _tx, ...oracle }) => oracle));

    const channels = await see('SELECT * FROM v_channels ORDER BY position');
    expect(channels.filter(({ open }) => open).map(({ channel }) => channel)).to.deep.equal(
      await listed('/middleware/channels/active'),
    );
    expect(channels.filter(({ open }) => open === false)).to.have.length.above(0);
    for (const { open, hash, closed_height, height, initiator, responder } of channels) {
      expect(open ? closed_height : Number(closed_height) >= Number(height)).to.equal(open ? null : true);
      const { initiator_id, responder_id } = printed.get(hash as string)!;
      if (initiator_id !== undefined) expect([initiator, responder]).to.deep.equal([initiator_id, responder_id]);
    }
  });

  it('of days have the spends that the API counts', async () => {
    const days = await see(
      `SELECT to_char(day, 'YYYY-MM-DD') AS day, spend_count, spend_amount FROM v_days ORDER BY 1`,
    );
    expect(
      days.map(({ day: date, spend_count, spend_amount: amount }) => ({ date, count: Number(spend_count), amount })),
    ).to.deep.equal(await listed('/middleware/transactions/rate/20000101/20991231'));
    expect(days).to.have.length.above(0);
  });

  it('have numeric columns for all amounts', async () => {
    const columns = await see(`
      SELECT table_name || '.' || column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name LIKE 'v\\_%' AND (
        column_name ~ '(amount|fees?|nonce|bid|gas_used)$' OR data_type IN ('real', 'double precision'))`);
    expect(columns).to.have.length.above(8);
    for (const { name, type } of columns) expect(type, String(name)).to.equal('numeric');
  });

  it('can be read by the role for readers, and not written', async () => {
    for (const view of VIEWS) {
      const error = await rejection(see(`DELETE FROM ${view}`));
      expect(String(error), view).to.match(/permission denied|cannot delete/);
    }
  });

  describe('are queried without reading a whole table', () => {
    const SMALL = new Set(['types']);
    const CASES: [view: string, columns: string[]][] = [
      ['v_key_blocks', ['height', 'hash']],
      ['v_micro_blocks', ['height', 'hash']],
      ['v_transactions', ['height', 'hash']],
      ['v_account_transactions', ['account', 'height', 'hash']],
      ['v_names', ['name', 'name_hash', 'owner', 'height', 'hash', 'expires_height']],
      ['v_name_auctions', ['name', 'height', 'hash']],
      ['v_contracts', ['contract', 'height', 'hash']],
      ['v_contract_calls', ['contract', 'height', 'hash']],
      ['v_oracles', ['oracle', 'height', 'hash']],
      ['v_channels', ['channel', 'height', 'hash']],
    ];
    for (const [view, column] of CASES.flatMap(([view, columns]) => columns.map((one) => [view, one] as const))) {
      it(`${view} by ${column}`, async () => {
        // There are few names, contracts and the like here, so for several heights PostgreSQL may read them whole.
        const several = /_(blocks|transactions)$/.test(view) ? ['BETWEEN 40 AND 44', '>= 170'] : [];
        const conditions = column.endsWith('height') ? ['= 40', ...several] : [`= 'a'`];
        await reader.transaction(async (tx) => {
          // PostgreSQL reads small tables whole. Without sequential scans it does so only if it has no other way.
          await tx.run(
            'SET LOCAL enable_seqscan = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_hashjoin = off',
          );
          for (const condition of conditions) {
            const { rows } = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
              name: '',
              text: `EXPLAIN (FORMAT JSON) SELECT * FROM ${view} WHERE ${column} ${condition}`,
            });
            const whole = readWhole(rows[0]!['QUERY PLAN'][0].Plan).filter((one) => !SMALL.has(one));
            expect(whole, condition).to.deep.equal([]);
          }
        });
      });
    }

    it('v_account_transactions: the newest transactions of an account with many', async () => {
      const many = await emptyCopy(server.url, 'many');
      await tamper(
        many,
        `INSERT INTO types (name) VALUES ('SpendTx');
         INSERT INTO lists (kind, id) SELECT 1, 'account ' || n FROM generate_series(1, 200) AS n;
         INSERT INTO generations SELECT h, 100, 1, 1, 1, 1, 1 FROM generate_series(0, 99) AS h;
         INSERT INTO transactions
         SELECT (h << 33) + 65536 + i, h || '/' || i, 1, true, 1, 1, 1, 2, '{}'
         FROM generate_series(0, 99::bigint) AS h, generate_series(0, 99::bigint) AS i;
         INSERT INTO entries
         SELECT l.key, t.position, row_number() OVER (PARTITION BY l.key ORDER BY t.position), 1, 1
         FROM transactions AS t JOIN lists AS l ON l.id = 'account 1' OR t.position < 65540 AND l.kind = 1;
         ANALYZE`,
      );
      const newest = `FROM v_account_transactions WHERE account = 'account 1' AND ordinal > last_ordinal - 10 ORDER BY ordinal DESC`;
      expect((await ask(many, `SELECT hash ${newest}`)).map(({ hash }) => hash)).to.deep.equal(
        Array.from({ length: 10 }, (_, i) => `99/${99 - i}`),
      );
      const plan = await ask(many, `EXPLAIN (ANALYZE, FORMAT JSON) SELECT * ${newest}`);
      await many.close();
      expect(JSON.stringify(plan).match(/"Actual (Rows|Loops)": ?\d{4,}/)).to.equal(null);
    });

    it('v_transactions: forty heights of many', async () => {
      const large = await emptyCopy(server.url, 'large');
      await tamper(
        large,
        `INSERT INTO types (name) VALUES ('SpendTx');
         INSERT INTO generations SELECT h, 100, 1, 1, 1, 1, 1 FROM generate_series(0, 399) AS h;
         INSERT INTO transactions
         SELECT (h << 33) + 65536 + i, h || '/' || i, 1, true, 1, 1, 1, 2, '{}' || repeat(' ', 300)
         FROM generate_series(0, 399::bigint) AS h, generate_series(0, 99::bigint) AS i;
         ANALYZE`,
      );
      const plan = await ask(
        large,
        'EXPLAIN (FORMAT JSON) SELECT hash, sender FROM v_transactions WHERE height BETWEEN 300 AND 339',
      );
      await large.close();
      const [{ Plan }] = plan[0]!['QUERY PLAN'] as [{ Plan: PlanNode }];
      expect(readWhole(Plan).filter((one) => !SMALL.has(one))).to.deep.equal([]);
    });
  });
});

describe('views of irregular rows', () => {
  let server: TestDatabase;
  let database: Database;

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
  });
  after(async () => {
    await database.close();
    await server.drop();
  });

  it('have no rows of a removed branch, nor of unreadable transactions', async () => {
    const [carol, dave] = [madeHash('ak', 'carol'), madeHash('ak', 'dave')];
    const spends = [{ sender: carol }, { sender: dave }];
    await append(database, null, madeBlocks([{}, { microBlocks: [spends] }, { microBlocks: [[{ sender: dave }]] }]));
    const [stays, goes] = await ask(database, 'SELECT hash FROM v_micro_blocks ORDER BY position');
    const [last] = await ask(database, 'SELECT hash FROM v_key_blocks WHERE height = 2');
    const hashes = async (view: string, of = 'sender', id = dave): Promise<unknown[]> =>
      (await ask(database, `SELECT hash FROM ${view} WHERE ${of} = $1`, [id])).map(({ hash }) => hash);
    expect(await hashes('v_transactions')).to.have.lengthOf(2);
    expect(await hashes('v_account_transactions', 'account')).to.have.lengthOf(2);

    const branch = madeBlocks([{ time: 7 }], 2, String(stays!['hash']));
    await commit(database, () => Promise.resolve(), {
      base: String(stays!['hash']),
      removeFrom: 2n << 33n,
      blocks: branch,
    });
    expect(await hashes('v_transactions')).to.have.lengthOf(1);
    expect(await hashes('v_account_transactions', 'account')).to.have.lengthOf(1);
    expect(await ask(database, 'SELECT FROM v_micro_blocks WHERE hash = $1', [goes!['hash']])).to.deep.equal([]);
    expect(await ask(database, 'SELECT FROM v_key_blocks WHERE hash = $1', [last!['hash']])).to.deep.equal([]);

    const unread = await hashes('v_transactions', 'sender', carol);
    expect(unread).to.have.lengthOf(1);
    await tamper(database, `UPDATE transactions SET valid = false WHERE hash = '${String(unread[0])}'`);
    expect(await hashes('v_transactions', 'sender', carol)).to.deep.equal([]);
    expect(await hashes('v_account_transactions', 'account', carol)).to.deep.equal([]);
  });

  it('read members next to text that PostgreSQL cannot store, and return null for invalid amounts', async () => {
    const other = await emptyCopy(server.url, 'hard');
    const sender = madeHash('ak', 'erin');
    const spend = (members: JsonObject): MadeTransaction => ({
      tx: {
        ...{ type: 'SpendTx', sender_id: sender, recipient_id: madeHash('ak', 'bob'), fee: 1n, version: 1 },
        ...members,
      },
    });
    const amount = 10n ** 60n + 1n;
    const spends = [
      spend({ amount, nonce: 1n, payload: '\u0000\u0000\\u0000\\\u0000' }),
      spend({ amount, nonce: 2n, payload: '\ud800' }),
      spend({ amount: 'all of it', nonce: [3n] }),
    ];
    await append(other, null, madeBlocks([{}, { microBlocks: [spends] }]));
    const rows = await ask(other, 'SELECT sender, amount, nonce FROM v_transactions ORDER BY position');
    await other.close();

    expect(rows).to.deep.equal([
      { sender, amount: String(amount), nonce: '1' },
      { sender, amount: String(amount), nonce: '2' },
      { sender, amount: null, nonce: null },
    ]);
  });

  it('return no owner and no party of objects that a wrapped transaction created', async () => {
    const wrapped = await emptyCopy(server.url, 'wrapped');
    const [frank, grace] = [madeHash('ak', 'frank'), madeHash('ak', 'grace')];
    const within = { fee: 1n, nonce: 1n, version: 1 };
    const creations = [
      { ...within, type: 'ContractCreateTx', owner_id: frank, amount: 5n, deposit: 2n },
      { ...within, type: 'ChannelCreateTx', initiator_id: frank, responder_id: grace },
    ].flatMap((tx) => {
      const around = { type: 'PayingForTx', payer_id: grace, fee: 1n, nonce: 9n, tx: { signatures: [], tx } };
      return [{ tx: { ...tx, nonce: 2n } }, { tx: around }];
    });
    await append(wrapped, null, madeBlocks([{}, { microBlocks: [creations] }]));
    const contracts = await ask(wrapped, 'SELECT owner FROM v_contracts ORDER BY position');
    const channels = await ask(wrapped, 'SELECT initiator, responder FROM v_channels ORDER BY position');
    await wrapped.close();

    expect(contracts).to.deep.equal([{ owner: frank }, { owner: null }]);
    expect(channels).to.deep.equal([
      { initiator: frank, responder: grace },
      { initiator: null, responder: null },
    ]);
  });

  it('are dropped with their migration and with their copy, and are added to an existing copy', async () => {
    const down = await migrationText('0018_expand_views', 'down');
    await tamper(database, `${down}; DELETE FROM migrations WHERE name = '0018_expand_views'`);
    expect(await viewsOf(database)).to.deep.equal([]);

    const owner = openAs(asRole(server.url, 'migrate'));
    expect(await migrate(owner)).to.deep.equal(['0018_expand_views']);
    const reader = openAs(asRole(server.url, 'reader'));
    expect(await ask(reader, 'SELECT height FROM v_key_blocks')).to.have.length.above(1);
    await reader.close();

    // The schema stays, because its owner could not create it again.
    expect(await dropCopy(owner)).to.equal('emptied');
    expect(await viewsOf(owner)).to.deep.equal([]);
    await owner.close();
  });
});
