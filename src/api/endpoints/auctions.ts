import { nameHashOf } from '../../chain/protocol/ids.js';
import * as auctions from '../../store/queries/auctions.js';
import { byRows } from '../cost.js';
import { endpoint } from '../endpoint.js';
import { parsePage } from '../parse.js';
import * as q from '../query.js';
import { requireRow, requireHead, sendJson, sendList } from '../reply.js';
import * as o from '../schemas/objects.js';
import * as p from '../schemas/parameters.js';
import { auctionCount } from '../schemas/service.js';

const INT64_MAX = 2n ** 63n - 1n;

const length = q.lenient('length', p.auctionLength, 'must be an integer');

export const runningAuctions = endpoint({
  method: 'get',
  path: '/middleware/names/auctions/active',
  operationId: 'getActiveNameAuctions',
  tag: 'names',
  summary: 'Auctions that are running',
  description:
    'An auction runs up to and including its last height. Those that end soonest come first, unless `sort` says otherwise. A bid inside a contract call is in `source: node`; an auction that only such calls started is not in the list.',
  query: {
    slice: q.pages,
    sort: q.lenient('sort', p.auctionSort, 'must be name, max_bid or expiration'),
    reverse: q.present('reverse', p.reverse),
    length,
  },
  answer: o.auctionEntries,
  wallets: true,
  cost: byRows,
  cache: 'until-change',
  evidence: { source: "slow model, node's recording", test: 'api/auctions', plan: 'the running auctions' },
  async handle({ ctx, query: { slice, sort = 'expiration', reverse, length } }, { db, logger }) {
    const of = { sort, reverse, length: lengthOf(length) };
    sendList(ctx, await auctions.runningAuctions(db, of, slice), slice, logger);
  },
});

export const runningAuctionCount = endpoint({
  method: 'get',
  path: '/middleware/names/auctions/active/count',
  operationId: 'getActiveNameAuctionsCount',
  tag: 'names',
  summary: 'Number of the auctions that are running',
  description: 'With `length` only of names of that length.',
  query: { length },
  answer: auctionCount,
  wallets: true,
  cost: 'light',
  cache: 'until-change',
  evidence: { source: 'slow model', test: 'api/auctions', plan: 'the number of running auctions' },
  async handle({ ctx, query: { length } }, { db }) {
    sendJson(ctx, requireRow(ctx, await auctions.runningAuctionCount(db, lengthOf(length))).body);
  },
});

export const auctionInfo = endpoint({
  method: 'get',
  path: '/middleware/names/auctions/{name}/info',
  operationId: 'getAuctionInfo',
  tag: 'names',
  summary: 'The latest auction of a name with its bids',
  description: 'Also when it has ended. 404 if there was no auction of the name.',
  params: { name: p.auctionName },
  answer: o.auctionInfo,
  list: true,
  refusals: [404],
  wallets: true,
  cost: 'light',
  cache: 'until-change',
  evidence: { source: "slow model, node's recording", test: 'api/auctions', plan: 'an auction with its bids' },
  async handle({ ctx, params: { name } }, { db, config, logger }) {
    const page = parsePage({}, config.limitCap);
    sendList(ctx, await auctions.auctionInfo(db, nameHashOf(name), page), page, logger);
  },
});

export const auctionBids = endpoint({
  method: 'get',
  path: '/middleware/names/auctions/bids/{name}',
  operationId: 'getNameAuctionsBidsbyName',
  tag: 'names',
  summary: 'Bids of the latest auction of a name, newest first',
  description: 'Empty if there was no auction of the name.',
  params: { name: p.auctionName },
  query: { slice: q.pages },
  answer: o.bids,
  wallets: true,
  cost: byRows,
  cache: 'until-change',
  evidence: { source: 'slow model', test: 'api/auctions', plan: 'a far page of bids' },
  async handle({ ctx, params: { name }, query: { slice } }, { db, logger }) {
    const answer = await auctions.auctionBids(db, nameHashOf(name), slice);
    if (answer.row !== null) return sendList(ctx, answer, slice, logger);
    requireHead(ctx, answer);
    sendJson(ctx, '[]');
  },
});

export const bidsOfAccount = endpoint({
  method: 'get',
  path: '/middleware/names/auctions/bids/account/{account}',
  operationId: 'getNameAuctionsBidsbyAddress',
  tag: 'names',
  summary: 'Claims and bids of an account with the auctions they are of, newest first',
  description: 'Each with the latest auction of its name, which somebody else may have won.',
  params: { account: p.account },
  query: { slice: q.keysetPages },
  answer: o.accountBids,
  wallets: true,
  cost: byRows,
  cache: 'until-change',
  evidence: { source: 'slow model', test: 'api/auctions', plan: 'the last page of bids of an account' },
  async handle({ ctx, params: { account }, query: { slice } }, { db, logger }) {
    sendList(ctx, await auctions.bidsOfAccount(db, account, slice), slice, logger);
  },
});

/** The length in the range of 64 bits, -1 for all negative ones; null if absent or not an integer: explorers send `NaN`. */
function lengthOf(length: bigint | undefined): bigint | null {
  if (length === undefined) return null;
  if (length < 0n) return -1n;
  return length > INT64_MAX ? INT64_MAX : length;
}
