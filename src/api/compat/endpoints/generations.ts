/** What changed in each finished generation, and where the chain was before it. */
import type { z } from 'zod';
import type { JsonObject } from '../../../chain/encoding/json.js';
import { LISTS_BACKFILL } from '../../../store/backfills.js';
import type { Answers } from '../../../store/queries/answer.js';
import { generationChangesOf, generationTotals } from '../../../store/queries/compat/generation-changes.js';
import type { GenerationRow } from '../../../store/queries/compat/generation-changes.js';
import { requireFilled } from '../filled.js';
import { inOrder, list, rangeOf } from '../page.js';
import { changesRow, totalsRow } from '../render/generations.js';
import { MAX_INTERVALS } from '../series.js';
import * as s from '../schemas.js';
import { heightsOf } from '../scope.js';

interface Definition<Row extends GenerationRow> {
  path: string;
  id: string;
  v2: { path: string; id: string };
  summary: string;
  row: z.ZodType;
  read: (...args: Parameters<typeof generationChangesOf>) => Promise<Answers<Row>>;
  render: (row: Row) => JsonObject;
}

const generations = <Row extends GenerationRow>({ path, id, v2, summary, row, read, render }: Definition<Row>) =>
  list({
    v3: { path, id },
    v2,
    tag: 'Statistics',
    summary,
    strict: true,
    row,
    key: ['int'],
    scopes: ['gen'],
    maxLimit: MAX_INTERVALS,
    cost: () => 'heavy',
    async open({ scope }, { db }) {
      await requireFilled(db, [LISTS_BACKFILL, 'seen-accounts', 'oracle-lives', 'generation-changes']);
      const { low, high, forward } = heightsOf(scope);
      return {
        forward,
        async read(part) {
          const { rows, head } = await read(db, { ...rangeOf(part, { low, high }), ...part });
          const found = rows.map((one) => ({ key: [BigInt(one.height)], value: render(one) }));
          return { rows: inOrder(found, part), head };
        },
      };
    },
  });

export const deltas = generations({
  path: '/stats/delta',
  id: 'GetDeltaStats',
  v2: { path: '/deltastats', id: 'get_delta_stats' },
  summary: 'What changed in each finished generation; null where that is not known',
  row: s.generationChanges,
  read: generationChangesOf,
  render: changesRow,
});

export const totals = generations({
  path: '/stats/total',
  id: 'GetTotalStats',
  v2: { path: '/totalstats', id: 'get_total_stats' },
  summary: 'Sums of all changes before each finished generation; null where they are not known',
  row: s.generationTotals,
  read: generationTotals,
  render: totalsRow,
});
