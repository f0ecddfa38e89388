import { expect } from 'chai';
import { isObject } from '../../src/chain/encoding/json.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import { channelParties } from '../../src/store/channels.js';
import type { Database } from '../../src/store/connection/database.js';
import { syncContext, syncFully } from '../support/copy.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { emptyCopy } from '../support/roles.js';

describe('the parties of a channel', () => {
  let server: TestDatabase;
  let database: Database;

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url, 'channels');
    await syncFully(syncContext(database, recordedNode()));
  });
  after(async () => {
    await database.close();
    await server.drop();
  });

  it('are those of its creation, also inside a GAMetaTx', async () => {
    const { rows } = await database.query<{ id: string; body: string }>({
      name: 'test.channels',
      text: 'SELECT c.id, t.body FROM channels c JOIN transactions t ON t.position = c.position',
    });
    const wrapped: boolean[] = [];
    for (const { id, body } of rows) {
      const outer = (JSON.parse(body) as { tx: JsonObject }).tx;
      let tx = outer;
      for (let inner: Json | undefined = tx['tx']; isObject(inner); inner = tx['tx']) tx = inner['tx'] as JsonObject;
      wrapped.push(tx !== outer);
      expect(await channelParties(database, id)).to.deep.equal([tx['initiator_id'], tx['responder_id']]);
    }
    expect(wrapped).to.include(false);
    expect(await channelParties(database, 'ch_unknown')).to.equal(undefined);
  });
});
