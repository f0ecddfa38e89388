import { ListKind } from '../../chain/derive.js';
import { MiddlewareError } from '../../observe/errors.js';
import { nameOfEach, nameOfHash, names, namesPointingTo, searchNames } from '../../store/queries/names.js';
import { listTransactionsWithTime } from '../../store/queries/paging/list-pages.js';
import { seen } from '../../store/queries/paging/page.js';
import { isCut } from '../../store/queries/paging/slice.js';
import { byRows } from '../cost.js';
import { linkNext } from '../cursor.js';
import { endpoint } from '../endpoint.js';
import { namesExport } from '../export/lists.js';
import { sendTable } from '../export/stream.js';
import * as q from '../query.js';
import { requireRow, sendJson, sendList, reportCut } from '../reply.js';
import * as o from '../schemas/objects.js';
import * as p from '../schemas/parameters.js';
import { timedTransactions } from '../schemas/transactions.js';

/** Segments of longer paths. On their own they are neither a path nor a text to search for. */
const RESERVED = ['reverse', 'hash', 'auctions'];

const owner = q.optional('owner', p.owner);
const reverse = q.present('reverse', p.reverse);

export const allNames = endpoint({
  method: 'get',
  path: '/middleware/names',
  operationId: 'getAllNames',
  tag: 'names',
  summary: 'All names, also those that have expired, latest claims first',
  description:
    'One record for each time that a name was claimed. Names that were only claimed inside contract calls are not in the list; `source` marks records that calls changed.',
  query: { slice: q.rankedKeysetPages, owner, after: q.after },
  answer: o.nameRecords,
  wallets: true,
  cost: byRows,
  cache: 'until-change',
  evidence: { source: 'slow model', test: 'api/names', plan: 'a far page of names' },
  async handle({ ctx, query: { slice, owner = null } }, { db, logger }) {
    sendList(ctx, await names(db, { owner, active: false, reverse: false }, slice), slice, logger);
  },
  async tables({ ctx, query: { slice, owner = null, after } }, { db, logger }) {
    return sendTable(
      ctx,
      'names',
      logger,
      await namesExport(db, { owner, active: false, reverse: false }, slice, after),
    );
  },
});

export const activeNames = endpoint({
  method: 'get',
  path: '/middleware/names/active',
  operationId: 'getActiveNames',
  tag: 'names',
  summary: 'Names that are claimed and have not expired, latest claims first',
  description:
    'One record for each name, that of its latest claim. A name whose auction is running is not active. The list and its order follow from transactions, also where `source` is `node`.',
  query: { slice: q.rankedKeysetPages, owner, reverse, after: q.after },
  answer: o.nameRecords,
  wallets: true,
  cost: byRows,
  cache: 'until-change',
  evidence: { source: "slow model, node's recording", test: 'api/names', plan: 'a far page of active names' },
  async handle({ ctx, query: { slice, owner = null, reverse } }, { db, logger }) {
    sendList(ctx, await names(db, { owner, active: true, reverse }, slice), slice, logger);
  },
  async tables({ ctx, query: { slice, owner = null, reverse, after } }, { db, logger }) {
    return sendTable(ctx, 'names', logger, await namesExport(db, { owner, active: true, reverse }, slice, after));
  },
});

export const nameSearch = endpoint({
  method: 'get',
  path: '/middleware/names/{name}',
  operationId: 'searchName',
  tag: 'names',
  summary: 'Names that contain a text, also those that have expired',
  description:
    'A whole name is found in any spelling: small or large letters, any Unicode normal form, punycode, with or without `.chain`. One record for each time that a name was claimed.',
  params: { name: p.namePart },
  query: { slice: q.rankedKeysetPages },
  answer: o.nameRecords,
  refusals: [404],
  wallets: true,
  cost: 'heavy',
  cache: 'until-change',
  evidence: { source: 'slow model', test: 'api/names', plan: 'a search that finds nothing' },
  async handle({ ctx, params: { name }, query: { slice } }, { db, logger }) {
    const text = name.normalize('NFC').toLowerCase();
    if (RESERVED.includes(text)) throw new MiddlewareError('not_found', 'Not found');
    const row = requireRow(ctx, await searchNames(db, text, slice));
    linkNext(ctx, row.next);
    reportCut(ctx, row.exhausted || isCut(slice, seen(slice, row)), logger);
    sendJson(ctx, row.body);
  },
});

export const namesPointing = endpoint({
  method: 'get',
  path: '/middleware/names/reverse/{account}',
  operationId: 'getNameByAddress',
  tag: 'names',
  summary: 'Active names that point to an object, by name',
  description: 'By the pointers of their latest updates.',
  params: { account: p.pointedTo },
  query: { slice: q.rankedKeysetPages },
  answer: o.nameRecords,
  wallets: true,
  cost: byRows,
  cache: 'until-change',
  evidence: { source: 'slow model', test: 'api/names', plan: 'a far page of names that point to an account' },
  async handle({ ctx, params: { account }, query: { slice } }, { db, logger }) {
    sendList(ctx, await namesPointingTo(db, account, slice), slice, logger);
  },
});

export const namesOfAccounts = endpoint({
  method: 'get',
  path: '/middleware/names/of/{accounts}',
  operationId: 'getNamesOfAccounts',
  tag: 'names',
  summary: 'One name for each of many accounts',
  description:
    'The first active name, by name, that points to the account and that it owns itself; without one the first that points to it. Of many names only the first 20 are looked at. Accounts without a name are left out.',
  params: { accounts: p.accounts },
  answer: o.namedAccounts,
  cost: 'light',
  cache: 'until-change',
  evidence: { source: 'slow model', test: 'api/names', plan: 'the names of many accounts' },
  async handle({ ctx, params: { accounts } }, { db }) {
    sendJson(ctx, requireRow(ctx, await nameOfEach(db, accounts)).body);
  },
});

export const nameByHash = endpoint({
  method: 'get',
  path: '/middleware/names/hash/{hash}',
  operationId: 'getNameForHash',
  tag: 'names',
  summary: 'The name of a hash, its latest record',
  description: '404 if no transaction ever claimed a name with that hash: contract calls may have claimed it.',
  params: { hash: p.nameHash },
  answer: o.namedRecord,
  refusals: [404],
  wallets: true,
  cost: 'light',
  cache: 'until-change',
  evidence: { source: 'slow model', test: 'api/names', plan: 'a name by its hash' },
  async handle({ ctx, params: { hash } }, { db }) {
    sendJson(ctx, requireRow(ctx, await nameOfHash(db, hash)).body);
  },
});

export const transactionsOfName = endpoint({
  method: 'get',
  path: '/middleware/names/transactions/{hash}',
  operationId: 'getTxByName',
  tag: 'names',
  summary: 'Claims, bids, updates, transfers and the revocation of a name, newest first',
  description: 'Of all times that it was claimed. Empty for a name that nobody claimed.',
  params: { hash: p.nameHash },
  query: { slice: q.keysetPages },
  answer: timedTransactions,
  cost: byRows,
  cache: 'until-change',
  evidence: { source: 'slow model', test: 'api/names', plan: 'the last page of a name' },
  async handle({ ctx, params: { hash }, query: { slice } }, { db, logger }) {
    const of = { kind: ListKind.name, id: hash, type: null };
    sendList(ctx, await listTransactionsWithTime(db, of, slice), slice, logger);
  },
});
