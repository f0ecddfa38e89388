/** Every kind of query, with keys drawn from a copy. */
import type pg from 'pg';
import { ListKind } from '../src/chain/lists.js';

/** A kind of request, and what to ask for the nth time: no address comes twice. */
export interface Kind {
  what: string;
  path(n: number): string;
}

const SAMPLES = 2_000;
const DAY_MS = 86_400_000;

/** Numbers that look random and are the same in every run: 0 to `below` - 1. */
function drawing(): (below: number) => number {
  let state = 42;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export async function kindsOf(client: pg.Client): Promise<Kind[]> {
  const column = async (text: string): Promise<string[]> => {
    const { rows } = await client.query<{ id: string }>(text);
    if (rows.length === 0) throw new Error(`no row: ${text}`);
    return rows.map(({ id }) => id);
  };
  const some = (table: string, expression: string): Promise<string[]> =>
    column(`
      SELECT ${expression} AS id FROM ${table} TABLESAMPLE SYSTEM_ROWS(${SAMPLES})`);
  const listed = (kind: ListKind): Promise<string[]> =>
    column(`SELECT id FROM lists WHERE kind = ${kind} ORDER BY key LIMIT ${SAMPLES}`);

  await client.query('CREATE EXTENSION IF NOT EXISTS tsm_system_rows SCHEMA public');
  const transactions = await some('transactions', 'hash');
  const calls = await some(
    'contract_calls',
    '(SELECT hash FROM transactions t WHERE t.position = contract_calls.position)',
  );
  const keyBlocks = await some('key_blocks', 'hash');
  const microBlocks = await some('micro_blocks', 'hash');
  const names = await some('names', 'name');
  const nameHashes = await some('names', 'name_hash');
  const auctioned = await column(
    `SELECT name AS id FROM names WHERE auction_end_height > created_at_height LIMIT ${SAMPLES}`,
  );
  const oracles = await some('oracles', 'id');
  const contracts = await some('contracts', 'id');
  const channels = await listed(ListKind.channel);
  const accounts = await column(`
    SELECT id FROM lists WHERE kind = ${ListKind.account} ORDER BY key LIMIT 150`);
  const [head] = await column('SELECT max(height) AS id FROM key_blocks');
  const [from] = await column('SELECT min(time) AS id FROM key_blocks WHERE height > 0');
  const [to] = await column('SELECT max(time) AS id FROM key_blocks');

  const draw = drawing();
  const one = (all: readonly string[]): string => all[draw(all.length)]!;
  const height = (): number => draw(Number(head));
  const page = (max: number): string => `limit=10&page=${1 + draw(max)}`;
  const range = (length: number): string => {
    const first = height();
    return `${first}/${first + length}`;
  };
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10).replaceAll('-', '');
  const days = (): string => {
    const start = Number(from) + draw(Math.max(1, Number(to) - Number(from) - 30 * DAY_MS));
    return `${day(start)}/${day(start + 30 * DAY_MS)}`;
  };

  const kinds: [what: string, path: () => string][] = [
    ['key block by height', () => `/v2/key-blocks/height/${height()}`],
    ['key block by hash', () => `/v2/key-blocks/hash/${one(keyBlocks)}`],
    ['generation by height', () => `/v2/generations/height/${height()}`],
    ['header of a micro block', () => `/v2/micro-blocks/hash/${one(microBlocks)}/header`],
    ['transactions of a micro block', () => `/v2/micro-blocks/hash/${one(microBlocks)}/transactions`],
    ['transaction by hash', () => `/v2/transactions/${one(transactions)}`],
    ['head', () => '/v2/generations/current'],
    ['account, page 1', () => `/middleware/transactions/account/${one(accounts)}?limit=10&page=1`],
    ['account, any of its first 5,000 pages', () => `/middleware/transactions/account/${one(accounts)}?${page(5_000)}`],
    ['account, payments alone', () => `/middleware/transactions/account/${one(accounts)}?txtype=SpendTx&${page(500)}`],
    ['account, count', () => `/middleware/transactions/account/${one(accounts)}/count`],
    [
      'payments from one account to another, page 1',
      () => `/middleware/transactions/account/${one(accounts)}/to/${one(accounts)}?limit=10&page=1`,
    ],
    ['interval of 100 heights', () => `/middleware/transactions/interval/${range(100)}?limit=10&page=1`],
    ['whole chain as an interval, far page', () => `/middleware/transactions/interval/0/${head}?${page(5_000)}`],
    [
      'whole chain, payments alone, far page',
      () => `/middleware/transactions/interval/0/${head}?txtype=SpendTx&${page(5_000)}`,
    ],
    ['rates of 30 days', () => `/middleware/transactions/rate/${days()}`],
    ['count up to a height', () => `/middleware/count/height/${height()}`],
    ['size up to a height', () => `/middleware/size/height/${height()}`],
    ['reward of a height', () => `/middleware/reward/height/${height()}`],
    ['height at a time', () => `/middleware/height/at/${Number(from) + draw(Number(to) - Number(from))}`],
    ['10 generations', () => `/middleware/generations/${range(10)}`],
    ['names, any of the first 1,000 pages', () => `/middleware/names?${page(1_000)}`],
    ['active names, page 1', () => '/middleware/names/active?limit=10&page=1'],
    ['search of names, 5 letters', () => `/middleware/names/${one(names).slice(0, 5)}`],
    ['name by hash', () => `/middleware/names/hash/${one(nameHashes)}`],
    ['transactions of a name, page 1', () => `/middleware/names/transactions/${one(nameHashes)}?limit=10&page=1`],
    ['names that point to an account, page 1', () => `/middleware/names/reverse/${one(accounts)}?limit=10&page=1`],
    ['auctions that run', () => '/middleware/names/auctions/active?limit=10&page=1'],
    ['auction', () => `/middleware/names/auctions/${one(auctioned)}/info`],
    ['bids for a name', () => `/middleware/names/auctions/bids/${one(auctioned)}`],
    ['bids of an account, page 1', () => `/middleware/names/auctions/bids/account/${one(accounts)}?limit=10&page=1`],
    ['contracts, any of the first 500 pages', () => `/middleware/contracts/all?${page(500)}`],
    [
      'transactions of a contract',
      () => `/middleware/contracts/transactions/address/${one(contracts)}?limit=10&page=1`,
    ],
    ['calls of a contract', () => `/middleware/contracts/calls/address/${one(contracts)}?limit=10&page=1`],
    ['decoded call', () => `/middleware/contracts/calls/transaction/${one(calls)}`],
    ['oracles', () => `/middleware/oracles/list?limit=10&page=1`],
    ['questions of an oracle', () => `/middleware/oracles/${one(oracles)}?limit=10&page=1`],
    ['active channels', () => '/middleware/channels/active'],
    ['transactions of a channel', () => `/middleware/channels/transactions/address/${one(channels)}`],
  ];
  return kinds.map(([what, path]) => ({
    what,
    path(n) {
      const drawn = path();
      return `${drawn}${drawn.includes('?') ? '&' : '?'}n=${n}`;
    },
  }));
}
