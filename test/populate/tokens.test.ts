import { expect } from 'chai';
import { decodeId } from '../../src/chain/encoding/encoding.js';
import { keyPosition } from '../../src/chain/position.js';
import { replaceHeights } from '../../src/populate/heights.js';
import type { Database } from '../../src/store/connection/database.js';
import { truncate } from '../../src/store/write/truncate.js';
import { syncContext, syncFully } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { logicalDump } from '../support/dump.js';
import { differencesIn, fillAll } from '../support/filled.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { LIARS, recordedTokens, tokenStates } from '../support/recorded-tokens.js';
import type { TokenState } from '../support/recorded-tokens.js';
import { emptyCopy, tamper } from '../support/roles.js';

const OF = 'realnode-tokens';

/** A token that a meta transaction created; nothing else is recorded of it. */
const IN_META = 'ct_21vXJ9QNRak7W6GobXot2EDiLBjBa5iTL5FJEFwD6HQPAGB6fx';

const word = (account: string): string => String(BigInt(`0x${Buffer.from(decodeId(account, 'ak')).toString('hex')}`));

/** The states of the tokens after the last block below a height. */
const statesBelow = (height: number): TokenState[] => [
  ...new Map(tokenStates.filter((state) => state.height < height).map((state) => [state.token, state])).values(),
];

/** The events of a token tell its balances, from those of its creation on. */
const isKnownByEvents = ({ label }: TokenState): boolean => !LIARS.includes(label);

describe('stored tokens', () => {
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

  async function expectStates(states: readonly TokenState[]): Promise<void> {
    for (const state of states.filter(isKnownByEvents)) {
      const { rows } = await database.query<{ id: string; value: string }>({
        name: 'test.held',
        text: `
          SELECT account::text AS id, amount::text AS value FROM token_balances WHERE contract_id = $1 AND amount <> 0 AND $2::boolean
          UNION ALL SELECT token_id::text, owner::text FROM token_owners WHERE contract_id = $1 AND owner IS NOT NULL`,
        values: [state.token, state.balances !== undefined],
      });
      const expected = state.balances
        ? Object.entries(state.balances).flatMap(([id, amount]) => (amount === '0' ? [] : [[word(id), amount]]))
        : Object.entries(state.owners!).map(([id, owner]) => [id, word(owner)]);
      expect(
        Object.fromEntries(rows.map(({ id, value }) => [id, value])),
        `${state.label} ${state.height}`,
      ).to.deep.equal(Object.fromEntries(expected));
    }
  }

  it('are those of the recording, also those that contracts created, and -v finds them right', async () => {
    const { rows } = await database.query<{ id: string; kind: number }>({
      name: 'test.tokens',
      text: `
        SELECT contract_id AS id, kind FROM tokens AS t
        WHERE kind > 0 AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed)`,
    });
    const kinds = Object.entries(recordedTokens).flatMap(([id, token]) =>
      token.aex9_extensions ? [[id, 9]] : token.aex141_extensions ? [[id, 141]] : [],
    );
    const found = Object.fromEntries(rows.map(({ id, kind }) => [id, kind]));
    expect(found).to.deep.equal({ ...Object.fromEntries(kinds), [IN_META]: 9 });
    await expectStates(statesBelow(1_000));
    expect(await differencesIn(database)).to.deep.equal([]);
  });

  it('go with their blocks and come again with them, at each height where a state is recorded', async () => {
    const heights = [...new Set(tokenStates.map(({ height }) => height))].reverse();
    for (const height of heights) {
      await database.transaction((tx) => truncate(tx, keyPosition(height)));
      await expectStates(statesBelow(height));
      const differing = (await differencesIn(database)).filter(({ table }) => table.startsWith('token'));
      expect(differing, `${height}`).to.deep.equal([]);
    }
    for (const height of [20, 28, 29, 31]) {
      await syncFully(syncContext(database, recordedNode(height, OF)));
      await decodeAll(database, node);
      await expectStates(statesBelow(height + 1));
    }
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
    expect(await logicalDump(database)).to.deep.equal(whole);
  });

  it('are the same after heights were loaded again, and wrong ones are mended', async () => {
    await tamper(database, [
      'UPDATE token_balances SET amount = amount + 1 WHERE events > 3',
      'DELETE FROM token_owners WHERE token_id = 1',
      'DELETE FROM tokens WHERE NOT created',
      'UPDATE tokens SET kind = 141 WHERE created AND position < (SELECT min(position) + 10000000000 FROM tokens)',
    ]);
    expect(await differencesIn(database)).to.have.length.above(4);
    const { failed } = await replaceHeights({ database, node, heights: [{ from: 0, to: 703 }] });
    expect(failed).to.deep.equal([]);
    await decodeAll(database, node);
    expect(await logicalDump(database)).to.deep.equal(whole);
    expect(await differencesIn(database)).to.deep.equal([]);
  });

  it('come into a copy of an earlier version from what is stored', async () => {
    await tamper(database, [
      'DELETE FROM tokens',
      'DELETE FROM token_balances',
      'DELETE FROM token_owners',
      `INSERT INTO backfills (projection, position) VALUES ('tokens', -1)`,
    ]);
    expect(await differencesIn(database)).to.deep.equal([]);
    await fillAll(database);
    await decodeAll(database, node);
    expect(await logicalDump(database)).to.deep.equal(whole);
    expect(await differencesIn(database)).to.deep.equal([]);
  });
});
