import type { ServerResponse } from 'node:http';

/**
 * Calls `fn` once, when the answer was sent or its client has left; at once if that has happened before. Returns a function after which
 * `fn` is not called any more.
 */
export function whenClosed(response: ServerResponse, fn: () => void): () => void {
  if (response.destroyed) fn();
  else response.once('close', fn);
  return () => void response.off('close', fn);
}
