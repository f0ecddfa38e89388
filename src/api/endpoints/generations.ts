import { generations as readGenerations } from '../../store/queries/generations.js';
import { heightAt } from '../../store/queries/heights.js';
import { rawGenerations as readRawGenerations } from '../../store/queries/raw-generations.js';
import { byHeights } from '../cost.js';
import type { ApiDeps } from '../deps.js';
import { endpoint } from '../endpoint.js';
import type { Request } from '../endpoint.js';
import * as q from '../query.js';
import { requireRow, sendJson, reportCut } from '../reply.js';
import { generations, heightAnswer, rawGenerations } from '../schemas/blocks.js';
import * as p from '../schemas/parameters.js';

/** An answer has at most LIMIT_CAP times this many transactions. This limits answers about unusually full generations. */
const TRANSACTIONS_PER_ENTRY = 20;

const LIMITS =
  'Without `limit` up to `LIMIT_CAP` generations are given, with up to 20 times as many transactions; `limit` and `page` count generations.';

const rangeParams = { from: p.fromHeight, to: p.toHeight };
const rangeQuery = { slice: q.pages };

/** Makes a handler that answers with whole generations, in the form that `read` returns. */
const answerWith =
  (read: typeof readGenerations) =>
  async (
    { ctx, params: { from, to }, query: { slice } }: Request<typeof rangeParams, typeof rangeQuery>,
    { db, config, logger }: ApiDeps,
  ): Promise<void> => {
    const { body, cut } = requireRow(ctx, await read(db, from, to, slice, config.limitCap * TRANSACTIONS_PER_ENTRY));
    reportCut(ctx, cut !== null, logger);
    if (cut !== null) ctx.set('x-limit-capped-by', cut);
    sendJson(ctx, body);
  };

export const generationsInRange = endpoint({
  method: 'get',
  path: '/middleware/generations/{from}/{to}',
  operationId: 'getGenerationsByRange',
  tag: 'blocks',
  summary: 'Whole generations between two heights, by height',
  description: LIMITS,
  params: rangeParams,
  query: rangeQuery,
  upTo: ({ params: { to } }) => to,
  answer: generations,
  wallets: true,
  cost: byHeights,
  cache: 'until-change',
  evidence: { source: "node's recording", test: 'api/generations', plan: 'a far page of generations' },
  handle: answerWith(readGenerations),
});

export const generationListInRange = endpoint({
  method: 'get',
  path: '/middleware/new/generations/{from}/{to}',
  operationId: 'getGenerationListByRange',
  tag: 'blocks',
  summary: 'Whole generations between two heights as a list, newest first',
  description: LIMITS,
  params: rangeParams,
  query: rangeQuery,
  upTo: ({ params: { to } }) => to,
  answer: rawGenerations,
  cost: byHeights,
  cache: 'until-change',
  evidence: { source: 'slow model', test: 'api/raw-generations', plan: 'a far page of generations with records' },
  handle: answerWith(readRawGenerations),
});

export const heightAtTime = endpoint({
  method: 'get',
  path: '/middleware/height/at/{milliseconds}',
  operationId: 'getHeightByTime',
  tag: 'blocks',
  summary: 'The lowest height whose key block is not older than a moment',
  description: '404 for a moment after the newest key block.',
  params: { milliseconds: p.milliseconds },
  answer: heightAnswer,
  refusals: [404],
  wallets: true,
  cost: 'light',
  cache: 'until-change',
  evidence: { source: 'the suite itself', test: 'api/sums-and-rewards', plan: 'a height by time' },
  async handle({ ctx, params: { milliseconds } }, { db }) {
    sendJson(ctx, requireRow(ctx, await heightAt(db, milliseconds)).body);
  },
});
