/**
 * How long a test waits for something that must come, ms: longer than any machine needs, so that only what has stopped exceeds it. Multiplied
 * by `TEST_PATIENCE`.
 */
export const GIVE_UP_MS = 300_000 * Number(process.env.TEST_PATIENCE ?? 1);
