/** Accounts by balance, in the compatible API and in ours: they are those of the ledger, whatever happened to it. */
import { expect } from 'chai';
import { keyPosition } from '../../src/chain/position.js';
import { mendProjections } from '../../src/populate/mend-projections.js';
import type { Difference } from '../../src/store/facts/difference.js';
import { holders } from '../../src/store/projections/holders.js';
import { correct, cutLedger } from '../../src/store/projections/ledger-rewrite.js';
import { truncate } from '../../src/store/write/truncate.js';
import { below, recordedService } from '../support/compat.js';
import type { RecordedService } from '../support/compat.js';
import { fillAll } from '../support/filled.js';
import { writeMovements } from '../support/ledger-rows.js';
import { recordedMoney } from '../support/recorded-money.js';
import { tamper } from '../support/roles.js';

const OF = 'realnode-tokens';
const RULES = { delay: 10, treasury: null };

interface Row {
  account_id: string;
  balance: string;
  verified: boolean;
}

interface Wealth {
  account: string;
  balance: string;
  verified: boolean;
}

describe('accounts by balance', () => {
  let service: RecordedService;
  before(async () => {
    service = await recordedService(OF);
    await writeMovements(service.database, 'ae_dev', RULES);
  });
  after(() => service.close());

  const wealth = async (): Promise<Wealth[]> =>
    (await service.api.json(below('/v3/wealth?int-as-string=true'))) as Wealth[];

  /** From the recording alone. */
  function expected(top: number): Map<string, bigint> {
    const balances = new Map<string, bigint>();
    for (const { height, moves } of recordedMoney(OF, RULES))
      if (height <= top)
        for (const { account, amount } of moves.movements)
          balances.set(account, (balances.get(account) ?? 0n) + amount);
    return new Map([...balances].filter(([, balance]) => balance > 0n));
  }

  const differing = (): Promise<Difference[]> => holders.wholeChecks![0]!(service.database);

  async function same(top: number): Promise<void> {
    const rows = await wealth();
    expect(new Map(rows.map(({ account, balance }) => [account, BigInt(balance)]))).to.deep.equal(expected(top));
    const balances = rows.map(({ balance }) => BigInt(balance));
    expect(balances.every((balance, i) => i === 0 || balance <= balances[i - 1]!)).to.equal(true);
    expect(await differing()).to.deep.equal([]);
  }

  it('are those that follow from the recorded chain, the richest first', async () => {
    await same(703);
    const { length } = await wealth();
    expect(length).to.be.above(20);
    expect((await wealth()).flatMap(Object.keys).filter((name, i, all) => all.indexOf(name) === i)).to.deep.equal([
      ...['account', 'balance', 'verified'],
    ]);
    expect(await service.api.json(below('/v3/stats'))).to.deep.include({ holders_count: length });
  });

  it('are a list of all, page by page, by balance or each once', async () => {
    const rowsOf = async (query: string): Promise<Row[]> => {
      const found: Row[] = [];
      let next: string | null = `/middleware/holders?limit=7&int-as-string=true${query}`;
      while (next !== null) {
        const page = (await service.api.json(next)) as { rows: Row[]; next: string | null };
        expect(page.rows.length).to.be.within(1, 7);
        found.push(...page.rows);
        ({ next } = page);
      }
      return found;
    };
    const all = [...expected(703)].map(([account, balance]) => `${account} ${balance}`).sort();
    const texts = (rows: readonly Row[]): string[] => rows.map((row) => `${row.account_id} ${row.balance}`);
    for (const by of ['', '&by=account'] as const) {
      const rows = await rowsOf(by);
      expect(texts(rows).sort()).to.deep.equal(all);
      const turned = await rowsOf(`${by}&order=${by === '' ? 'asc' : 'desc'}`);
      expect(texts(turned)).to.deep.equal(texts([...rows].reverse()));
    }
    const byBalance = await rowsOf('');
    const balances = byBalance.map(({ balance }) => BigInt(balance));
    expect(balances.every((balance, i) => i === 0 || balance <= balances[i - 1]!)).to.equal(true);
    expect(byBalance).to.have.deep.members(
      (await wealth()).map(({ account, ...row }) => ({ account_id: account, ...row })),
    );
  });

  it('go with removed blocks, and come again', async () => {
    for (const height of [500, 11]) {
      await service.database.transaction((tx) => truncate(tx, keyPosition(height)));
      await same(height - 1);
      await service.grow();
      await writeMovements(service.database, 'ae_dev', RULES);
      await same(703);
    }
  });

  it('change with a correction of an older balance', async () => {
    const [first] = await wealth();
    const { rows } = await service.database.query<{ hash: string }>({
      name: 'test.hash',
      text: 'SELECT hash FROM key_blocks WHERE height = 300',
    });
    const at = { position: keyPosition(300), end: keyPosition(300), hash: rows[0]!.hash };
    await service.database.transaction((tx) => correct(tx, { ...at, account: first!.account, amount: 7n }));
    const [now] = await wealth();
    expect(BigInt(now!.balance) - BigInt(first!.balance)).to.equal(7n);
    expect(await differing()).to.deep.equal([]);
    await tamper(service.database, 'DELETE FROM ledger_corrections');
    await service.database.transaction((tx) => cutLedger(tx, keyPosition(300)));
    await writeMovements(service.database, 'ae_dev', RULES);
    await same(703);
  });

  it('are found to be wrong by verification, and mended', async () => {
    await tamper(
      service.database,
      `UPDATE holders SET balance = balance + 1 WHERE account = (SELECT min(account) FROM holders);
      DELETE FROM holders WHERE account = (SELECT max(account) FROM holders);
      INSERT INTO holders VALUES (1000000, 5)`,
    );
    const found = await differing();
    expect(found).to.have.lengthOf(3);
    const fence = () => Promise.resolve();
    const context = { database: service.database, fence, signal: new AbortController().signal };
    await mendProjections(context, found, []);
    await same(703);
  });

  it('come to a copy of the version before in the background, and are not there until then', async () => {
    await tamper(service.database, `DELETE FROM holders; INSERT INTO backfills VALUES ('holders', 0)`);
    for (const path of [below('/v3/wealth'), '/middleware/holders'])
      expect(await service.api.get(path)).to.deep.include({ status: 503 });
    await fillAll(service.database);
    await same(703);
  });
});
