import { expect } from 'chai';
import type { Consensus } from '../../src/chain/protocol/generations.js';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { readHead } from '../../src/store/chain-state.js';
import type { Database } from '../../src/store/connection/database.js';
import { nodeAt, syncContext, syncFully } from './copy.js';
import { TOKENS, choices, nothingPauses } from './histories.js';
import { chainDump } from './populating.js';
import { eventually, startPopulator } from './populator.js';
import { decodeAll, nothingWaits } from './decoding.js';
import { logicalDump } from './dump.js';
import { differencesIn } from './filled.js';
import { testDatabase } from './postgres.js';
import type { TestDatabase } from './postgres.js';
import { asRole, emptyCopy } from './roles.js';
import { GIVE_UP_MS } from './patience.js';

interface CrashLaw {
  kills: number;
  generations: number;
  consensus?: Consensus;
  /** The chain has tokens, and what a node tells later is compared, too. */
  hasTokens?: boolean;
}

/** Tables that follow from what a node told later. */
const OF_TOKENS = [
  ...['contract_logs', 'tokens', 'token_balances', 'token_owners', 'token_metadata', 'token_allowances'],
  'returned_contracts',
];

/** A populator that is killed with -9 at random moments, while it loads and follows, does not lose or duplicate anything. */
export function crashLaw({ kills, generations, consensus = 'pow', hasTokens = false }: CrashLaw): void {
  describe(`the crash law, over ${kills} kills (${consensus}${hasTokens ? ', with tokens' : ''})`, function () {
    this.timeout((1 + kills) * GIVE_UP_MS);
    let server: TestDatabase;
    let database: Database;
    let devnode: Devnode;

    before(async () => {
      server = await testDatabase();
      database = await emptyCopy(server.url);
      devnode = await startDevnode({
        external: '127.0.0.1:0',
        source: { generate: { seed: 'crash', generations, consensus, ...(hasTokens && TOKENS) } },
      });
    });

    after(async () => {
      await devnode.close();
      await database.close();
      await server.drop();
    });

    const writes = async (): Promise<{ epoch: number; height: number; transactions: number }> => {
      const { rows } = await database.query<{ epoch: string; height: string | null; transactions: string | null }>({
        name: 'test.writes',
        text: `
          SELECT epoch, g.height, g.tx_total AS transactions FROM writer
          LEFT JOIN (SELECT height, tx_total FROM generations ORDER BY height DESC LIMIT 1) g ON true`,
      });
      const row = rows[0]!;
      return {
        epoch: Number(row.epoch),
        height: Number(row.height ?? -1),
        transactions: Number(row.transactions ?? 0),
      };
    };

    it('loads on after each, and ends with the database of a clean load', async () => {
      const random = choices(7);
      const env = { NODE_URL: devnode.externalUrl, DATABASE_URL: asRole(server.url, 'populate'), LOG_LEVEL: 'warn' };
      for (let kill = 0; kill < kills; kill++) {
        const before = await writes();
        // When everything is loaded, the chain grows and forks, and the populator follows it.
        if (before.height >= devnode.height() - 5) {
          await devnode.grow(random.int(5, 40));
          if (random.chance(0.3)) await devnode.fork({ depth: random.int(1, 5), grow: 6 });
        }
        const populator = startPopulator(env);
        await eventually(writes, ({ epoch }) => epoch > before.epoch);
        const step = random.int(0, 3);
        if (step > 0)
          await eventually(
            writes,
            ({ height, transactions }) => height !== before.height || transactions !== before.transactions,
          );
        await new Promise((resolve) => setTimeout(resolve, random.int(0, 120)));
        await populator.end('SIGKILL');
      }
      const last = startPopulator(env);
      await eventually(
        () => readHead(database),
        (tip) => tip?.height === devnode.height(),
      );
      if (hasTokens) {
        await nothingPauses(database);
        await eventually(
          () => nothingWaits(database),
          (nothing) => nothing,
        );
      }
      await last.end();

      const node = nodeAt(devnode.externalUrl);
      const clean = await emptyCopy(server.url, 'clean');
      await syncFully(syncContext(clean, node));
      if (hasTokens) await decodeAll(clean, node);
      const [lived, fresh] = [await chainDump(database), await chainDump(clean)];
      if (hasTokens) {
        const [all, those] = [await logicalDump(database), await logicalDump(clean)];
        for (const table of OF_TOKENS) expect(all[table], table).to.deep.equal(those[table]);
        expect(those['token_balances']).to.have.length.above(kills);
        expect(await differencesIn(database)).to.deep.equal([]);
      }
      node.close();
      await clean.close();
      for (const [table, rows] of Object.entries(fresh)) expect(lived[table], table).to.deep.equal(rows);
    });
  });
}
