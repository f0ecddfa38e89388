/** Time for which a node is tried last after it could not be reached or did not answer in time, ms. */
const PAUSE_MS = 5_000;

interface Nodes {
  /** All nodes, those without a recent failure first; otherwise in the order of the settings. */
  inOrder(): string[];
  failed(url: string): void;
  answered(url: string): void;
}

export function createNodes(urls: readonly string[], now: () => number): Nodes {
  const pausedUntil = new Map<string, number>();
  const isPaused = (url: string): boolean => (pausedUntil.get(url) ?? 0) > now();
  return {
    inOrder: () => [...urls.filter((url) => !isPaused(url)), ...urls.filter(isPaused)],
    failed: (url) => void pausedUntil.set(url, now() + PAUSE_MS),
    answered: (url) => void pausedUntil.delete(url),
  };
}
