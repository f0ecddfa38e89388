/** What changed in each generation follows from the recorded chain alone, whatever happened to the copy. */
import { expect } from 'chai';
import { keyPosition } from '../../src/chain/position.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { mendProjections } from '../../src/populate/mend-projections.js';
import type { Database } from '../../src/store/connection/database.js';
import { MEMBERS } from '../../src/store/generation-members.js';
import { generationChanges } from '../../src/store/projections/generation-changes.js';
import { truncate } from '../../src/store/write/truncate.js';
import { modelGenerations } from '../support/compat-generations-model.js';
import { compatModel } from '../support/compat-model.js';
import { syncContext, syncFully } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { logicalDump } from '../support/dump.js';
import { differencesIn, fillAll } from '../support/filled.js';
import { writeMovements } from '../support/ledger-rows.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import type { Recording } from '../support/recording.js';
import { emptyCopy, tamper } from '../support/roles.js';

const AS_BEFORE = [
  'DELETE FROM oracle_lives',
  'DELETE FROM generation_changes',
  `INSERT INTO backfills (projection, position) VALUES ('oracle-lives', 0), ('generation-changes', -1)`,
];

/** Members that follow from transactions alone, and those that the ledger has. */
const COUNTS = [
  ...['auctions_started', 'auctions_ended', 'names_activated', 'names_expired', 'names_revoked'],
  ...['oracles_registered', 'oracles_expired', 'contracts_created', 'channels_opened', 'accounts'],
] as const;
const AMOUNTS = ['locked_in_auctions', 'burned_in_auctions', 'locked_in_channels'] as const;

for (const of of ['realnode', 'realnode-tokens', 'realnode-hyperchain'] as Recording[]) {
  describe(`what changed in each generation of the recording ${of}`, () => {
    let server: TestDatabase;
    let database: Database;
    let whole: Record<string, string[]>;
    const node = recordedNode(undefined, of);
    const model = compatModel(of);

    /** Loads the chain, and what only a node tells: whether contracts were created. */
    const load = async (): Promise<void> => {
      await syncFully(syncContext(database, node));
      await decodeAll(database, node);
    };

    before(async () => {
      server = await testDatabase();
      database = await emptyCopy(server.url);
      await load();
      whole = await dump();
    });
    after(async () => {
      await database.close();
      await server.drop();
    });

    async function dump(): Promise<Record<string, string[]>> {
      const { generation_changes: changes, oracle_lives: lives } = await logicalDump(database);
      return { changes: changes!, lives: lives! };
    }

    /** Stored changes that are not zero, up to a height. */
    async function stored(names: readonly string[], top: number): Promise<Record<string, Record<string, string>>> {
      const { rows } = await database.query<{ height: string; member: number; amount: string }>({
        name: 'test.generation-changes',
        text: 'SELECT height, member, amount FROM generation_changes WHERE span = 0 AND height <= $1 ORDER BY height, member',
        values: [top],
      });
      const found: Record<string, Record<string, string>> = {};
      for (const { height, member, amount } of rows) {
        const name = Object.entries(MEMBERS).find(([, code]) => code === member)![0];
        if (names.includes(name)) (found[height] ??= {})[name] = amount;
      }
      return found;
    }

    function expected(names: readonly string[], top: number): Record<string, Record<string, string>> {
      const found: Record<string, Record<string, string>> = {};
      for (const row of modelGenerations(model, top))
        for (const name of names) {
          const value = BigInt(row[name as 'accounts']);
          if (value !== 0n) (found[row.height] ??= {})[name] = String(value);
        }
      return found;
    }

    async function same(top = model.keyBlocks.at(-1)!.height): Promise<void> {
      expect(await stored(COUNTS, top)).to.deep.equal(expected(COUNTS, top));
      expect(await generationChanges.wholeChecks![0]!(database)).to.deep.equal([]);
    }

    it('is that of the model', async () => {
      await same();
      // Each sum of generations is stored, too, so a total needs few rows.
      const { rows } = await database.query<{ span: number; sum: string }>({
        name: 'test.generation-spans',
        text: 'SELECT span, sum(amount) FROM generation_changes WHERE member < 20 GROUP BY span ORDER BY span',
      });
      expect(rows.map(({ span }) => span)).to.deep.equal([0, 8, 16]);
      expect(new Set(rows.map(({ sum }) => sum)).size).to.equal(1);
    });

    it('goes with removed blocks, and comes again', async () => {
      for (const height of [190, 60, 40, 16, 9].filter((one) => one < model.keyBlocks.length)) {
        await database.transaction((tx) => truncate(tx, keyPosition(height)));
        await same(height - 1);
      }
      await load();
      await same();
      expect(await dump()).to.deep.equal(whole);
    });

    it('stays where heights are loaded again', async () => {
      const { failed } = await replaceHeights({ database, node, heights: [{ from: 5, to: 66 }] });
      expect(failed).to.deep.equal([]);
      await decodeAll(database, node);
      await same();
      expect(await dump()).to.deep.equal(whole);
    });

    it('comes to a copy of the version before in the background, below new blocks, too', async () => {
      await tamper(database, AS_BEFORE);
      expect(await differencesIn(database)).to.deep.equal([]);
      await database.transaction((tx) => truncate(tx, keyPosition(50)));
      await load();
      await fillAll(database);
      await same();
      expect(await differencesIn(database)).to.deep.equal([]);
      expect(await dump()).to.deep.equal(whole);
    });

    it('is found to be wrong by verification, and mended', async () => {
      await tamper(
        database,
        `UPDATE generation_changes SET amount = amount + 1 WHERE span = 8 AND height = 0 AND member = 10;
        DELETE FROM generation_changes WHERE span = 0 AND member = 10
          AND height = (SELECT min(height) FROM generation_changes WHERE span = 0 AND member = 10);
        INSERT INTO generation_changes VALUES (16, 65536, 10, 5)`,
      );
      const found = await generationChanges.wholeChecks![0]!(database);
      expect(found.map(({ key }) => key)).to.have.lengthOf(3);
      expect(await differencesIn(database)).to.have.length.above(0);
      const fence = () => Promise.resolve();
      await mendProjections({ database, fence, signal: new AbortController().signal }, found, []);
      await same();
    });

    it('has the coins that the ledger has, at each height of it', async () => {
      const rewards = of === 'realnode-hyperchain' ? null : { delay: 10, treasury: null };
      const top = model.keyBlocks.at(-1)!.height;
      for (const cut of [undefined, 170, 60]) {
        if (cut !== undefined) await database.transaction((tx) => truncate(tx, keyPosition(cut)));
        const last = cut === undefined ? top : cut - 1;
        await writeMovements(database, 'ae_dev', rewards);
        expect(await stored(AMOUNTS, last)).to.deep.equal(expected(AMOUNTS, last));
        expect(await generationChanges.wholeChecks![0]!(database)).to.deep.equal([]);
        // Each channel that is open is one that was opened and not closed.
        const open = modelGenerations(model, last).reduce(
          (sum, row) => sum + row.channels_opened - row.channels_closed,
          0,
        );
        const changes = Object.values(await stored(['open_channels'], last));
        expect(changes.reduce((sum, { open_channels: change }) => sum + Number(change), 0)).to.equal(open);
      }
      await load();
      await writeMovements(database, 'ae_dev', rewards);
      expect(await stored(AMOUNTS, top)).to.deep.equal(expected(AMOUNTS, top));
    });
  });
}
