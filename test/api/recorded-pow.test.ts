import { expect } from 'chai';
import type { Database } from '../../src/store/connection/database.js';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { expectAsRecorded } from '../support/as-recorded.js';
import { syncContext, syncFully } from '../support/copy.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { recording } from '../support/recording.js';
import { replayServer } from '../support/replay-server.js';
import { emptyCopy } from '../support/roles.js';

/** Paths of the port that is not served. */
const INTERNAL = /\/(debug|node)\b/;

describe('the recorded chain with a proof of work', () => {
  let server: TestDatabase;
  let database: Database;
  let node: Awaited<ReturnType<typeof replayServer>>;
  let api: TestApi;

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await syncFully(syncContext(database, recordedNode()));
    node = await replayServer();
    api = await testApi(database, { nodeUrls: [node.url] });
  });
  after(async () => {
    await api.close();
    await node.close();
    await database.close();
    await server.drop();
  });

  it('is served as the node answered, byte for byte, every recorded request', async () => {
    const answers = [...recording()].filter(([request]) => request.startsWith('GET ') && !INTERNAL.test(request));
    const cached = await expectAsRecorded(api, node, answers);
    // All recorded requests of the served port, and those of them that are answered from the copy.
    expect([answers.length, cached]).to.deep.equal([6_317, 1_904]);
  });
});
