import { spendRate } from '../../store/queries/rates.js';
import { endpoint } from '../endpoint.js';
import { requireRow, sendJson } from '../reply.js';
import * as p from '../schemas/parameters.js';
import { rates } from '../schemas/service.js';

export const spendRates = endpoint({
  method: 'get',
  path: '/middleware/transactions/rate/{from}/{to}',
  operationId: 'getTxRateByDateRange',
  tag: 'transactions',
  summary: 'Number and amount of the spends of each day between two days',
  description: 'The two days themselves are left out, and so are days without spends.',
  params: { from: p.day, to: p.day },
  answer: rates,
  wallets: true,
  cost: 'light',
  cache: 'until-change',
  evidence: { source: 'slow model', test: 'api/spends', plan: 'the rate of some days' },
  async handle({ ctx, params: { from, to } }, { db }) {
    sendJson(ctx, requireRow(ctx, await spendRate(db, from, to)).body);
  },
});
