/**
 * Long lists of checks of one kind run in part, so that all tests take minutes: one in `SHARE`, from day to day others. `SHARE=1` runs them all, and
 * `SHARE_FROM` runs those of another day again.
 */
const DAY_MS = 86_400_000;
const { SHARE = '4', SHARE_FROM = String(Math.floor(Date.now() / DAY_MS)) } = process.env;
const every = Number(SHARE);
const from = Number(SHARE_FROM) % every;

/** Those of the checks that run today, at least one. */
export const shareOf = <T>(checks: readonly T[]): T[] =>
  checks.filter((_, i) => i % Math.min(every, checks.length) === from % Math.min(every, checks.length));

/** What a run prints before its first test. */
export const SHARE_TEXT =
  every === 1
    ? 'Long lists of checks run in full'
    : `Long lists of checks: one in ${every}, SHARE_FROM=${from}; SHARE=1 runs all`;
