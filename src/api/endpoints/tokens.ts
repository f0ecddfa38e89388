/** Tokens of AEX-9, collections of AEX-141, and what accounts hold of them. */
import { stringifyExact } from '../../chain/encoding/json.js';
import type { Queryable } from '../../store/connection/database.js';
import * as queries from '../../store/queries/compat/tokens.js';
import type { TokenRow } from '../../store/queries/compat/tokens.js';
import { isCapped } from '../../store/queries/paging/slice.js';
import { supplyChanges } from '../../store/queries/token-supply.js';
import { byTake } from '../cost.js';
import { endpoint } from '../endpoint.js';
import type { Exchange } from '../exchange.js';
import { sendTable } from '../export/stream.js';
import { keyExport, keyPages, sendKeyPage } from '../key-pages.js';
import * as q from '../query.js';
import { reportCut, requireHead, requireRow, sendJson } from '../reply.js';
import * as p from '../schemas/parameters.js';
import * as o from '../schemas/tokens.js';
import {
  eventAfter,
  filterOf,
  holderList,
  holdingList,
  ownedList,
  ownerList,
  placeAfter,
  tokenAfter,
  tokenList,
  transferList,
} from '../token-lists.js';
import {
  HOLDING_TABLE,
  OWNED_TABLE,
  OWNER_TABLE,
  TOKEN_TABLE,
  holderRow,
  holderTable,
  holdingRow,
  ownedRow,
  ownerRow,
  supplyRow,
  tokenRow,
  tokenTransferRow,
  transferTable,
} from '../token-rows.js';

/** Rows with what collections have besides. */
async function tokenRows(db: Queryable, rows: readonly TokenRow[]) {
  const ids = rows.filter(({ kind }) => kind === 141).map(({ contract_id: id }) => id);
  const of = ids.length === 0 ? [] : (await queries.compatCollections(db, ids)).rows;
  const byId = new Map(of.map((row) => [row.contract_id, row]));
  return rows.map((row) => tokenRow(row, byId.get(row.contract_id)));
}

const listOf = (kind: 9 | 141, what: string) =>
  endpoint({
    method: 'get',
    path: `/middleware/tokens/aex${kind}`,
    operationId: kind === 9 ? 'getTokens' : 'getCollections',
    tag: 'tokens',
    summary: `${what} by name, symbol or creation`,
    description:
      'Contracts that have all functions of the standard, by their code. By name and symbol the order is ascending, by creation the newest are first. Names and symbols are compared without regard to capitals, by their first 100 characters; those that are not known are empty.',
    query: {
      by: q.optional('by', p.tokenOrder),
      prefix: q.optional('prefix', p.prefix),
      exact: q.optional('exact', p.exact),
      slice: keyPages,
      after: q.afterRow('`contract`'),
    },
    answer: o.tokens,
    cost: byTake,
    // The list also changes when nodes tell what tokens are. No event reports this.
    cache: 'short',
    evidence: { source: "node's recording", test: 'api/tokens', plan: 'tokens whose name begins so' },
    async handle({ ctx, query: { by = 'name', prefix, exact, slice } }, { db, logger }) {
      const list = tokenList(db, filterOf(kind, by, prefix, exact));
      await sendKeyPage(ctx, list, slice, (rows) => tokenRows(db, rows), logger);
    },
    async tables({ ctx, query: { by = 'name', prefix, exact, slice, after } }, { db, logger }) {
      const list = tokenList(db, filterOf(kind, by, prefix, exact));
      const start = await tokenAfter(db, { kind, by }, after);
      return sendTable(ctx, `tokens-aex${kind}`, logger, keyExport(ctx, db, list, slice, TOKEN_TABLE, start));
    },
  });

export const tokens = listOf(9, 'Tokens');
export const collections = listOf(141, 'Collections');

const requireToken = async (
  ctx: Exchange,
  db: Queryable,
  contract: string,
  kinds: readonly (9 | 141)[] = [9, 141],
): Promise<TokenRow> => requireRow(ctx, await queries.compatToken(db, kinds, contract));

export const token = endpoint({
  method: 'get',
  path: '/middleware/tokens/{contract}',
  operationId: 'getToken',
  tag: 'tokens',
  summary: 'A token or a collection',
  description: '404 if the contract is none by its code.',
  params: { contract: p.contract },
  answer: o.token,
  refusals: [404],
  cost: 'light',
  cache: 'short',
  evidence: { source: "node's recording", test: 'api/tokens', plan: 'one token' },
  async handle({ ctx, params: { contract } }, { db }) {
    const [row] = await tokenRows(db, [await requireToken(ctx, db, contract)]);
    sendJson(ctx, stringifyExact(row!));
  },
});

const holderOrder = q.optional('by', p.holderOrder);

export const holders = endpoint({
  method: 'get',
  path: '/middleware/tokens/{contract}/holders',
  operationId: 'getTokenHolders',
  tag: 'tokens',
  summary: 'Accounts that hold a token, by amount or by their keys',
  description:
    'Of a collection the amount is the number of its tokens. The highest amounts are first; by account the order is that of the bytes of the keys. Amounts change with each block: to read each holder once, over several pages or as a table, use `by=account`.',
  params: { contract: p.contract },
  query: {
    by: holderOrder,
    slice: keyPages,
    after: q.afterRow('`amount` and `account`, separated by a comma, or with `by=account` of `account`'),
  },
  answer: o.holders,
  refusals: [404],
  cost: byTake,
  cache: 'short',
  evidence: { source: "node's recording", test: 'api/tokens', plan: 'balances by amount' },
  async handle({ ctx, params: { contract }, query: { by = 'amount', slice } }, { db, logger }) {
    await requireToken(ctx, db, contract);
    await sendKeyPage(ctx, holderList(db, contract, by), slice, (rows) => rows.map(holderRow), logger);
  },
  async tables({ ctx, params: { contract }, query: { by = 'amount', slice, after } }, { db, logger }) {
    const table = holderTable(await requireToken(ctx, db, contract));
    const list = holderList(db, contract, by);
    const exported = keyExport(ctx, db, list, slice, table, placeAfter(list, after));
    return sendTable(ctx, `holders-${contract}`, logger, exported);
  },
});

export const tokenSupply = endpoint({
  method: 'get',
  path: '/middleware/tokens/{contract}/supply',
  operationId: 'getTokenSupply',
  tag: 'tokens',
  summary: 'The newest changes of the supply of a token, newest first',
  description:
    'What was minted and burnt, and of wrapped coins deposited and withdrawn, with the supply after it: the course of the supply back from now. Of a token whose balances do not follow from its events there are no rows, and it is not complete. 404 if the contract is no token of AEX-9.',
  params: { contract: p.contract },
  query: { slice: q.taken },
  answer: o.supply,
  refusals: [404],
  cost: byTake,
  cache: 'short',
  evidence: { source: "node's recording", test: 'api/tokens', plan: 'changes of the supply' },
  async handle({ ctx, params: { contract }, query: { slice } }, { db, logger }) {
    const { invalid } = await requireToken(ctx, db, contract, [9]);
    const answer = await supplyChanges(db, contract, slice.take + 1);
    requireHead(ctx, answer);
    const isCut = answer.rows.length > slice.take;
    reportCut(ctx, isCut && isCapped(slice), logger);
    const rows = answer.rows.slice(0, slice.take).map(supplyRow);
    sendJson(ctx, stringifyExact({ rows, complete: invalid === null && !isCut }));
  },
});

export const tokenTransfers = endpoint({
  method: 'get',
  path: '/middleware/tokens/{contract}/transfers',
  operationId: 'getTokenTransfers',
  tag: 'tokens',
  summary: 'Transfers of a token, or of the tokens of a collection, newest first',
  description: 'By its events. What is minted and burnt is not among them.',
  params: { contract: p.contract },
  query: {
    sender: q.optional('sender', p.tokenSender),
    recipient: q.optional('recipient', p.tokenRecipient),
    account: q.optional('account', p.tokenParty),
    slice: keyPages,
    after: q.afterEvent,
  },
  answer: o.tokenTransfers,
  refusals: [404],
  cost: byTake,
  cache: 'short',
  evidence: { source: "node's recording", test: 'api/tokens', plan: 'transfers of a collection' },
  async handle({ ctx, params: { contract }, query: { slice, sender, recipient, account } }, { db, logger }) {
    const { kind } = await requireToken(ctx, db, contract);
    const list = transferList(db, { kind, contract, sender, recipient, account });
    await sendKeyPage(ctx, list, slice, (rows) => rows.map((row) => tokenTransferRow(kind, row)), logger);
  },
  async tables({ ctx, params: { contract }, query: { slice, after, ...ends } }, { db, logger }) {
    const row = await requireToken(ctx, db, contract);
    const list = transferList(db, { kind: row.kind, contract, ...ends });
    const start = await eventAfter(db, after, slice.ascending);
    const exported = keyExport(ctx, db, list, slice, transferTable(row), start);
    return sendTable(ctx, `transfers-${contract}`, logger, exported);
  },
});

export const tokenOwners = endpoint({
  method: 'get',
  path: '/middleware/tokens/{contract}/owners',
  operationId: 'getTokenOwners',
  tag: 'tokens',
  summary: 'The single tokens of a collection and their owners, by number',
  description: 'Not those that are burnt. 404 if the contract is no collection.',
  params: { contract: p.contract },
  query: { slice: keyPages, after: q.afterRow('`token_id`') },
  answer: o.tokenOwners,
  refusals: [404],
  cost: byTake,
  cache: 'short',
  evidence: { source: "node's recording", test: 'api/tokens', plan: 'single tokens' },
  async handle({ ctx, params: { contract }, query: { slice } }, { db, logger }) {
    await requireToken(ctx, db, contract, [141]);
    await sendKeyPage(ctx, ownerList(db, contract), slice, (rows) => rows.map(ownerRow), logger);
  },
  async tables({ ctx, params: { contract }, query: { slice, after } }, { db, logger }) {
    await requireToken(ctx, db, contract, [141]);
    const list = ownerList(db, contract);
    const exported = keyExport(ctx, db, list, slice, OWNER_TABLE, placeAfter(list, after));
    return sendTable(ctx, `owners-${contract}`, logger, exported);
  },
});

export const tokensOfAccount = endpoint({
  method: 'get',
  path: '/middleware/accounts/{account}/tokens',
  operationId: 'getAccountTokens',
  tag: 'tokens',
  summary: 'What an account holds of tokens, by the ids of the tokens',
  description: 'Not tokens of which it holds nothing, nor single tokens of collections.',
  params: { account: p.ledgerAccount },
  query: { slice: keyPages, after: q.afterRow('`contract`') },
  answer: o.holdings,
  cost: byTake,
  cache: 'short',
  evidence: { source: "node's recording", test: 'api/tokens', plan: 'what an account holds' },
  async handle({ ctx, params: { account }, query: { slice } }, { db, logger }) {
    await sendKeyPage(ctx, holdingList(db, account, null), slice, (rows) => rows.map(holdingRow), logger);
  },
  tables({ ctx, params: { account }, query: { slice, after } }, { db, logger }) {
    const list = holdingList(db, account, null);
    const exported = keyExport(ctx, db, list, slice, HOLDING_TABLE, placeAfter(list, after));
    return sendTable(ctx, `tokens-${account}`, logger, exported);
  },
});

export const ownedTokensOfAccount = endpoint({
  method: 'get',
  path: '/middleware/accounts/{account}/owned-tokens',
  operationId: 'getOwnedTokens',
  tag: 'tokens',
  summary: 'The single tokens of collections that an account owns, by collection and number',
  description: 'By the last event of each.',
  params: { account: p.ledgerAccount },
  query: {
    contract: q.optional('contract', p.contract),
    slice: keyPages,
    after: q.afterRow('`contract` and `token_id`, separated by a comma'),
  },
  answer: o.ownedTokens,
  cost: byTake,
  cache: 'short',
  evidence: { source: "node's recording", test: 'api/tokens', plan: 'single tokens of an account' },
  async handle({ ctx, params: { account }, query: { contract, slice } }, { db, logger }) {
    await sendKeyPage(ctx, ownedList(db, account, contract), slice, (rows) => rows.map(ownedRow), logger);
  },
  tables({ ctx, params: { account }, query: { contract, slice, after } }, { db, logger }) {
    const list = ownedList(db, account, contract);
    const exported = keyExport(ctx, db, list, slice, OWNED_TABLE, placeAfter(list, after));
    return sendTable(ctx, `owned-tokens-${account}`, logger, exported);
  },
});
