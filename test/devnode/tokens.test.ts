import { expect } from 'chai';
import { tokenKind } from '../../src/chain/tokens/standard.js';
import { createSimulatedChain } from '../../devtools/devnode/chain.js';
import { SCRIPTS } from '../../devtools/devnode/generate/tokens.js';
import { createChainStore } from '../../devtools/devnode/store/chain-store.js';
import { closeDevnodes, generated } from '../support/devnode.js';
import { nodeAt, syncContext, syncFully } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { differencesIn } from '../support/filled.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { emptyCopy } from '../support/roles.js';

const NEWEST = [{ version: 6, effective_at_height: 0 }];
const tokens = { share: 0.7, creations: 0.1 };

describe('simulated tokens', () => {
  let server: TestDatabase;
  before(async () => (server = await testDatabase()));
  after(async () => {
    await closeDevnodes();
    await server.drop();
  });

  it('are recognised by the code of each script', () => {
    for (const { kind, code, isToken } of SCRIPTS) expect(tokenKind(code)).to.equal(isToken ? kind : null);
    expect(new Set(SCRIPTS.map(({ code }) => code)).size).to.equal(SCRIPTS.length);
  });

  it('tell by dry runs what their events say, after forks too, and those with silent moves are found', async () => {
    const options = { tokens: { ...tokens, silent: true, allowances: true }, protocols: NEWEST, generations: 20 };
    const devnode = await generated(options);
    await devnode.fork({ depth: 6, grow: 8, retainTxs: 'some' });
    await devnode.microFork({ drop: 1, keep: 'some', next: 'micro-block' });
    const database = await emptyCopy(server.url);
    const node = nodeAt(devnode.externalUrl);
    try {
      await syncFully(syncContext(database, node));
      await decodeAll(database, node);
      const { rows } = await database.query<{ kind: number; invalid: string | null; meta_state: string }>({
        name: 'test.tokens',
        text: `
          SELECT t.kind, t.invalid, t.meta_state FROM tokens AS t
          WHERE NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed) AND t.kind > 0`,
      });
      expect(rows).to.have.length.above(10);
      expect(rows.map(({ kind }) => kind)).to.include.members([9, 141]);
      for (const { meta_state } of rows) expect(meta_state).to.equal('ok');
      expect(rows.filter(({ invalid }) => invalid !== null)).to.have.length.above(0);
      expect(rows.filter(({ invalid }) => invalid === null)).to.have.length.above(5);
      const { rows: singles } = await database.query<{ token_id: string; metadata: string | null }>({
        name: 'test.metadata',
        text: `
          SELECT m.token_id::text AS token_id, m.metadata FROM token_owners AS o
          JOIN token_metadata AS m ON m.contract_id = o.contract_id AND m.token_id = o.token_id AND m.state = 'ok'
          WHERE o.owner IS NOT NULL`,
      });
      expect(singles).to.have.length.above(5);
      for (const { token_id: id, metadata } of singles)
        expect(JSON.parse(metadata!)).to.deep.equal(
          BigInt(id) % 2n === 0n ? `https://pictures.invalid/${id}` : { name: `Picture ${id}` },
        );
      const { rows: allowances } = await database.query<{ states: string[]; as_events: boolean; halves: boolean }>({
        name: 'test.allowances',
        text: `
          SELECT array_agg(DISTINCT state) AS states, bool_and(told = amount) AS as_events, bool_and(told = div(amount, 2)) AS halves
          FROM token_allowances GROUP BY contract_id HAVING sum(amount) > 0`,
      });
      expect(allowances).to.deep.include({ states: ['ok'], as_events: true, halves: false });
      expect(allowances).to.deep.include({ states: ['ok'], as_events: false, halves: true });
      expect(allowances).to.deep.include({ states: ['failed'], as_events: null, halves: null });
      expect(allowances.map(({ states }) => states.length)).to.have.members(allowances.map(() => 1));
      expect(await differencesIn(database)).to.deep.equal([]);
    } finally {
      node.close();
      await database.close();
    }
  });

  it('are created and used in one micro block', async () => {
    const store = createChainStore();
    const chain = await createSimulatedChain(
      store,
      { seed: 'one block', generations: 5, accounts: 10, tokens, protocols: NEWEST },
      'ae_dev',
    );
    const created = new Map<string, number>();
    let used = 0;
    for (let block = 0; block < store.blockCount(); block += 1)
      for (const inclusion of store.inclusionsOf(block)) {
        const info = chain.info(store.inclusionText(inclusion).toString());
        const contract = /"contract_id":"(ct_\w+)"/.exec(info ?? '')?.[1];
        if (contract === undefined) continue;
        if (!created.has(contract)) created.set(contract, block);
        else if (created.get(contract) === block && info!.includes('"topics"')) used += 1;
      }
    store.close();
    expect(used).to.be.greaterThan(3);
  });
});
