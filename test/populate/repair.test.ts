import { expect } from 'chai';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { nameHash } from '../../src/chain/protocol/ids.js';
import { heightOf } from '../../src/chain/position.js';
import type { Database, Statement, DbTransaction } from '../../src/store/connection/database.js';
import type { Block } from '../../src/store/facts/blocks.js';
import { beginReplacing, replaceGenerations } from '../../src/store/write/replace.js';
import { emptyCopy, tamper } from '../support/roles.js';
import { logicalDump } from '../support/dump.js';
import { choices } from '../support/histories.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { append, madeBlocks, madeHash } from '../support/seed.js';
import type { MadeGeneration } from '../support/seed.js';
import { shareOf } from '../support/share.js';

const ACCOUNTS = ['alice', 'bob', 'carol', 'dave'].map((seed) => madeHash('ak', seed));
const [alice, bob, carol] = ACCOUNTS as [string, string, string];
const NAMES = ['popular-name-one.chain', 'popular-name-two.chain', 'popular-name-three.chain'];

const claim = (name: string, account = alice): JsonObject => ({
  type: 'NameClaimTx',
  account_id: account,
  name,
  name_salt: 7n,
  name_fee: 5_000_000_000_000_000_000n,
  nonce: 1n,
  fee: 20_000n,
  ttl: 0n,
  version: 2n,
});
const update = (name: string, pointers: JsonObject[]): JsonObject => ({
  type: 'NameUpdateTx',
  account_id: alice,
  name_id: nameHash(name),
  name_ttl: 50_000n,
  client_ttl: 1n,
  pointers,
  nonce: 1n,
  fee: 20_000n,
  version: 1n,
});
const toAccount = (id: string): JsonObject => ({ key: 'account_pubkey', id });
const toOracle = (id: string): JsonObject => ({ key: 'oracle_pubkey', id: `ok_${id.slice(3)}` });
const spend = (name: string, sender = alice, payload = 'ba_Xfbg4g=='): JsonObject => ({
  type: 'SpendTx',
  sender_id: sender,
  recipient_id: nameHash(name),
  amount: 1n,
  nonce: 1n,
  fee: 20_000n,
  payload,
  version: 1n,
});
const transfer = (name: string, recipient: string): JsonObject => ({
  type: 'NameTransferTx',
  account_id: alice,
  name_id: nameHash(name),
  recipient_id: recipient,
  nonce: 1n,
  fee: 20_000n,
  version: 1n,
});
const query = (name: string, sender: string, nonce: bigint): JsonObject => ({
  type: 'OracleQueryTx',
  sender_id: sender,
  oracle_id: nameHash(name),
  query: 'ov_Xfbg4g==',
  query_fee: 1n,
  query_ttl: { type: 'delta', value: 5n },
  response_ttl: { type: 'delta', value: 5n },
  nonce,
  fee: 20_000n,
  version: 1n,
});
const paidFor = (tx: JsonObject): JsonObject => ({
  type: 'PayingForTx',
  payer_id: carol,
  nonce: 1n,
  fee: 20_000n,
  tx: { signatures: [], tx },
});

const generationOf = (...txs: JsonObject[]): MadeGeneration => ({ microBlocks: [txs.map((tx) => ({ tx }))] });

/** A name that is claimed at height 1, points to an account from 2 on, and gets `uses` payments at 3 and above. */
const popular = (uses: number, pointsTo: string): Block[] => withUpdate(uses, update(NAMES[0]!, [toAccount(pointsTo)]));

const withUpdate = (uses: number, tx: JsonObject): Block[] =>
  madeBlocks([
    {},
    generationOf(claim(NAMES[0]!)),
    generationOf(tx),
    ...Array.from({ length: uses / 100 }, () => generationOf(...Array.from({ length: 100 }, () => spend(NAMES[0]!)))),
  ]);

const at = (blocks: readonly Block[], from: number, to = from): Block[] =>
  blocks.filter(({ position }) => heightOf(position) >= from && heightOf(position) <= to);

interface Work {
  /** Rows read, and rows written, of all tables. */
  read: number;
  written: number;
  /** Rows that the process received. */
  received: number;
  /** Values that were sent to PostgreSQL in array parameters, not by COPY. */
  sent: number;
}

async function rowsOf(tx: DbTransaction): Promise<{ read: number; written: number }> {
  const { rows } = await tx.query<{ read: string; written: string }>({
    name: 'test.rows',
    text: `
      SELECT sum(seq_tup_read + idx_tup_fetch) AS read, sum(n_tup_ins + n_tup_upd + n_tup_del) AS written
      FROM pg_stat_xact_user_tables WHERE schemaname = current_schema()`,
  });
  return { read: Number(rows[0]!.read), written: Number(rows[0]!.written) };
}

/** Replaces generations and measures the cost. */
async function replace(database: Database, blocks: readonly Block[]): Promise<Work> {
  return database.transaction(async (tx) => {
    await beginReplacing(tx);
    let [received, sent] = [0, 0];
    const counting: DbTransaction = {
      ...tx,
      async query<Row extends object>(statement: Statement) {
        const result = await tx.query<Row>(statement);
        received += result.rows.length;
        for (const value of statement.values ?? []) if (Array.isArray(value)) sent += value.length;
        return result;
      },
    };
    // Earlier work of the session may still be counted here.
    const before = await rowsOf(tx);
    await replaceGenerations(counting, blocks);
    const after = await rowsOf(tx);
    return { read: after.read - before.read, written: after.written - before.written, received, sent };
  });
}

/** Replaces generations and returns the plans of some statements, by name. */
async function plansOf(
  database: Database,
  blocks: readonly Block[],
  names: readonly string[],
): Promise<Record<string, string>> {
  const plans: Record<string, string> = {};
  await database.transaction(async (tx) => {
    await beginReplacing(tx);
    const explaining: DbTransaction = {
      ...tx,
      async query<Row extends object>(statement: Statement) {
        if (names.includes(statement.name)) {
          const text = `EXPLAIN ${statement.text}`;
          const { rows } = await tx.query<{ 'QUERY PLAN': string }>({
            ...statement,
            name: `test.explain.${statement.name}`,
            text,
          });
          plans[statement.name] = rows.map((row) => row['QUERY PLAN']).join('\n');
        }
        return tx.query<Row>(statement);
      },
    };
    await replaceGenerations(explaining, blocks);
  });
  return plans;
}

describe('a repair', () => {
  let server: TestDatabase;
  const databases: Database[] = [];
  before(async () => (server = await testDatabase()));
  after(async () => {
    await Promise.all(databases.map((database) => database.close()));
    await server.drop();
  });

  const copyOf = async (schema: string, blocks: readonly Block[]): Promise<Database> => {
    const database = await emptyCopy(server.url, schema);
    databases.push(database);
    if (blocks.length > 0) await append(database, null, blocks);
    return database;
  };

  it('of an unchanged height costs its own rows, however many transactions use its names', async () => {
    const work: Work[] = [];
    for (const uses of [500, 4_000]) {
      const blocks = popular(uses, bob);
      const database = await copyOf(`unchanged_${uses}`, blocks);
      const before = await logicalDump(database);
      work.push(await replace(database, at(blocks, 2)));
      expect(await logicalDump(database)).to.deep.equal(before);
    }
    const [few, many] = work as [Work, Work];
    expect(many.written).to.equal(few.written);
    // The lease's revision, the generation's facts and sums: each is deleted and inserted.
    expect(many.written).to.be.at.most(20);
    expect(many.received).to.equal(few.received);
    // Finding positions in longer lists takes a few more steps.
    expect(many.read - few.read).to.be.at.most(350);
  });

  it('of a height that does not change where a name points costs only its own rows', async () => {
    const work: Work[] = [];
    for (const uses of [500, 4_000]) {
      const database = await copyOf(`longer_${uses}`, popular(uses, bob));
      const longer = withUpdate(uses, { ...update(NAMES[0]!, [toAccount(bob)]), name_ttl: 40_000n });
      work.push(await replace(database, at(longer, 2)));
      const clean = await copyOf(`longer_${uses}_clean`, longer);
      expect(await logicalDump(database)).to.deep.equal(await logicalDump(clean));
    }
    const [few, many] = work as [Work, Work];
    expect(many.written).to.equal(few.written);
    expect(many.received).to.equal(few.received);
  });

  it('of a height that changes where a popular name points moves its uses within the database', async () => {
    const work: Work[] = [];
    for (const uses of [500, 4_000]) {
      const database = await copyOf(`moved_${uses}`, popular(uses, bob));
      work.push(await replace(database, at(popular(uses, carol), 2)));
      const clean = await copyOf(`moved_${uses}_clean`, popular(uses, carol));
      expect(await logicalDump(database)).to.deep.equal(await logicalDump(clean));
    }
    const [few, many] = work as [Work, Work];
    expect(many.received).to.equal(few.received);
    expect(many.written - few.written).to.be.at.most(2 * 3_500 + 100);
    // For each use: its entry and its transaction, twice, and the removed and added entries.
    expect(many.read - few.read).to.be.at.most(7 * 3_500);
  });

  it('finds no rows by a hash of positions, which have few distinct values', async () => {
    for (const analysed of [false, true]) {
      const database = await copyOf(`hashes_${analysed}`, popular(4_000, bob));
      if (analysed) await tamper(database, 'ANALYZE');
      const plans = await plansOf(database, at(popular(4_000, carol), 2), ['moved_uses.derived', 'entries.replace']);
      expect(Object.keys(plans)).to.have.length(2);
      for (const plan of Object.values(plans)) {
        expect(plan).not.to.match(/Memoize|HashAggregate.*\n *Group Key: .*position/);
      }
    }
  });

  it('below an island writes the rows of a load, and the entries of the island again', async () => {
    const blocks = popular(2_000, bob);
    const island = at(blocks, 21, 22);
    const below = at(blocks, 0, 20);
    const alone = await replace(await copyOf('below_alone', []), below);
    const database = await copyOf('below_island', []);
    await replace(database, island);
    const { rows } = await database.query<{ count: number }>({
      name: 'test.entries',
      text: 'SELECT COUNT(*)::int AS count FROM entries',
    });
    const beneath = await replace(database, below);
    expect(await logicalDump(database)).to.deep.equal(await logicalDump(await copyOf('below_clean', blocks)));
    // Payments to the name become payments to what it points to; each other entry is deleted and inserted.
    const moved = island.flatMap((block) => (block.kind === 'micro' ? block.transactions : [])).length;
    expect(beneath.written - alone.written).to.be.at.most(2 * rows[0]!.count + moved + 20);
    // Neither sums nor lists are computed from the rows just written, and the added entries are sent by COPY.
    expect(alone.read).to.be.at.most(100);
    expect(beneath.read - alone.read).to.be.at.most(4 * rows[0]!.count);
    expect(beneath.sent - alone.sent).to.be.at.most(50);
  });

  it('below an island moves no use of names that the island does not use', async () => {
    const others = NAMES.slice(1);
    const blocks = madeBlocks([
      {},
      generationOf(...NAMES.map((name) => claim(name))),
      generationOf(...NAMES.map((name) => update(name, [toAccount(bob)]))),
      generationOf(spend(NAMES[0]!), ...others.map((name) => update(name, [toAccount(carol)]))),
    ]);
    const database = await copyOf('unused_island', []);
    await replace(database, at(blocks, 3));
    const asked = new Map<string, readonly unknown[]>();
    await database.transaction(async (tx) => {
      await beginReplacing(tx);
      const noting: DbTransaction = {
        ...tx,
        query<Row extends object>(statement: Statement) {
          asked.set(statement.name, statement.values ?? []);
          return tx.query<Row>(statement);
        },
      };
      await replaceGenerations(noting, at(blocks, 0, 2));
    });
    expect(asked.get('moved_uses.derived')?.[0]).to.deep.equal([nameHash(NAMES[0]!)]);
    expect(await logicalDump(database)).to.deep.equal(await logicalDump(await copyOf('unused_clean', blocks)));
  });

  it('mends sums without spreading their errors', async () => {
    const blocks = popular(500, bob);
    const database = await copyOf('wrong_sums', blocks);
    const before = await logicalDump(database);
    await database.query({
      name: 'test.wrong',
      text: 'UPDATE generations SET tx_total = tx_total + 7 WHERE height = 3',
    });
    await replace(database, at(blocks, 3));
    expect(await logicalDump(database)).to.deep.equal(before);
  });

  it('gives the same copy as a clean load, for any history of names and any order of heights', async () => {
    for (const seed of shareOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])) {
      const random = choices(seed);
      const generations = Array.from({ length: 14 }, () => randomGeneration(random));
      const changed = generations.map((generation) => (random.chance(0.2) ? randomGeneration(random) : generation));
      const database = await copyOf(`random_${seed}`, madeBlocks(generations));
      const clean = await copyOf(`random_${seed}_clean`, madeBlocks(changed));
      const blocks = madeBlocks(changed);
      const steps: string[] = [];
      for (const [from, to] of pieces(random, generations.length)) {
        steps.push(`${from}-${to}`);
        await replace(database, at(blocks, from, to));
      }
      const [lived, expected] = [await logicalDump(database), await logicalDump(clean)];
      for (const table of Object.keys(expected)) {
        expect(lived[table], `seed ${seed}, ${table}, ${steps.join()}`).to.deep.equal(expected[table]);
      }
      const piecewise = await emptyCopy(server.url, `random_${seed}_pieces`);
      databases.push(piecewise);
      for (const [from, to] of pieces(random, generations.length)) await replace(piecewise, at(blocks, from, to));
      const built = await logicalDump(piecewise);
      for (const table of Object.keys(expected)) {
        expect(built[table], `seed ${seed} in pieces, ${table}`).to.deep.equal(expected[table]);
      }
      await Promise.all(databases.splice(-3).map((each) => each.close()));
    }
  });
});

/** Consecutive heights, cut into ranges in random order. */
function pieces(random: ReturnType<typeof choices>, count: number): [number, number][] {
  const cut: [number, number][] = [];
  for (let from = 0; from < count;) {
    const to = Math.min(count - 1, from + random.int(0, 3));
    cut.splice(random.int(0, cut.length), 0, [from, to]);
    from = to + 1;
  }
  return cut;
}

function randomGeneration(random: ReturnType<typeof choices>): MadeGeneration {
  const one = <T>(from: readonly T[]): T => from[random.int(0, from.length - 1)]!;
  const made = (): JsonObject => {
    const name = one(NAMES);
    switch (random.int(0, 9)) {
      case 0:
        return claim(name, one(ACCOUNTS));
      case 1:
        return update(name, random.chance(0.8) ? [toAccount(one(ACCOUNTS)), toOracle(one(ACCOUNTS))] : []);
      case 2:
        return transfer(name, random.chance(0.7) ? nameHash(one(NAMES)) : one(ACCOUNTS));
      case 3:
        return paidFor(transfer(name, nameHash(one(NAMES))));
      case 4:
        return query(name, one(ACCOUNTS), BigInt(random.int(1, 1_000_000)));
      case 5:
        return paidFor(query(name, one(ACCOUNTS), BigInt(random.int(1, 1_000_000))));
      case 6:
        return { ...claim(name), type: 'NameRevokeTx', name_id: nameHash(name) };
      case 7:
        return spend(name, one(ACCOUNTS), 'ba_\\');
      default:
        return spend(name, one(ACCOUNTS));
    }
  };
  const microBlocks = Array.from({ length: random.int(0, 2) }, () =>
    Array.from({ length: random.int(1, 6) }, () => ({ tx: made() })),
  );
  return { microBlocks };
}
