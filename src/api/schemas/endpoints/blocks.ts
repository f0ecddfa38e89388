import { generations, heightAnswer, rawGenerations } from '../blocks.js';
import type { Endpoint } from '../endpoint.js';
import { slice } from '../endpoint.js';
import * as p from '../parameters.js';
import { reward, sizeAnswer } from '../service.js';

const MOST =
  'Without `limit` up to `LIMIT_CAP` generations are given, with up to 20 times as many transactions; `limit` and `page` count generations.';

export const blockEndpoints: readonly Endpoint[] = [
  {
    method: 'get',
    path: '/middleware/generations/{from}/{to}',
    operationId: 'getGenerationsByRange',
    tag: 'blocks',
    summary: 'Whole generations between two heights, by height',
    description: MOST,
    params: { from: p.fromHeight, to: p.toHeight },
    query: slice,
    answer: generations,
    wallets: true,
  },
  {
    method: 'get',
    path: '/middleware/new/generations/{from}/{to}',
    operationId: 'getGenerationListByRange',
    tag: 'blocks',
    summary: 'Whole generations between two heights as a list, newest first',
    description: MOST,
    params: { from: p.fromHeight, to: p.toHeight },
    query: slice,
    answer: rawGenerations,
  },
  {
    method: 'get',
    path: '/middleware/height/at/{milliseconds}',
    operationId: 'getHeightByTime',
    tag: 'blocks',
    summary: 'The lowest height whose key block is not older than a moment',
    params: { milliseconds: p.milliseconds },
    answer: heightAnswer,
    refusals: [404],
    wallets: true,
  },
  {
    method: 'get',
    path: '/middleware/reward/height/{height}',
    operationId: 'getRewardAtHeight',
    tag: 'blocks',
    summary: 'What the key block of a height earns',
    params: { height: p.height },
    answer: reward,
    refusals: [404],
    wallets: true,
  },
  {
    method: 'get',
    path: '/middleware/size/current',
    operationId: 'getChainSize',
    tag: 'blocks',
    summary: 'Size of all transactions in bytes',
    answer: sizeAnswer,
    wallets: true,
  },
  {
    method: 'get',
    path: '/middleware/size/height/{height}',
    operationId: 'getSizeAtHeight',
    tag: 'blocks',
    summary: 'Size of the transactions up to a height in bytes',
    params: { height: p.height },
    answer: sizeAnswer,
    wallets: true,
  },
];
