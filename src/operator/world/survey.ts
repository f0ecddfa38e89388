import { z } from 'zod';
import { ANNOTATION, hashOf } from '../names.js';
import { jobSpec } from '../desired/job.js';
import { needsOtherSettings } from '../desired/migration.js';
import { otherColor, schemaOf } from '../readings/colors.js';
import type { JobOutcome } from '../readings/jobs.js';
import type { Color } from '../schema/status.js';
import type { Basis, Middleware } from '../types.js';
import { newestImage, seriesOf } from './series.js';
import type { Series } from './series.js';

const row = z.object({
  step: z.enum(['intended', 'switched', 'done']),
  reload: z.string(),
  result: z.string().nullable(),
  schema: z.string(),
  work: z.string().regex(/^\d+$/),
  at: z.string(),
});
const copy = z.object({
  schema: z.string(),
  live: z.boolean(),
  height: z.int(),
  provenHeight: z.int(),
  work: z.string().regex(/^\d+$/),
});
const report = z.object({ ok: z.literal(true), copies: z.array(copy), serving: z.array(row) });

/** Termination message of `mdw copies`. */
export type Survey = z.output<typeof report>;
export type SurveyedCopy = z.output<typeof copy>;
type ServingRow = z.output<typeof row>;

/** What the Job found; undefined if it reported something else. */
export const readSurvey = (outcome: JobOutcome): Survey | undefined => report.safeParse(outcome.report).data;

/** The copy of a color; undefined if it does not exist. */
export const copyOf = (resource: Middleware, { copies }: Survey, color: Color): SurveyedCopy | undefined =>
  copies.find(({ schema }) => schema === schemaOf(resource, color));

/** Color of the copy that a row names; undefined if it is a copy of another resource. */
export const colorIn = (resource: Middleware, { schema }: ServingRow): Color | undefined =>
  (['blue', 'green'] as const).find((color) => schemaOf(resource, color) === schema);

/**
 * The Job that reads which copies exist and which one served last, and changes nothing. It is tried again until it answers, but not
 * after a fault of its settings.
 */
export function surveySeries(basis: Basis, key: readonly string[]): Series {
  const { resource } = basis;
  const color = 'blue';
  const image = newestImage(basis);
  const options = { component: 'survey', color, schema: schemaOf(resource, color), image } as const;
  const args = ['copies', '--other', schemaOf(resource, otherColor(color))];
  // Another Secret, image or setting may end a fault, and so may an annotation.
  const spec = jobSpec(basis, { ...options, args });
  const inputs = hashOf([key, spec, resource.metadata.annotations?.[ANNOTATION.retry] ?? null]);
  return seriesOf(basis, {
    ...options,
    what: 'survey',
    key: ['survey', inputs],
    reload: `survey-${inputs}`,
    maxAttempts: Infinity,
    accepts: (outcome) => readSurvey(outcome) !== undefined,
    next: (last) => (last !== undefined && needsOtherSettings(last.outcome) ? 'stop' : { args }),
  });
}
