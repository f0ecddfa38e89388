import { expect } from 'chai';
import type { Database } from '../../src/store/connection/database.js';
import { testApi } from './api.js';
import type { TestApi } from './api.js';
import { syncContext, syncFully } from './copy.js';
import { testDatabase } from './postgres.js';
import { recordedNode } from './recorded-node.js';
import type { Recording } from './recording.js';
import { replayServer } from './replay-server.js';
import { emptyCopy } from './roles.js';

type ReplayServer = Awaited<ReturnType<typeof replayServer>>;

/** A server over the copy of a recorded chain, with a node that answers as recorded. */
export async function servedRecording(
  of: Recording,
): Promise<{ database: Database; node: ReplayServer; api: TestApi; close: () => Promise<void> }> {
  const server = await testDatabase();
  const database = await emptyCopy(server.url);
  await syncFully(syncContext(database, recordedNode(undefined, of)));
  const node = await replayServer(of);
  const api = await testApi(database, { nodeUrls: [node.url] });
  return {
    ...{ database, node, api },
    async close() {
      await api.close();
      await node.close();
      await database.close();
      await server.drop();
    },
  };
}

/** Paths that are answered from the copy. */
export const CACHED =
  /^\/v2\/(generations\/current|generations\/height\/\d+|key-blocks\/current\/height|key-blocks\/(hash|height)\/[^/]+|micro-blocks\/hash\/[^/]+\/(header|transactions|transactions\/count)|transactions\/[^/]+)$/;

/**
 * Requests all recorded answers and fails at the first one that is served otherwise than the node answered. `askedFor`: requests to the node for a
 * path that is answered from the copy. Returns the number of such paths.
 */
export async function expectAsRecorded(
  api: TestApi,
  node: ReplayServer,
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
