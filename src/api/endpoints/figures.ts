import { DAY_MS } from '../../chain/day.js';
import { readKeyBlock } from '../../chain/facts.js';
import { hasRewardTable, issuedUpTo } from '../../chain/protocol/rewards.js';
import {
  figuresByTime as readFiguresByTime,
  figuresOfGenerations as readFiguresOfGenerations,
} from '../../store/queries/figures.js';
import { endpoint } from '../endpoint.js';
import { badRequest } from '../parse.js';
import * as q from '../query.js';
import { requireRow, sendJson } from '../reply.js';
import * as p from '../schemas/parameters.js';
import { generationFigures, timeFigures } from '../schemas/service.js';

/** Length of the shortest step of each kind, ms. */
const STEP_MS: Record<p.Step, number> = {
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 28 * DAY_MS,
};

/** Max steps of an answer: two years of days. */
const MAX_STEPS = 800;

export const figuresByTime = endpoint({
  method: 'get',
  path: '/middleware/figures/{from}/{to}',
  operationId: 'getFiguresByTime',
  tag: 'blocks',
  summary: 'What the chain did, in steps of time',
  description: `All steps that have a day between the two, oldest first. A generation belongs to the step in which its key block was made. Steps without a key block are left out. At most ${MAX_STEPS} steps.`,
  params: { from: p.firstDay, to: p.lastDay },
  query: { by: q.optional('by', p.step) },
  answer: timeFigures,
  cost: 'heavy',
  cache: 'until-change',
  evidence: { source: 'slow model', test: 'api/figures', plan: 'the figures of some days' },
  async handle({ ctx, params: { from, to }, query: { by = 'day' } }, { db }) {
    const steps = (Date.parse(to) - Date.parse(from)) / STEP_MS[by];
    if (steps > MAX_STEPS) throw badRequest(`Invalid input: to must be at most ${MAX_STEPS} ${by}s after from`);
    const { steps: rows, newest } = requireRow(ctx, await readFiguresByTime(db, from, to, by));
    const issued = newest === null || hasRewardTable(readKeyBlock(newest).consensus) ? issuedUpTo : undefined;
    sendJson(ctx, `[${rows.map((row) => withCoinbase(row, issued)).join(',')}]`);
  },
});

/** Adds what the key blocks issued, which follows from their heights alone; null if no table says it. */
function withCoinbase(
  { first, last, body, total }: { first: number; last: number; body: string; total: string },
  issued: ((height: number) => bigint) | undefined,
): string {
  if (issued === undefined) return `{${body},"coinbase":null,"total":{${total},"coinbase":null}}`;
  const coinbase = issued(last) - (first === 0 ? 0n : issued(first - 1));
  return `{${body},"coinbase":"${coinbase}","total":{${total},"coinbase":"${issued(last)}"}}`;
}

/** Max generations of an answer: it reads all their transactions. */
const MAX_GENERATIONS = 20;

export const figuresOfGenerations = endpoint({
  method: 'get',
  path: '/middleware/figures/generations/{from}/{to}',
  operationId: 'getFiguresOfGenerations',
  tag: 'blocks',
  summary: 'What the generations between two heights contain, in numbers',
  description: `Newest first, their micro blocks in the order of the chain. At most ${MAX_GENERATIONS} generations.`,
  params: { from: p.fromHeight, to: p.toHeight },
  upTo: ({ params: { to } }) => to,
  answer: generationFigures,
  cost: 'light',
  cache: 'until-change',
  evidence: { source: 'slow model', test: 'api/figures', plan: 'the figures of some generations' },
  async handle({ ctx, params: { from, to } }, { db }) {
    if (to - from >= MAX_GENERATIONS)
      throw badRequest(`Invalid input: to must be less than ${MAX_GENERATIONS} above from`);
    sendJson(ctx, requireRow(ctx, await readFiguresOfGenerations(db, from, to)).body);
  },
});
