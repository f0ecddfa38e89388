import { expect } from 'chai';
import { isObject, parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import type { Database } from '../../src/store/connection/database.js';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { syncContext, syncFully } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { writeMovements } from '../support/ledger-rows.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedMoney } from '../support/recorded-money.js';
import { recordedNode } from '../support/recorded-node.js';
import { recordedGenerations } from '../support/recording.js';
import { emptyCopy } from '../support/roles.js';
import { nextOf } from '../support/walks.js';

const OF = 'realnode-tokens';
const RULES = { delay: 10, treasury: null };

/** A recorded transaction, and what it did to balances by the rules of movements. */
interface Recorded {
  hash: string;
  tx: JsonObject;
  isWhole: boolean;
  /** By account. */
  moved: Map<string, { amount: bigint; paid: bigint }>;
  signers: Set<string>;
}

/** The transaction and all that it wraps. */
function* nested(tx: Json | undefined): Generator<JsonObject> {
  if (!isObject(tx)) return;
  if (typeof tx['type'] === 'string') yield tx;
  if (isObject(tx['tx'])) yield* nested(tx['tx']);
}

const NAMING = /^(sender|recipient|account|ga|caller|initiator|responder|from|to|owner|payer)_id$/;

const names = (tx: JsonObject, account: string): boolean =>
  Object.entries(tx).some(([member, value]) => NAMING.test(member) && value === account);

const answersAsOracle = (tx: JsonObject, account: string): boolean =>
  ['OracleExtendTx', 'OracleRespondTx', 'OracleResponseTx'].includes(tx['type'] as string) &&
  tx['oracle_id'] === account.replace('ak_', 'ok_');

describe('transactions of an account with its money', () => {
  let server: TestDatabase;
  let database: Database;
  let api: TestApi;
  let accounts: string[];
  /** Newest first. */
  let recorded: Recorded[];
  const node = recordedNode(undefined, OF);
  const pathOf = (account: string): string => `/middleware/transactions/account/${account}`;

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
    await writeMovements(database, 'ae_dev', RULES);
    api = await testApi(database);
    const moves = new Map(
      recordedMoney(OF, RULES).flatMap((block) => block.transactions.map((one) => [one.transaction.hash, one.moves])),
    );
    const found = [...recordedGenerations(OF)].flatMap(({ microBlocks }) =>
      microBlocks.flatMap(
        ({ transactions }) =>
          (parseExact(transactions) as { transactions: { hash: string; tx: JsonObject }[] }).transactions,
      ),
    );
    recorded = found.map(({ hash, tx }) => {
      const { movements, gaps } = moves.get(hash)!;
      const moved: Recorded['moved'] = new Map();
      for (const { account, kind, amount } of movements) {
        const own = moved.get(account) ?? { amount: 0n, paid: 0n };
        if (kind === 'fee' || kind === 'gas') own.paid -= amount;
        else own.amount += amount;
        moved.set(account, own);
      }
      const signers = new Set(
        movements.filter(({ kind }) => kind === 'fee' || kind === 'oracle_reward').map(({ account }) => account),
      );
      return { hash, tx, moved, signers, isWhole: gaps.length === 0 };
    });
    recorded.reverse();
    accounts = [...new Set(recorded.flatMap(({ moved }) => [...moved.keys()]))];
  });
  after(async () => {
    await api.close();
    await database.close();
    await server.drop();
  });

  async function csv(path: string): Promise<Record<string, string | null>[]> {
    const { status, body } = await api.get(path, { headers: { accept: 'application/x-ndjson' } });
    expect(status, body).to.equal(200);
    return body.trim() === ''
      ? []
      : body
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, string>);
  }

  async function walk(path: string): Promise<string[]> {
    const found: string[] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const { status, headers, body } = await api.get(next);
      expect(status, body).to.equal(200);
      expect(headers).to.not.have.property('x-total-count');
      found.push(...(JSON.parse(body) as { hash: string }[]).map(({ hash }) => hash));
      next = nextOf(next, headers.link);
    }
    return found;
  }

  /** What the model lists of an account. */
  const listed = (account: string, include: readonly string[]): Recorded[] =>
    recorded.filter(({ tx, moved, signers }) => {
      const [outer, ...inner] = [...nested(tx)];
      return (
        names(outer!, account) ||
        (include.includes('inner') && (inner.some((one) => names(one, account)) || moved.has(account))) ||
        (include.includes('signed') &&
          (signers.has(account) || [outer!, ...inner].some((one) => answersAsOracle(one, account))))
      );
    });

  it('are as many as before without a wider list', async () => {
    let fewer = 0;
    for (const account of accounts) {
      const own = (await csv(pathOf(account))).map(({ hash }) => hash);
      // A name that points to the account lists it, too.
      expect(own).to.include.members(listed(account, []).map(({ hash }) => hash));
      fewer += listed(account, ['inner', 'signed']).length - own.length;
    }
    expect(fewer).to.be.above(50);
  });

  it('have the amounts of the movements', async () => {
    const seen = { exact: 0, unknown: 0, in: 0, out: 0 };
    for (const account of accounts) {
      for (const row of await csv(`${pathOf(account)}?include=inner,signed`)) {
        const { hash, moved, isWhole } = recorded.find((one) => one.hash === row['hash'])!;
        const { amount, paid } = moved.get(account) ?? { amount: 0n, paid: 0n };
        if (!isWhole) {
          seen.unknown += 1;
          continue;
        }
        const shown = BigInt(row['amount_aettos']!);
        const change = { in: shown, out: -shown, self: 0n }[row['direction'] ?? 'self'];
        expect([row['effect'], change, BigInt(row['fees_paid_aettos']!)], `${account} ${hash}`).to.deep.equal([
          ...['exact', amount, paid],
        ]);
        seen.exact += 1;
        if (row['direction'] === 'in') seen.in += 1;
        if (row['direction'] === 'out') seen.out += 1;
      }
    }
    expect(seen.exact).to.be.above(150);
    for (const count of [seen.unknown, seen.in, seen.out]) expect(count).to.be.above(20);
  });

  it('are those that pay or name the account inside, or that it signed, where a request asks for them', async () => {
    for (const account of accounts) {
      for (const include of [['inner'], ['signed'], ['signed', 'inner']]) {
        const path = `${pathOf(account)}?include=${include.join(',')}`;
        const model = listed(account, include).map(({ hash }) => hash);
        const own = (await csv(path)).map(({ hash }) => hash);
        expect(
          own.filter((hash) => model.includes(hash!)),
          path,
        ).to.deep.equal(model);
        // What is listed besides is paid by a name that pointed to the account.
        for (const hash of own) {
          if (model.includes(hash!)) continue;
          const [outer] = [...nested(recorded.find((one) => one.hash === hash)!.tx)];
          expect(stringifyExact(outer!), path).to.include('"nm_');
        }
        expect(await walk(`${path}&limit=40`), path).to.deep.equal(own);
      }
    }
    const busiest = accounts.reduce((a, b) => (listed(a, ['inner']).length > listed(b, ['inner']).length ? a : b));
    const path = `${pathOf(busiest)}?include=inner,signed`;
    const all = (await csv(path)).map(({ hash }) => hash);
    expect(await walk(`${path}&limit=7`)).to.deep.equal(all);
    expect((await csv(`${path}&after=${all[10]!}&limit=5`)).map(({ hash }) => hash)).to.deep.equal(all.slice(11, 16));
  });

  it('refuse what a wider list does not have', async () => {
    for (const query of ['include=outer', 'include=', 'include=inner&page=2&limit=3', 'include=signed&txtype=SpendTx'])
      expect((await api.get(`${pathOf(accounts[0]!)}?${query}`)).status, query).to.equal(400);
  });
});
