const PROGRAM = new URL('wrong-clock.mjs', import.meta.url).href;

/** Variables of a process whose clock is that wrong, ms; SIGUSR2 sets it wrong by as much to the other side. */
export const wrongClock = (ms: number): Record<string, string> => ({
  NODE_OPTIONS: `--import ${PROGRAM}`,
  CLOCK_SHIFT_MS: String(ms),
});
