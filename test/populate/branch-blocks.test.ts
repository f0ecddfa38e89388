import { expect } from 'chai';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import type { Database } from '../../src/store/connection/database.js';
import { nodeAt, syncContext, syncFully, syncRound } from '../support/copy.js';
import { emptyCopy } from '../support/roles.js';
import { chainDump, cleanDump } from '../support/populating.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

const DEPTH = 12;

describe('the branch of a reorg', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  before(async () => {
    server = await testDatabase();
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'branch', generations: 20, txsPerGeneration: 5 } },
    });
  });
  after(async () => {
    await devnode.close();
    await server.drop();
  });

  for (const [what, transactions, isStaged] of [
    ['is not staged when it is no larger than what is fetched ahead', 5_000, false],
    ['is staged when it is larger', 20, true],
  ] as const) {
    it(what, async () => {
      const schema = isStaged ? 'large' : 'small';
      const plain = await emptyCopy(server.url, schema);
      const node = nodeAt(devnode.externalUrl);
      const targets: string[] = [];
      const database: Database = {
        ...plain,
        transaction: (work) =>
          plain.transaction((tx) =>
            work({
              ...tx,
              copy(target, chunks) {
                targets.push(target);
                return tx.copy(target, chunks);
              },
            }),
          ),
      };
      const window = { generations: 32, transactions, characters: 10_000_000 };
      const context = syncContext(database, node, {
        window,
        batch: { blocks: 8, transactions: 500, characters: 1_000_000 },
      });
      await syncFully(context);
      await devnode.fork({ depth: DEPTH, grow: DEPTH + 1, txsPerGeneration: 5 });
      targets.length = 0;

      expect(await syncRound(context)).to.include({ state: 'ok', changed: true });

      node.close();
      const staged = targets.filter((target) => target.startsWith('staged_blocks'));
      expect(staged.length > 0).to.equal(isStaged);
      expect(await chainDump(plain)).to.deep.equal(await cleanDump(server, `clean_${schema}`, devnode.externalUrl));
      await plain.close();
    });
  }
});
