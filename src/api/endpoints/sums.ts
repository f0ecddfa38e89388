import { MAX_HEIGHT } from '../../chain/position.js';
import { countUpTo, sizeUpTo } from '../../store/queries/sums.js';
import { endpoint } from '../endpoint.js';
import { requireRow, sendJson } from '../reply.js';
import * as p from '../schemas/parameters.js';
import { countAnswer, sizeAnswer } from '../schemas/service.js';

export const transactionCount = endpoint({
  method: 'get',
  path: '/middleware/count/current',
  operationId: 'getCurrentTxCount',
  tag: 'transactions',
  summary: 'Number of all transactions',
  description: 'Of the whole chain as far as it is loaded.',
  answer: countAnswer,
  wallets: true,
  cost: 'light',
  cache: 'until-change',
  evidence: { source: 'slow model', test: 'api/spends', plan: 'the count' },
  async handle({ ctx }, { db }) {
    sendJson(ctx, requireRow(ctx, await countUpTo(db, MAX_HEIGHT)).body);
  },
});

export const transactionCountAtHeight = endpoint({
  method: 'get',
  path: '/middleware/count/height/{height}',
  operationId: 'getTxCountAtHeight',
  tag: 'transactions',
  summary: 'Number of the transactions up to a height',
  description: 'From the first generation to the one of that height, itself included.',
  params: { height: p.height },
  upTo: ({ params: { height } }) => height,
  answer: countAnswer,
  cost: 'light',
  cache: 'until-change',
  evidence: { source: 'slow model', test: 'api/spends', plan: 'the count' },
  async handle({ ctx, params: { height } }, { db }) {
    sendJson(ctx, requireRow(ctx, await countUpTo(db, height)).body);
  },
});

export const chainSize = endpoint({
  method: 'get',
  path: '/middleware/size/current',
  operationId: 'getChainSize',
  tag: 'blocks',
  summary: 'Size of all transactions in bytes',
  description: 'Added up over all transactions that are stored.',
  answer: sizeAnswer,
  wallets: true,
  cost: 'light',
  cache: 'until-change',
  evidence: { source: 'the suite itself', test: 'api/sums-and-rewards', plan: 'the size' },
  async handle({ ctx }, { db }) {
    sendJson(ctx, requireRow(ctx, await sizeUpTo(db, MAX_HEIGHT)).body);
  },
});

export const chainSizeAtHeight = endpoint({
  method: 'get',
  path: '/middleware/size/height/{height}',
  operationId: 'getSizeAtHeight',
  tag: 'blocks',
  summary: 'Size of the transactions up to a height in bytes',
  description: 'From the first generation to the one of that height, itself included.',
  params: { height: p.height },
  upTo: ({ params: { height } }) => height,
  answer: sizeAnswer,
  wallets: true,
  cost: 'light',
  cache: 'until-change',
  evidence: { source: 'the suite itself', test: 'api/sums-and-rewards', plan: 'the size' },
  async handle({ ctx, params: { height } }, { db }) {
    sendJson(ctx, requireRow(ctx, await sizeUpTo(db, height)).body);
  },
});
