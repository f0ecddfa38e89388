import { expect } from 'chai';
import type { TestApi } from './api.js';
import type { replayServer } from './replay-server.js';

/** Paths that are answered from the copy. */
export const CACHED =
  /^\/v2\/(generations\/current|generations\/height\/\d+|key-blocks\/current\/height|key-blocks\/(hash|height)\/[^/]+|micro-blocks\/hash\/[^/]+\/(header|transactions|transactions\/count)|transactions\/[^/]+)$/;

/**
 * Requests all recorded answers and fails at the first one that is served otherwise than the node answered. `askedFor`: requests to the node for a
 * path that is answered from the copy. Returns the number of such paths.
 */
export async function expectAsRecorded(
  api: TestApi,
  node: Awaited<ReturnType<typeof replayServer>>,
  answers: readonly (readonly [request: string, answer: { status: number; body: string }])[],
  askedFor: (path: string) => number = () => 0,
): Promise<number> {
  let cached = 0;
  for (const [request, { status, body }] of answers) {
    const path = request.slice('GET '.length);
    node.asked.length = 0;
    const answer = await api.get(path);
    if (answer.status !== status || answer.body !== body)
      expect.fail(`${path}: ${answer.status} ${answer.body}\nnode: ${status} ${body}`);
    if (!CACHED.test(path)) continue;
    cached++;
    expect(node.asked, path).to.have.length(askedFor(path));
  }
  return cached;
}
