import { expect } from 'chai';
import { keyPosition } from '../../src/chain/position.js';
import type { Database } from '../../src/store/connection/database.js';
import { contractCalls } from '../../src/store/queries/contracts.js';
import { syncContext, syncFully } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { logicalDump } from '../support/dump.js';
import { differencesIn, fillAll } from '../support/filled.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { emptyCopy, tamper } from '../support/roles.js';

describe('stored callers of contracts', () => {
  let server: TestDatabase;
  let database: Database;
  const node = recordedNode(undefined, 'realnode-tokens');

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
  });
  after(async () => {
    await database.close();
    await server.drop();
  });

  /** The lists of calls as they are served. */
  const served = async (): Promise<(string | undefined)[]> => {
    const { rows } = await database.query<{ id: string }>({
      name: 'test.called',
      text: `SELECT DISTINCT contract_id AS id FROM contract_calls WHERE state = 'done' ORDER BY id`,
    });
    const page = { by: 'number', take: 1000, wanted: null, skip: 0n } as const;
    const lists = rows.map(({ id }) => contractCalls(database, id, page));
    return (await Promise.all(lists)).map(({ row }) => row?.body);
  };

  it('are filled in where an earlier version stored the calls, and lists are the same to the byte before, meanwhile and after', async () => {
    const [whole, lists] = [await logicalDump(database), await served()];
    expect(lists).to.not.deep.equal([]);
    await tamper(database, [
      'UPDATE contract_calls SET caller_id = NULL',
      `INSERT INTO backfills (projection, position) VALUES ('contracts', -1)`,
    ]);
    expect(await served()).to.deep.equal(lists);
    expect(await differencesIn(database)).to.deep.equal([]);
    await tamper(database, `UPDATE backfills SET position = ${keyPosition(1_000_000)}`);
    expect(await differencesIn(database)).to.not.deep.equal([]);
    await tamper(database, 'UPDATE backfills SET position = -1');

    await fillAll(database);
    expect(await logicalDump(database)).to.deep.equal(whole);
    expect(await served()).to.deep.equal(lists);
    expect(await differencesIn(database)).to.deep.equal([]);
  });
});
