import { expect } from 'chai';
import { parseExact } from '../../src/chain/encoding/json.js';
import { keyPosition } from '../../src/chain/position.js';
import type { Database } from '../../src/store/connection/database.js';
import { truncate } from '../../src/store/write/truncate.js';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { syncContext, syncFully } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { writeMovements } from '../support/ledger-rows.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { differences, recordedChanges, recordedMoney } from '../support/recorded-money.js';
import type { BlockMoney } from '../support/recorded-money.js';
import { recordedNode } from '../support/recorded-node.js';
import { emptyCopy, tamper } from '../support/roles.js';
import { madeHash } from '../support/seed.js';
import { nextOf } from '../support/walks.js';

const OF = 'realnode-tokens';
const RULES = { delay: 10, treasury: null };
const TOP = 703;
/** Heights at which the balance of each account is asked for. */
const HEIGHTS = [0, 1, 11, 12, 30, 79, 80, 120, 163, 300, 567, 703];

interface Row {
  height: number;
  time: number;
  block_hash: string;
  transaction_hash: string | null;
  kind: string;
  amount: number | bigint;
  balance: number | bigint;
  counterparty: string | null;
  source: string;
}

interface Ledger {
  rows: Row[];
  complete: boolean;
  incomplete_since?: number;
  next: string | null;
}

interface Bound {
  balance: number | bigint;
  after: { height: number; time: number; block_hash: string } | null;
}

interface Statement {
  account_id: string;
  opening: Bound;
  closing: Bound;
  kinds: { kind: string; count: number; in: number | bigint; out: number | bigint }[];
  complete: boolean;
  incomplete_since?: number;
}

interface Balance {
  account_id: string;
  height: number;
  block_hash: string;
  balance: number | bigint;
  verified: boolean;
  complete: boolean;
  incomplete_since?: number;
}

describe('the ledger of an account', () => {
  let server: TestDatabase;
  let database: Database;
  let api: TestApi;
  let blocks: BlockMoney[];
  let changes: ReturnType<typeof recordedChanges>;
  /** All of the chain, those with most movements first. */
  let accounts: string[];
  const node = recordedNode(undefined, OF);

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
    blocks = recordedMoney(OF, RULES);
    changes = recordedChanges(OF);
    const counts = new Map([...changes.values()].flatMap((own) => [...own.keys()].map((account) => [account, 0])));
    for (const { moves } of blocks) {
      for (const { account } of moves.movements) counts.set(account, (counts.get(account) ?? 0) + 1);
    }
    accounts = [...counts].sort(([, a], [, b]) => b - a).map(([account]) => account);
    api = await testApi(database);
  });
  after(async () => {
    await api.close();
    await database.close();
    await server.drop();
  });

  const pathOf = (account: string): string => `/middleware/accounts/${account}/ledger`;

  async function answer<Answer = Ledger>(path: string): Promise<Answer> {
    const { status, body } = await api.get(path);
    expect(status, `${path} ${body}`).to.equal(200);
    return parseExact(body) as unknown as Answer;
  }

  const rowsOf = async (path: string): Promise<Row[]> => (await answer(path)).rows;

  const balanceOf = (account: string, height?: number): Promise<Balance> =>
    answer(`/middleware/accounts/${account}/balance${height === undefined ? '' : `?height=${height}`}`);

  /** All pages of a list, by its links. */
  async function walk(path: string): Promise<Row[]> {
    const found: Row[] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const { headers, body } = await api.get(next);
      const page = parseExact(body) as unknown as Ledger;
      found.push(...page.rows);
      next = nextOf(next, headers.link);
      expect(page.next).to.equal(next ?? null);
    }
    return found;
  }

  it('is not complete from the beginning on before it is written', async () => {
    const { rows, ...rest } = await answer(pathOf(accounts[0]!));
    expect({ rows, ...rest }).to.deep.equal({ rows: [], complete: false, incomplete_since: 0, next: null });
    expect(await balanceOf(accounts[0]!)).to.deep.include({ balance: 0, complete: false, incomplete_since: 0 });
    await writeMovements(database, 'ae_dev', RULES);
  });

  it('has all movements of the account, with block, transaction and the balance after each', async () => {
    expect(accounts).to.have.length.above(30);
    const expected = new Map<string, object[]>(accounts.map((account) => [account, []]));
    const add = (block: BlockMoney, hash: string | null, { movements }: BlockMoney['moves']): void => {
      for (const { account, kind, amount, counterparty } of movements) {
        const place = { height: block.height, block_hash: block.hash, transaction_hash: hash };
        expected.get(account)!.push({ ...place, kind, amount, counterparty, source: 'chain' });
      }
    };
    for (const block of blocks) {
      if (block.kind === 'key') add(block, null, block.moves);
      for (const { transaction, moves } of block.transactions) add(block, transaction.hash, moves);
    }
    for (const account of accounts) {
      const rows = await rowsOf(`${pathOf(account)}?order=asc`);
      expect(
        rows.map(({ time, balance, ...row }) => ({ ...row, amount: BigInt(row.amount) })),
        account,
      ).to.deep.equal(expected.get(account));
      let sum = 0n;
      for (const { amount, balance } of rows) expect(BigInt(balance)).to.equal((sum += BigInt(amount)));
      expect(await rowsOf(pathOf(account))).to.deep.equal(rows.reverse());
    }
  });

  it('has the time of the block', async () => {
    const rows = await rowsOf(pathOf(accounts[0]!));
    const { rows: times } = await database.query<{ hash: string; time: string }>({
      name: 'test.block-times',
      text: 'SELECT hash, time FROM key_blocks UNION ALL SELECT hash, time FROM micro_blocks',
    });
    const timeOf = new Map(times.map(({ hash, time }) => [hash, Number(time)]));
    for (const { time, block_hash: hash } of rows) expect(time).to.equal(timeOf.get(hash));
  });

  it("gives the node's balance at each height, but for what contracts and the genesis block did", async () => {
    const ours = new Map<string, bigint>();
    const theirs = new Map<string, bigint>();
    let equal = 0;
    const apart = new Set<string>();
    for (const { kind, height, hash, moves } of blocks) {
      for (const account of differences(moves.movements, changes.get(hash)).keys()) apart.add(account);
      for (const [account, change] of changes.get(hash) ?? [])
        theirs.set(account, (theirs.get(account) ?? 0n) + change);
      for (const { account, amount } of moves.movements) ours.set(account, (ours.get(account) ?? 0n) + amount);
      if (kind !== 'key' || !HEIGHTS.includes(height)) continue;
      for (const account of accounts) {
        const { balance, ...rest } = await balanceOf(account, height);
        expect(rest).to.deep.equal({
          ...{ account_id: account, height, block_hash: hash, verified: false, complete: false, incomplete_since: 0 },
        });
        if (apart.has(account)) {
          expect(BigInt(balance), `${account} ${height}`).to.equal(ours.get(account) ?? 0n);
          continue;
        }
        expect(BigInt(balance), `${account} ${height}`).to.equal(theirs.get(account) ?? 0n);
        equal += 1;
      }
    }
    // The rest is of accounts that contracts paid, or the genesis block.
    expect(equal).to.be.above(250);
  });

  it('says up to which height a balance was compared with that of a node', async () => {
    await tamper(
      database,
      `INSERT INTO ledger_checks (account, height) SELECT key, 100 FROM ledger_ids WHERE id = '${accounts[0]!}'`,
    );
    const verified = async (height?: number): Promise<boolean> => (await balanceOf(accounts[0]!, height)).verified;
    expect([await verified(100), await verified(101), await verified()]).to.deep.equal([true, false, false]);
    await tamper(database, 'DELETE FROM ledger_checks');
  });

  it('gives the balance after the newest block without a height', async () => {
    for (const account of accounts.slice(0, 10)) {
      const [newest] = await rowsOf(`${pathOf(account)}?limit=1`);
      const last = blocks.at(-1)!;
      expect(await balanceOf(account)).to.deep.equal({
        ...{ account_id: account, height: last.height, block_hash: last.hash, balance: newest!.balance },
        ...{ verified: false, complete: false, incomplete_since: 0 },
      });
    }
  });

  it('is the same page by page, in both directions, of all kinds and of some', async () => {
    for (const account of [accounts[0]!, accounts[5]!]) {
      const newest = await rowsOf(pathOf(account));
      for (const limit of [9, 40, 300]) {
        for (const kinds of [null, ['spend', 'reward'], ['lock']]) {
          const listed = newest.filter(({ kind }) => kinds === null || kinds.includes(kind));
          const path = `${pathOf(account)}?limit=${limit}${kinds === null ? '' : `&kind=${kinds.join(',')}`}`;
          expect(await walk(path), path).to.deep.equal(listed);
          expect(await walk(`${path}&order=asc`), path).to.deep.equal([...listed].reverse());
        }
      }
      expect(await rowsOf(`${pathOf(account)}?limit=0`)).to.deep.equal([]);
    }
  });

  it('of heights', async () => {
    const all = await rowsOf(pathOf(accounts[0]!));
    const part = all.filter(({ height }) => height >= 20 && height <= 60);
    expect(part).to.have.length.within(5, all.length - 1);
    expect(await rowsOf(`${pathOf(accounts[0]!)}?from=20&to=60`)).to.deep.equal(part);
    expect(await walk(`${pathOf(accounts[0]!)}?from=20&to=60&limit=3`)).to.deep.equal(part);
  });

  /** Times about those of the blocks in which an account has movements. */
  const timesAbout = (rows: readonly Row[]): number[] => {
    const times = [...new Set(rows.map(({ time }) => time))].sort((a, b) => a - b);
    return [times[0]! - 1, times[0]!, ...[3, 7].map((i) => times[i]!), times[5]! + 1, times.at(-1)!, times.at(-1)! + 1];
  };

  interface Placed {
    hash: string;
    height: number;
    time: number;
    isKey: boolean;
  }
  /** All blocks in the order of the chain. */
  let chain: Placed[];

  /**
   * How many blocks are before a time. The times of blocks go back here and there: the first key block of the time or later decides, and of the
   * generation before it the first micro block that is as late.
   */
  function countBefore(time: number): number {
    const key = chain.findIndex((block) => block.isKey && block.time >= time);
    const end = key === -1 ? chain.length : key;
    const begin = chain.slice(0, end).findLastIndex((block) => block.isKey);
    const micro = chain.findIndex((block, i) => i > begin && i < end && block.time >= time);
    return micro === -1 ? end : micro;
  }

  /** Whether the block of a row is among the first `count` of the chain. */
  const isAmong = (count: number): ((row: Row) => boolean) => {
    const hashes = new Set(chain.slice(0, count).map(({ hash }) => hash));
    return ({ block_hash: hash }) => hashes.has(hash);
  };

  const isWithin = (since: number, until: number): ((row: Row) => boolean) => {
    const [isBefore, isUpTo] = [isAmong(countBefore(since)), isAmong(countBefore(until + 1))];
    return (row) => isUpTo(row) && !isBefore(row);
  };

  it('of times', async () => {
    const { rows } = await database.query<{ hash: string; time: string; is_key: boolean; height: string }>({
      name: 'test.blocks-in-order',
      text: `
        SELECT hash, time, true AS is_key, height, height << 33 AS position FROM key_blocks
        UNION ALL SELECT hash, time, false, position >> 33, position FROM micro_blocks ORDER BY position`,
    });
    chain = rows.map(({ hash, time, is_key: isKey, height }) => ({
      ...{ hash, isKey, time: Number(time), height: Number(height) },
    }));
    const all = await rowsOf(pathOf(accounts[1]!));
    for (const since of timesAbout(all)) {
      for (const until of timesAbout(all)) {
        const path = `${pathOf(accounts[1]!)}?from_time=${since}&to_time=${until}`;
        expect(await rowsOf(path), path).to.deep.equal(all.filter(isWithin(since, until)));
      }
    }
    const days = [...new Set(all.map(({ time }) => new Date(time).toISOString().slice(0, 10)))];
    const [day] = days;
    expect(await rowsOf(`${pathOf(accounts[1]!)}?from_time=${day}&to_time=${day}`)).to.deep.equal(
      all.filter(({ time }) => new Date(time).toISOString().startsWith(day!)),
    );
    const second = new Date(all[4]!.time).toISOString();
    expect(await walk(`${pathOf(accounts[1]!)}?from_time=${second}&from=2&limit=2`)).to.deep.equal(
      all.filter(isWithin(all[4]!.time, Infinity)).filter(({ height }) => height >= 2),
    );
  });

  it('has a balance after each block, and at each time', async () => {
    const [account] = accounts;
    const rows = await rowsOf(`${pathOf(account!)}?order=asc`);
    // The last row of each block.
    const last = new Map(rows.map((row) => [row.block_hash, row]));
    for (const { block_hash: hash, height, balance } of [...last.values()].slice(0, 60)) {
      const { body } = await api.get(`/middleware/accounts/${account!}/balance?block=${hash}`);
      expect(parseExact(body)).to.deep.include({ account_id: account!, block_hash: hash, height, balance });
    }
    for (const time of timesAbout(rows)) {
      const before = rows.findLast(isAmong(countBefore(time + 1)));
      const { balance } = await answer<Balance>(`/middleware/accounts/${account!}/balance?time=${time}`);
      expect(balance, String(time)).to.equal(before?.balance ?? 0);
    }
    for (const place of [`block=${madeHash('kh', 'none')}`, `block=${madeHash('mh', 'none')}`])
      expect((await api.get(`/middleware/accounts/${account!}/balance?${place}`)).status, place).to.equal(404);
    expect((await api.get(`/middleware/accounts/${account!}/balance?time=1&height=1`)).status).to.equal(400);
  });

  it('adds up by kind in a statement of a period', async () => {
    for (const account of [accounts[0]!, accounts[3]!, accounts[20]!]) {
      const rows = await rowsOf(`${pathOf(account)}?order=asc`);
      const middle = rows[Math.floor(rows.length / 2)]!;
      const periods: [string, (row: Row) => boolean, (row: Row) => boolean][] = [
        ['', () => false, () => true],
        ['?from=20&to=60', ({ height }) => height < 20, ({ height }) => height <= 60],
        [`?from_time=${middle.time}`, isAmong(countBefore(middle.time)), () => true],
        [`?to_time=${middle.time}`, () => false, isAmong(countBefore(middle.time + 1))],
        ['?from=60&to=20', ({ height }) => height < 60, ({ height }) => height <= 20],
      ];
      for (const [query, isBefore, isUpTo] of periods) {
        const statement = await answer<Statement>(`/middleware/accounts/${account}/statement${query}`);
        const { account_id: id, opening, closing, kinds, complete, incomplete_since: since } = statement;
        expect({ id, complete, since }).to.deep.equal({ id: account, complete: false, since: 0 });
        const within = rows.filter((row) => !isBefore(row) && isUpTo(row));
        expect(opening.balance, query).to.equal(rows.findLast(isBefore)?.balance ?? 0);
        expect(closing.balance, query).to.equal(rows.findLast(isUpTo)?.balance ?? 0);
        const sum = (list: Row[]): bigint => list.reduce((total, { amount }) => total + BigInt(amount), 0n);
        const expected = [...new Set(within.map(({ kind }) => kind))].map((kind) => {
          const own = within.filter((row) => row.kind === kind);
          const [incoming, outgoing] = [own.filter(({ amount }) => amount > 0), own.filter(({ amount }) => amount < 0)];
          return [kind, own.length, sum(incoming), sum(outgoing)];
        });
        expect(kinds.map((one) => [one.kind, one.count, BigInt(one.in), BigInt(one.out)])).to.have.deep.members(
          expected,
        );
        if (query === '') {
          expect(opening.after).to.equal(null);
          expect(closing.after).to.deep.include({ block_hash: blocks.at(-1)!.hash, height: blocks.at(-1)!.height });
          const own = kinds.reduce((total, one) => total + BigInt(one.in) + BigInt(one.out), 0n);
          expect(BigInt(closing.balance)).to.equal(own);
        }
      }
      const { opening, closing } = await answer<Statement>(`/middleware/accounts/${account}/statement?from=20&to=60`);
      expect([opening.after!.height, closing.after!.height]).to.deep.equal([19, 60]);
    }
  });

  it('is that of a contract by its own identifier, too', async () => {
    const id = blocks
      .flatMap(({ moves }) => moves.movements)
      .map(({ counterparty }) => counterparty)
      .find((one) => one?.startsWith('ct_') === true)!;
    const account = id.replace('ct_', 'ak_');
    const rows = await rowsOf(pathOf(id));
    expect(rows).to.not.deep.equal([]);
    expect(rows).to.deep.equal(await rowsOf(pathOf(account)));
    expect((await balanceOf(id)).balance).to.equal((await balanceOf(account)).balance);
  });

  it('is empty, and the balance 0, for an account without movements', async () => {
    const unknown = 'ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf';
    expect(accounts).to.not.include(unknown);
    expect(await rowsOf(pathOf(unknown))).to.deep.equal([]);
    expect((await balanceOf(unknown)).balance).to.equal(0);
    expect((await balanceOf(unknown, 20)).balance).to.equal(0);
  });

  it('is exported as CSV and NDJSON, in both orders, of some kinds, and from a transaction on', async () => {
    const account = accounts[0]!;
    const rows = await rowsOf(pathOf(account));
    expect(rows).to.have.length.above(200);
    const csv = await api.get(pathOf(account), { headers: { accept: 'text/csv' } });
    const [head, ...lines] = csv.body.trim().split('\r\n');
    expect(head).to.equal(
      'time,height,block_hash,tx_hash,kind,counterparty,amount_aettos,amount_ae,balance_aettos,balance_ae,currency,source',
    );
    expect(lines.map((line) => line.split(',').filter((_, i) => [0, 2, 3, 4, 6, 8].includes(i)))).to.deep.equal(
      rows.map((row) => [
        ...[new Date(row.time).toISOString(), row.block_hash, row.transaction_hash ?? '', row.kind],
        ...[String(row.amount), String(row.balance)],
      ]),
    );
    const exported = async (query: string): Promise<string[][]> => {
      const { status, body } = await api.get(`${pathOf(account)}${query}`, {
        headers: { accept: 'application/x-ndjson' },
      });
      expect(status, body).to.equal(200);
      const found = body.trim() === '' ? [] : body.trim().split('\n');
      return found.map((line) => {
        const row = JSON.parse(line) as Record<string, string | null>;
        return [row['tx_hash'] ?? '', row['kind']!, row['balance_aettos']!];
      });
    };
    const texts = (list: Row[]): string[][] =>
      list.map((row) => [row.transaction_hash ?? '', row.kind, String(row.balance)]);
    const oldest = [...rows].reverse();
    expect(await exported('')).to.deep.equal(texts(rows));
    expect(await exported('?order=asc')).to.deep.equal(texts(oldest));
    for (const kind of ['spend', 'fee', 'lock'])
      expect(await exported(`?kind=${kind}`)).to.deep.equal(texts(rows.filter((row) => row.kind === kind)));
    const middle = rows.find(({ transaction_hash: hash }, i) => hash !== null && i >= 30)!.transaction_hash!;
    const behind = (list: Row[]): Row[] => list.slice(list.findLastIndex((row) => row.transaction_hash === middle) + 1);
    expect(await exported(`?after=${middle}`)).to.deep.equal(texts(behind(rows)));
    expect(await exported(`?after=${middle}&order=asc`)).to.deep.equal(texts(behind(oldest)));
  });

  it('refuses malformed parameters, and names them', async () => {
    const wrong: [path: string, name: string, value: string][] = [
      ...(
        [
          ['kind', 'gift'],
          ['kind', ''],
          ['kind', 'spend,'],
          ['kind', 'toString'],
          ['from', 'a'],
          ['to', ''],
          ['order', 'oldest'],
          ['from_time', '2025-02-30'],
          ['from_time', '-1'],
          ['to_time', '2025-13-01'],
          ['cursor', '1'],
          ['limit', '-1'],
        ] as const
      ).map(([name, value]): [string, string, string] => [pathOf(accounts[0]!), name, value]),
      [`/middleware/accounts/${accounts[0]!}/balance`, 'height', 'x'],
      [`/middleware/accounts/${accounts[0]!}/balance`, 'time', 'yesterday'],
      [`/middleware/accounts/${accounts[0]!}/balance`, 'block', accounts[0]!],
    ];
    for (const [path, name, value] of wrong) {
      const { status, body } = await api.get(`${path}?${name}=${value}`);
      expect(status, `${name}=${value}`).to.equal(400);
      expect((JSON.parse(body) as { reason: string }).reason).to.include(name);
    }
    for (const path of ['ledger', 'balance'])
      expect((await api.get(`/middleware/accounts/ak_x/${path}`)).status).to.equal(400);
  });

  it('has no balance at a height that does not exist', async () => {
    for (const height of [-1, TOP + 1, 2 ** 40])
      expect((await api.get(`/middleware/accounts/${accounts[0]!}/balance?height=${height}`)).status).to.equal(404);
  });

  describe('without gaps', () => {
    /** As if the coins of the genesis block were known, and contracts did nothing. */
    const NO_GAPS = 'DELETE FROM ledger_gaps';
    const edit = (text: string): Promise<unknown> => tamper(database, text);

    it('is complete up to the first place that is not known', async () => {
      await edit(NO_GAPS);
      const account = accounts[0]!;
      expect((await answer(pathOf(account))).complete).to.equal(true);
      expect(await balanceOf(account))
        .to.include({ complete: true })
        .and.not.have.property('incomplete_since');
      await edit(`INSERT INTO ledger_gaps VALUES (${keyPosition(300) + 65536n}, 1)`);
      const isComplete = async (query: string): Promise<unknown[]> => {
        const { complete, incomplete_since: since } = await answer(`${pathOf(account)}${query}`);
        return [complete, since];
      };
      expect(await isComplete('')).to.deep.equal([false, 300]);
      expect(await isComplete('?to=300')).to.deep.equal([false, 300]);
      expect(await isComplete('?from=301')).to.deep.equal([false, 300]);
      expect(await isComplete('?to=299')).to.deep.equal([true, undefined]);
      expect((await balanceOf(account, 300)).complete).to.equal(true);
      expect((await balanceOf(account, 301)).incomplete_since).to.equal(300);
    });

    it('is not complete for heights that are written again', async () => {
      await edit(NO_GAPS);
      await edit('INSERT INTO ledger_rewrites VALUES (20)');
      expect((await balanceOf(accounts[0]!, 19)).complete).to.equal(true);
      expect((await balanceOf(accounts[0]!, 20)).incomplete_since).to.equal(20);
      await edit('DELETE FROM ledger_rewrites');
    });

    it('is the same page by page for kinds that are rare among thousands of movements', async () => {
      const account = 'ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf';
      await edit(`INSERT INTO ledger_ids (id) VALUES ('${account}')`);
      await edit(`
        INSERT INTO movement_rows (position, account, index, kind, amount, balance)
        SELECT ${keyPosition(30)}, i.key, n, CASE WHEN n IN (0, 10, 4990) THEN 1 ELSE 2 END, 1, n
        FROM ledger_ids AS i CROSS JOIN generate_series(0, 4999) AS n WHERE i.id = '${account}'`);
      const path = `${pathOf(account)}?kind=spend`;
      for (const limit of [1, 2, 100]) {
        expect((await walk(`${path}&limit=${limit}`)).map(({ balance }) => balance)).to.deep.equal([4990, 10, 0]);
        expect((await walk(`${path}&limit=${limit}&order=asc`)).map(({ balance }) => balance)).to.deep.equal([
          ...[0, 10, 4990],
        ]);
      }
      const { body } = await api.get(path, { headers: { accept: 'application/x-ndjson' } });
      expect(body.trim().split('\n')).to.have.length(3);
    });

    it('is not complete above the last block that is written', async () => {
      await database.transaction((tx) => truncate(tx, keyPosition(500)));
      await syncFully(syncContext(database, node));
      await edit(NO_GAPS);
      expect((await balanceOf(accounts[0]!, 499)).complete).to.equal(true);
      expect((await balanceOf(accounts[0]!, 500)).incomplete_since).to.equal(500);
      expect((await answer(`${pathOf(accounts[0]!)}?to=499`)).complete).to.equal(true);
      expect((await answer(pathOf(accounts[0]!))).incomplete_since).to.equal(500);
    });
  });
});
