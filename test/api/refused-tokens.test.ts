import { expect } from 'chai';
import type { Database } from '../../src/store/connection/database.js';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { syncContext, syncFully } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { recordedTokens } from '../support/recorded-tokens.js';
import { emptyCopy, tamper } from '../support/roles.js';

const OF = 'realnode-tokens';
const PATH = '/middleware/tokens/refused';

interface Refused {
  contract_id: string;
  standard: string | null;
  missing: string[];
  different: string[];
}

describe('contracts that look like tokens', () => {
  let server: TestDatabase;
  let database: Database;
  let api: TestApi;
  const node = recordedNode(undefined, OF);
  const looks = Object.entries(recordedTokens).find(([, { label }]) => label === 'looks')![0];

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
    api = await testApi(database);
  });
  after(async () => {
    await api.close();
    await database.close();
    await server.drop();
  });

  const read = async (path: string): Promise<Refused[]> => (await api.json(path)) as Refused[];

  it('are listed with what their code lacks; tokens are not', async () => {
    const all = await read(PATH);
    expect(all.map(({ contract_id: id }) => id)).to.deep.equal([looks]);
    const [one] = all;
    expect(one!.standard).to.equal('aex9');
    expect(one!.missing).to.include.members(['balances', 'total_supply', 'aex9_extensions']);
    const tokens = Object.entries(recordedTokens).filter(
      ([, token]) => token.aex9_extensions ?? token.aex141_extensions,
    );
    expect(tokens.map(([id]) => id)).not.to.include(looks);
    expect(await read(`${PATH}?cursor=${looks}`)).to.deep.equal([]);
  });

  it('are listed where a contract created them, by the code that a node told', async () => {
    // The code of a token, whose kind a node told to be none.
    await tamper(database, [
      `UPDATE tokens SET kind = 0 WHERE NOT created AND kind = 9 AND EXISTS (
        SELECT FROM contract_codes AS o WHERE o.contract_id = tokens.contract_id AND o.code IS NOT NULL)`,
    ]);
    const all = await read(PATH);
    expect(all).to.have.length.above(1);
    const ids = all.map(({ contract_id: id }) => id);
    expect(ids).to.deep.equal([...ids].sort());
  });
});
