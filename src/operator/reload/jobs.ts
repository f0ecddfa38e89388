import { countHeights, parseHeights } from '../../config/heights.js';
import { endMessage, newestImage, seriesOf } from '../world/series.js';
import type { Attempt, EndedAttempt, Series } from '../world/series.js';
import { otherColor, schemaOf } from '../readings/colors.js';
import type { Color } from '../schema/status.js';
import type { World } from '../world/world.js';

/** The copy that a Job works on, and the reload that the Job is for. */
export interface Target {
  id: string;
  color: Color;
  schema: string;
  /** Default `reload`. */
  component?: 'reload' | 'verification';
}

const LOAD_ATTEMPTS = 8;
const VERIFY_ATTEMPTS = 5;
const DROP_ATTEMPTS = 5;

const common = ({ id, color, schema, component = 'reload' }: Target) =>
  ({ reload: id, component, color, schema }) as const;

/** Another image starts a new series, because the old image may be the cause of the failures. */
const keyOf = (world: World, what: string, { id, color }: Target): unknown[] => [what, id, color, world.image];

/** Loads heights with `-H`: `first` in the first attempt, `after(last)` in later ones. */
export function loadSeries(
  world: World,
  target: Target,
  first: string,
  after: (last: EndedAttempt) => string = () => first,
): Series<'load'> {
  const attempt = (heights: string): Attempt => ({ args: ['-H', heights], heights });
  return seriesOf(world, {
    what: 'load',
    key: keyOf(world, 'load', target),
    ...common(target),
    maxAttempts: LOAD_ATTEMPTS,
    next: (last) => attempt(last === undefined ? first : (failingOf(last) ?? after(last))),
  });
}

/** Heights that `-H` could not load; undefined if it did not report all of them. */
const failingOf = ({ outcome }: EndedAttempt): string | undefined =>
  outcome.report.code === 'heights_failed' ? heightsIn(outcome.report['failing']) : undefined;

/** The text if it is a list of heights. */
function heightsIn(text: unknown): string | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    parseHeights(text);
    return text;
  } catch {
    return undefined;
  }
}

/**
 * Whether a load did all it can. `-H` skips heights that a reorg replaced meanwhile, so that it never stores half of a
 * reorg; the populator loads them, because it follows reorgs.
 */
export const hasLoaded = ({ state, outcome }: Series): boolean =>
  state === 'succeeded' || (outcome.report.code === 'heights_failed' && outcome.report['branch'] === true);

/**
 * Compares heights with the chain and, if `against` names a schema, with that copy. Heights that differ are compared again
 * after a pause, because near the head the chain and the copy are not read at the same moment.
 */
export function verifySeries(
  world: World,
  target: Target,
  heights: string,
  against: string | undefined,
  round = 0,
): Series<'verify'> {
  const attempt = (some: string): Attempt => ({
    args: ['-v', some, '--quiet', ...(against === undefined ? [] : ['--against', against])],
    heights: some,
  });
  return seriesOf(world, {
    what: 'verify',
    key: [...keyOf(world, 'verify', target), round],
    ...common(target),
    maxAttempts: VERIFY_ATTEMPTS,
    next(last) {
      if (last === undefined) return attempt(heights);
      const { code } = last.outcome.report;
      if (code === 'differs') {
        const differing = differingOf(last.outcome.report);
        return differing === undefined || last.number >= 2 ? 'stop' : attempt(differing);
      }
      return attempt(last.heights ?? heights);
    },
  });
}

/** Heights that differ, as `-v` reported them: perhaps not all. Undefined if it reported none. */
export const differingText = ({ differing }: Record<string, unknown>): string | undefined => heightsIn(differing);

/** All heights that differ; undefined if they were too many for the report of `-v`. */
export const differingOf = (report: Record<string, unknown>): string | undefined =>
  report['cut'] === true ? undefined : differingText(report);

/** How a reload ended, for the record in the database, and whether a person asked for the drop of this copy. */
interface DropEnd {
  result: 'Complete' | 'Aborted' | 'RolledBack' | 'Failed';
  isAsked: boolean;
}

/**
 * Drops the schema of a copy that does not serve: before a reload loads it (without `end`), or after the reload. The Job refuses while the
 * copy has more proven work than the one that serves. That ends when the one that serves has grown, so it is tried again.
 */
export function dropSeries(world: World, target: Target, end?: DropEnd): Series<'drop'> {
  const { id, color, schema } = target;
  const args = [
    ...['drop', schema, '--serving', schemaOf(world.resource, otherColor(color))],
    ...(end === undefined ? [] : ['--reload', id, '--result', end.result]),
    ...(end?.isAsked === true ? ['--any-work'] : []),
  ];
  return seriesOf(world, {
    what: 'drop',
    image: newestImage(world),
    key: ['drop', end === undefined ? 'before' : 'after', id, color],
    ...common(target),
    maxAttempts: Infinity,
    next: (last) => (last !== undefined && !isAhead(last) && last.number + 1 >= DROP_ATTEMPTS ? 'stop' : { args }),
  });
}

const isAhead = ({ outcome }: Pick<EndedAttempt, 'outcome'>): boolean => outcome.report.code === 'copy_ahead';

/** Why a copy was not dropped, if the reason is that it has more proven work than the copy that serves. */
export const keptText = (drop: Series): string | undefined =>
  isAhead(drop)
    ? `${endMessage(drop.outcome)}; it is tried again. If its data is not needed, drop it with mdw drop`
    : undefined;

/** Records in the database that the copy is to serve, or serves. It is tried again until it succeeds. */
export function recordSeries(world: World, step: 'intended' | 'switched', target: Target): Series<'record'> {
  const { id, color } = target;
  return seriesOf(world, {
    what: 'record',
    image: newestImage(world),
    key: ['record', step, id, color],
    ...common(target),
    maxAttempts: Infinity,
    next: () => ({ args: ['record', step, '--other', schemaOf(world.resource, otherColor(color)), '--reload', id] }),
  });
}

/** Progress of a series, as text for people. `doing` is a phrase such as "Loading the chain". */
export function progressText(series: Series, doing: string): string {
  const { state, heights, done, outcome } = series;
  if (state === 'waiting') return `${doing} failed and is retried: ${endMessage(outcome)}`;
  if (outcome.waiting !== undefined)
    return `${doing}: the pod of Job ${series.job.name} cannot start: ${outcome.waiting}`;
  if (outcome.awaits !== undefined) return `${doing}: ${outcome.awaits.message}`;
  const total = series.total ?? (heights === undefined ? undefined : countHeights(parseHeights(heights)));
  return total === undefined ? doing : `${doing}: ${done ?? 0} of ${total} heights`;
}
