import { expect } from 'chai';
import { keyPosition } from '../../src/chain/position.js';
import { replaceHeights } from '../../src/populate/heights.js';
import type { Database } from '../../src/store/connection/database.js';
import { statusFacts } from '../../src/store/queries/status.js';
import { saveAnswers } from '../../src/store/write/answers.js';
import { truncate } from '../../src/store/write/truncate.js';
import { syncContext, syncFully } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { logicalDump } from '../support/dump.js';
import { differencesIn, fillAll } from '../support/filled.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedLogs } from '../support/recorded-logs.js';
import { recordedNode } from '../support/recorded-node.js';
import { emptyCopy, tamper } from '../support/roles.js';

const OF = 'realnode-tokens';

describe('stored logs of contracts', () => {
  let server: TestDatabase;
  let database: Database;
  let whole: Record<string, string[]>;
  const node = recordedNode(undefined, OF);

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
    whole = await logicalDump(database);
  });
  after(async () => {
    await database.close();
    await server.drop();
  });

  it('are those of the recording, and -v finds them right', async () => {
    expect(whole['contract_logs']).to.have.length(recordedLogs(OF).length);
    expect(await differencesIn(database)).to.deep.equal([]);
  });

  it('go with their blocks and come again with them', async () => {
    await database.transaction((tx) => truncate(tx, keyPosition(100)));
    const below = recordedLogs(OF).filter(({ block_height: height }) => height < 100);
    expect((await logicalDump(database))['contract_logs']).to.have.length(below.length);
    await syncFully(syncContext(database, node));
    expect(await differencesIn(database)).to.deep.equal([]);
    await decodeAll(database, node);
    expect(await logicalDump(database)).to.deep.equal(whole);
  });

  it('are the same after heights were loaded again, and wrong ones are mended by that', async () => {
    await tamper(database, [
      'UPDATE contract_logs SET topics[2] = 7 WHERE position = (SELECT min(position) FROM contract_logs)',
      'DELETE FROM contract_logs WHERE position = (SELECT max(position) FROM contract_logs)',
      `INSERT INTO contract_logs SELECT position, 90, contract_id, NULL, topics, data FROM contract_logs ORDER BY position LIMIT 1`,
    ]);
    expect(await differencesIn(database)).to.have.length.above(2);
    const { failed } = await replaceHeights({ database, node, heights: [{ from: 10, to: 200 }] });
    expect(failed).to.deep.equal([]);
    await decodeAll(database, node);
    expect(await logicalDump(database)).to.deep.equal(whole);
    expect(await differencesIn(database)).to.deep.equal([]);
  });

  it('stay as they are if the answer about a transaction comes when another one is stored at its position', async () => {
    const { rows } = await database.query<{ position: string }>({
      name: 'test.with-logs',
      text: 'SELECT DISTINCT position FROM contract_logs ORDER BY position LIMIT 3',
    });
    const answers = rows.map(({ position }) => ({
      position: BigInt(position),
      hash: 'th_of_a_removed_block',
      info: '{}',
      logs: [],
      outcome: null,
    }));
    expect(answers).to.have.length(3);
    await database.transaction((tx) => saveAnswers(tx, answers));
    expect(await logicalDump(database)).to.deep.equal(whole);
  });

  it('come into a copy of an earlier version from what is stored, in parts, and -v finds no difference meanwhile', async () => {
    // That version stored the call information of calls and of what a contract authenticates.
    await tamper(database, [
      'DELETE FROM contract_logs',
      'DELETE FROM due_infos',
      `DELETE FROM infos AS i USING contracts AS c, transactions AS t
      WHERE i.position = c.position AND t.position = c.position AND t.body NOT LIKE '%GAMetaTx%'`,
      `INSERT INTO backfills (projection, position) VALUES ('contract-logs', -1)`,
    ]);
    expect(await differencesIn(database)).to.deep.equal([]);
    expect((await statusFacts(database)).row?.backfills).to.deep.equal({ 'contract-logs': -1 });
    await tamper(database, `UPDATE backfills SET position = ${keyPosition(60)}`);
    expect(await differencesIn(database)).to.not.deep.equal([]);
    await tamper(database, `UPDATE backfills SET position = -1`);
    await fillAll(database);
    expect((await statusFacts(database)).row?.backfills).to.equal(null);
    expect(await differencesIn(database)).to.deep.equal([]);
    await decodeAll(database, node);
    expect(await logicalDump(database)).to.deep.equal(whole);
  });
});
