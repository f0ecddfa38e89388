/**
 * Long lists of checks of one kind run in part, so that all tests take minutes: one in `SHARE`, from day to day others (`files.cjs`). `SHARE=1` runs
 * them all, and `SHARE_FROM` runs those of another day again.
 */
const { SHARE = '4', SHARE_FROM = '0' } = process.env;
const every = Number(SHARE);
const from = Number(SHARE_FROM);

/** Those of the checks that run today, at least one. */
export function shareOf<T>(checks: readonly T[]): T[] {
  const step = Math.min(every, checks.length);
  return checks.filter((_, i) => i % step === from % step);
}

/** What a run prints before its first test. */
export const SHARE_TEXT =
  every === 1
    ? 'Long lists of checks run in full'
    : `Long lists of checks: one in ${every}, SHARE_FROM=${from % every}; SHARE=1 runs all`;
