/** Time for which a node is tried last after it could not be reached or did not answer in time, ms. It doubles with each attempt after it. */
const PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;

interface Nodes {
  /**
   * All nodes, those without a recent failure first; otherwise in the order of the settings. A node whose pause is over comes first only once:
   * that request shows whether it answers, and its pause begins again for all others.
   */
  inOrder(): string[];
  failed(url: string): void;
  answered(url: string): void;
}

interface Pause {
  ms: number;
  until: number;
  /** A request was sent after the pause. */
  isTried: boolean;
}

export function createNodes(urls: readonly string[], now: () => number): Nodes {
  const pauses = new Map<string, Pause>();
  const isPaused = (url: string): boolean => (pauses.get(url)?.until ?? 0) > now();
  return {
    inOrder() {
      const order = [...urls.filter((url) => !isPaused(url)), ...urls.filter(isPaused)];
      const first = pauses.get(order[0] ?? '');
      if (first !== undefined && first.until <= now()) {
        first.until = now() + first.ms;
        first.isTried = true;
      }
      return order;
    },
    failed(url) {
      const last = pauses.get(url);
      // Requests that were sent before the pause say nothing new.
      if (last?.isTried === false) return;
      const ms = last === undefined ? PAUSE_MS : Math.min(last.ms * 2, MAX_PAUSE_MS);
      pauses.set(url, { ms, until: now() + ms, isTried: false });
    },
    answered: (url) => void pauses.delete(url),
  };
}
