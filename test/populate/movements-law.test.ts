/** Movements after any history of forks, reloads and parts that are written in between are those of a clean load, and add up to the node's balances. */
import { expect } from 'chai';
import { KINDS } from '../../src/chain/money/kinds.js';
import { networkOf } from '../../src/chain/networks.js';
import { startDevnode } from '../../devtools/devnode/start.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { verifyProjections } from '../../src/populate/verify-projections.js';
import type { ReportedDifference } from '../../src/populate/verify-projections.js';
import type { Database } from '../../src/store/connection/database.js';
import { extendLedger } from '../../src/store/projections/ledger-extend.js';
import { movements } from '../../src/store/projections/movements.js';
import { nodeAt, syncContext, syncFully } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { EDGE_BITS, changeChain, choices } from '../support/histories.js';
import { movementDump, writeMovements } from '../support/ledger-rows.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { emptyCopy } from '../support/roles.js';

const { SEED = '1', HISTORIES = '1' } = process.env;
const RULES = { delay: 5, treasury: null };

describe('movements after any history', () => {
  let server: TestDatabase;
  before(async () => {
    server = await testDatabase();
  });
  after(async () => {
    await server.drop();
  });

  async function differing(database: Database): Promise<string[]> {
    const found: string[] = [];
    const tables = movements.tables.map(({ name }) => name);
    const onDifference = (one: ReportedDifference): void => {
      if (tables.includes(one.table)) found.push(JSON.stringify(one));
    };
    await verifyProjections({ database, onDifference });
    return found;
  }

  /** Accounts whose balance at the opening of a height is not what it was at the beginning, plus all movements since. */
  async function wrongAccounts(database: Database, url: string, height: number): Promise<string[]> {
    const { rows } = await database.query<{ id: string; balance: string; is_paid: boolean }>({
      name: 'test.balances-at',
      text: `
        SELECT a.id, m.balance, EXISTS (
          SELECT FROM movements WHERE account = a.key AND kind IN (${KINDS.reward.code}, ${KINDS.treasury.code})
        ) AS is_paid
        FROM ledger_ids AS a CROSS JOIN LATERAL (
          SELECT balance FROM movements WHERE account = a.key AND position <= $1::bigint << 33
          ORDER BY position DESC, index DESC LIMIT 1
        ) AS m`,
      values: [height],
    });
    const balanceAt = async (id: string, at: number): Promise<bigint> => {
      const answer = await fetch(`${url}/v3/accounts/${id}/height/${at}`);
      return BigInt(/"balance":(\d+)/.exec(await answer.text())?.[1] ?? 0);
    };
    const wrong: string[] = [];
    for (const { id, balance, is_paid: isPaid } of rows) {
      const difference = (await balanceAt(id, height)) - (await balanceAt(id, 0)) - BigInt(balance);
      if (difference !== 0n) wrong.push(`${isPaid ? 'paid ' : ''}${id} ${difference}`);
    }
    return wrong;
  }

  it('add up to the balances of the simulated node, rewards included', async () => {
    const devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: {
        generate: {
          seed: 'movements',
          generations: 215,
          txsPerGeneration: 6,
          microBlocksPerGeneration: 2,
          accounts: 12,
        },
      },
    });
    const node = nodeAt(devnode.externalUrl, { retries: [], proof: 'hashes' });
    const database = await emptyCopy(server.url, 'generated');
    try {
      await syncFully(syncContext(database, node));
      await decodeAll(database, node);
      await writeMovements(database, 'ae_history', { ...RULES, delay: 180 });
      for (const height of [1, 60, 181, 182, 200, 214])
        expect(await wrongAccounts(database, devnode.externalUrl, height), `height ${height}`).to.deep.equal([]);
      const { rows } = await database.query<{ kind: number }>({
        name: 'test.kinds',
        text: 'SELECT DISTINCT kind FROM movements',
      });
      expect(rows.map(({ kind }) => kind)).to.include.members([KINDS.reward.code, KINDS.bid.code, KINDS.gas.code]);
    } finally {
      await database.close();
      node.close();
      await devnode.close();
    }
  });

  for (let seed = Number(SEED); seed < Number(SEED) + Number(HISTORIES); seed += 1) {
    it(`are those of a clean load (SEED=${seed})`, async () => {
      const random = choices(seed);
      const devnode = await startDevnode({
        external: '127.0.0.1:0',
        source: {
          generate: {
            ...{ seed: `movements ${seed}`, generations: random.int(5, 12), txsPerGeneration: random.int(5, 25) },
            ...{ microBlocksPerGeneration: 3, accounts: random.int(3, 12), edgeBits: EDGE_BITS },
          },
        },
      });
      const node = nodeAt(devnode.externalUrl, { retries: [] });
      const network = networkOf('ae_history', { powEdgeBits: EDGE_BITS, powIntervalMs: undefined });
      const steps: string[] = [];
      const [database, clean] = await Promise.all(
        ['lived', 'clean'].map((name) => emptyCopy(server.url, `${name}_${seed}`)),
      );
      try {
        const context = syncContext(database!, node, { network });
        for (let step = 0; step < 12; step += 1) {
          steps.push(await changeChain(devnode, random, false));
          await syncFully(context);
          if (random.chance(0.6)) await decodeAll(database!, node);
          if (random.chance(0.3)) await writeMovements(database!, 'ae_history', RULES);
          else if (random.chance(0.5)) await database!.transaction(extendLedger);
          if (random.chance(0.3)) {
            const from = random.int(0, devnode.height());
            const heights = [{ from, to: Math.min(devnode.height(), from + random.int(0, 3)) }];
            await replaceHeights({ database: database!, node, heights });
            steps.push(`heights ${from}`);
          }
          expect(await differing(database!), steps.join(', ')).to.deep.equal([]);
        }
        for (const one of [database!, clean!]) {
          await syncFully(syncContext(one, node, { network }));
          await decodeAll(one, node);
          await writeMovements(one, 'ae_history', RULES);
          expect(await differing(one), steps.join(', ')).to.deep.equal([]);
        }
        const dump = await movementDump(clean!);
        expect(dump['movements']).to.have.length.above(100);
        expect(await movementDump(database!), steps.join(', ')).to.deep.equal(dump);
        // The simulated node pays rewards after 180 key blocks only.
        const wrong = await wrongAccounts(clean!, devnode.externalUrl, devnode.height());
        expect(wrong.filter((one) => !one.startsWith('paid '))).to.deep.equal([]);
      } finally {
        await database!.close();
        await clean!.close();
        node.close();
        await devnode.close();
      }
    });
  }
});
