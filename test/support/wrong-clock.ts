const PROGRAM = new URL('wrong-clock.mjs', import.meta.url).href;

/** Environment of a process whose clock is wrong by `ms`. SIGUSR2 makes it wrong by the same amount in the other direction. */
export const wrongClock = (ms: number): Record<string, string> => ({
  NODE_OPTIONS: `--import ${PROGRAM}`,
  CLOCK_SHIFT_MS: String(ms),
});
