/** Tokens of AEX-9, and what accounts hold of them. */
import { z } from 'zod';
import { accountOfWord, hexOfWord, wordOf } from '../../../chain/encoding/words.js';
import type { Queryable } from '../../../store/connection/database.js';
import * as queries from '../../../store/queries/compat/tokens.js';
import type { TokenRow } from '../../../store/queries/compat/tokens.js';
import { compatible } from '../endpoint.js';
import { invalid, notFound, refused } from '../errors.js';
import { list, wholeList } from '../page.js';
import { hash, id, word } from '../parameters.js';
import { aex9Row, balanceRow, holdingRow, isVerified } from '../render/tokens.js';
import * as s from '../schemas.js';
import { heightsOf } from '../scope.js';
import { TOKEN_FILTERS, requireToken } from '../token-keys.js';
import { openTokens, readList, openTransfers } from '../token-reads.js';
import { holderList, holdingList } from '../token-lists.js';

const TAG = 'AEX9';
const CONTRACT = id('A token.', 'ct');
const ACCOUNT = id('An account.', 'ak', 'ct');
const BLOCK = hash('The state after this block.', 'mh', 'kh');

export const tokens = list({
  v3: { path: '/aex9', id: 'GetSortedAex9Tokens' },
  v2: { path: '/aex9', id: 'get_sorted_aex9_tokens' },
  tag: TAG,
  summary: 'Tokens by name, by symbol, or by creation',
  query: TOKEN_FILTERS,
  strict: true,
  row: s.aex9Token,
  key: ({ query }) => (query.by === 'creation' ? ['int', 'text'] : ['text', 'text']),
  hasCount: true,
  open: ({ query }, { db }) => openTokens(db, 9, query, (rows) => rows.map(aex9Row)),
});

export const tokenCount = compatible({
  v3: { path: '/aex9/count', id: 'GetAex9TokensCount' },
  v2: { path: '/aex9/count', id: 'get_aex9_tokens_count' },
  tag: TAG,
  summary: 'Number of tokens',
  answer: z.object({ data: s.bareCount }),
  async handle(_request, { db }) {
    const { row, head } = await queries.compatTokenCount(db, 9);
    return { value: { data: Number(row?.count ?? 0) }, head };
  },
});

export const token = compatible({
  v3: { path: '/aex9/{id}', id: 'GetAex9ByContract' },
  v2: { path: '/aex9/{id}', id: 'get_aex9_by_contract' },
  tag: TAG,
  summary: 'A token',
  params: { id: CONTRACT },
  answer: s.aex9Token,
  async handle({ params }, { db }) {
    const { row, head } = await requireToken(db, 9, params.id);
    return { value: aex9Row(row), head };
  },
});

export const logsCount = compatible({
  v2: { path: '/aex9/{id}/logs-count', id: 'get_aex9_logs_count' },
  tag: TAG,
  summary: 'Number of events that a token emitted',
  params: { id: CONTRACT },
  answer: z.object({ data: s.bareCount }),
  async handle({ params }, { db }) {
    const { row, head } = await requireToken(db, 9, params.id);
    return { value: { data: Number(row.logs) }, head };
  },
});

/** Throws for a contract that is no token, as lists about a token do. */
async function mustBeToken(db: Queryable, contract: string): Promise<TokenRow> {
  const { row } = await queries.compatToken(db, [9], contract);
  if (row === null) throw refused(`not AEX9 contract: ${contract}`);
  return row;
}

/** Position behind a block that is stored. */
async function endOf(db: Queryable, block: string): Promise<bigint> {
  const { row } = await queries.compatEndOf(db, block);
  if (row === null) throw notFound(block);
  return BigInt(row.position);
}

const BALANCE_FILTERS = { by: word('by', 'The order.', ['pubkey', 'amount']), block_hash: BLOCK };

export const balances = list({
  v3: { path: '/aex9/{id}/balances', id: 'GetAex9ContractBalances' },
  v2: { path: '/aex9/{id}/balances', id: 'get_aex9_contract_balances' },
  tag: TAG,
  summary: 'Accounts that hold a token, by their keys or by what they hold',
  params: { id: CONTRACT },
  query: BALANCE_FILTERS,
  row: s.aex9Balance,
  key: ({ query }) => (query.by === 'amount' ? ['text', 'text'] : ['text']),
  hasCount: true,
  cost: ({ query }) => (query.block_hash === undefined ? 'light' : 'heavy'),
  async open({ params, query: { by = 'pubkey', block_hash: block } }, { db }) {
    const token = await mustBeToken(db, params.id);
    if (block === undefined)
      return {
        read: readList(holderList(db, params.id, by === 'amount' ? by : 'account'), (rows) => rows.map(balanceRow)),
        total: () => queries.compatBalanceTotal(db, params.id),
      };
    if (by === 'amount') throw invalid('query', 'block_hash excludes by=amount');
    const end = await endOf(db, block);
    return wholeList(async () => {
      const { rows, head } = await queries.compatBalancesAt(db, params.id, end, null);
      const height = Number((end - 1n) >> 33n);
      const all = rows.map(({ account, amount }) => ({
        key: [hexOfWord(account)],
        value: {
          ...{ contract_id: params.id, account_id: accountOfWord(account), amount: BigInt(amount) },
          ...{ block_hash: block, height, last_tx_hash: null, last_log_idx: null, verified: isVerified(token) },
        },
      }));
      return { rows: all, head };
    });
  },
});

export const balance = compatible({
  v3: { path: '/aex9/{id}/balances/{account}', id: 'GetAex9ContractAccountBalance' },
  v2: { path: '/aex9/{id}/balances/{account}', id: 'get_aex9_contract_account_balance' },
  tag: TAG,
  summary: 'What an account holds of a token; null if it never held some',
  params: { id: CONTRACT, account: ACCOUNT },
  query: { hash: BLOCK },
  answer: z.object({
    contract: CONTRACT.schema,
    account: ACCOUNT.schema,
    amount: s.aex9Balance.shape.amount.nullable(),
    verified: s.aex9Balance.shape.verified,
  }),
  async handle({ params, query }, { db }) {
    const token = await mustBeToken(db, params.id);
    const account = wordOf(params.account);
    const { row, head } = await queries.compatBalance(db, params.id, account);
    let amount = row?.amount ?? null;
    if (amount !== null && query.hash !== undefined) {
      const { rows } = await queries.compatBalancesAt(db, params.id, await endOf(db, query.hash), account);
      amount = rows[0]?.amount ?? '0';
    }
    return {
      value: {
        ...{ contract: params.id, account: params.account, amount: amount === null ? null : BigInt(amount) },
        verified: isVerified(token),
      },
      head,
    };
  },
});

export const history = list({
  v3: { path: '/aex9/{id}/balances/{account}/history', id: 'GetAex9ContractAccountBalanceHistory' },
  v2: { path: '/aex9/{id}/balances/{account}/history', id: 'get_aex9_contract_account_balance_history' },
  tag: TAG,
  summary: 'What an account held of a token after each generation that changed it',
  params: { id: CONTRACT, account: ACCOUNT },
  row: s.aex9HistoricBalance,
  key: ['int'],
  hasCount: true,
  scopes: ['gen'],
  cost: () => 'heavy',
  async open({ params, scope }, { db }) {
    await mustBeToken(db, params.id);
    const { low, high, forward } = heightsOf(scope);
    const of = { contract: params.id, account: wordOf(params.account), low, high };
    return {
      forward,
      total: () => queries.compatBalanceHistoryTotal(db, of),
      async read(part) {
        const from = part.from?.[0] as bigint | undefined;
        const { rows, head } = await queries.compatBalanceHistory(db, of, { ...part, from });
        return {
          rows: rows.map(({ height, amount }) => ({
            key: [BigInt(height)],
            value: { contract: params.id, account: params.account, height: Number(height), amount: BigInt(amount) },
          })),
          head,
        };
      },
    };
  },
});

export const holdings = list({
  v3: { path: '/accounts/{id}/aex9/balances', id: 'GetAex9AccountBalances' },
  v2: { path: '/aex9/account-balances/{id}', id: 'get_aex9_account_balances' },
  tag: TAG,
  summary: 'Tokens that an account holds or held',
  params: { id: ACCOUNT },
  row: s.aex9Holding,
  key: ['text'],
  hasCount: true,
  open: ({ params }, { db }) => ({
    total: () => queries.compatHoldingTotal(db, wordOf(params.id)),
    read: readList(holdingList(db, params.id, 'held'), (rows) => rows.map(holdingRow)),
  }),
});

export const transfers = list({
  v3: { path: '/aex9/{id}/transfers', id: 'GetAex9ContractTransfers' },
  tag: TAG,
  summary: 'Transfers of a token that an account sent or received',
  params: { id: CONTRACT },
  query: {
    sender: id('Who sent them.', 'ak', 'ct'),
    recipient: id('Who received them.', 'ak', 'ct'),
    account: id('Who sent or received them.', 'ak', 'ct'),
  },
  strict: true,
  row: s.aex9Transfer,
  key: ['int', 'int'],
  hasCount: true,
  async open({ params, query: { sender, recipient, account } }, { db }) {
    if (sender === undefined && recipient === undefined && account === undefined)
      throw invalid('query', 'one of sender, recipient, account is needed');
    await mustBeToken(db, params.id);
    return openTransfers(db, { kind: 9, contract: params.id, sender, recipient, account });
  },
});

export const accountTransfers = list({
  v3: { path: '/accounts/{id}/aex9/transfers', id: 'GetAccountAex9Transfers' },
  tag: TAG,
  summary: 'Transfers of tokens that an account sent or received',
  params: { id: ACCOUNT },
  query: { contract: CONTRACT },
  strict: true,
  row: s.aex9Transfer,
  key: ['int', 'int'],
  hasCount: true,
  async open({ params, query: { contract } }, { db }) {
    if (contract !== undefined) await mustBeToken(db, contract);
    return openTransfers(db, { kind: 9, account: params.id, ...(contract !== undefined && { contract }) });
  },
});

const ofAccount = (version: 'from' | 'to') =>
  list({
    v2: { path: `/aex9/transfers/${version}/{id}`, id: `get_aex9_transfers_${version}` },
    tag: TAG,
    summary: version === 'from' ? 'Transfers that an account sent' : 'Transfers that an account received',
    params: { id: ACCOUNT },
    row: s.aex9Transfer,
    key: ['int', 'int'],
    hasCount: true,
    open: ({ params }, { db }) =>
      openTransfers(db, { kind: 9, [version === 'from' ? 'sender' : 'recipient']: params.id }),
  });

export const transfersFrom = ofAccount('from');
export const transfersTo = ofAccount('to');

export const transfersBetween = list({
  v2: { path: '/aex9/transfers/from-to/{id}/{other}', id: 'get_aex9_transfers_from_to' },
  tag: TAG,
  summary: 'Transfers from one account to another',
  params: { id: ACCOUNT, other: ACCOUNT },
  row: s.aex9Transfer,
  key: ['int', 'int'],
  hasCount: true,
  open: ({ params }, { db }) => openTransfers(db, { kind: 9, sender: params.id, recipient: params.other }),
});
