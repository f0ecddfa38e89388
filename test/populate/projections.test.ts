/** A derived table that is in the list of projections is verified, mended and compared like all others, without a line for it elsewhere. */
import { expect } from 'chai';
import type { ChainNode } from '../../src/node/client.js';
import { createMetrics } from '../../src/observe/metrics.js';
import { verifyInBackground } from '../../src/populate/background.js';
import { keyPosition } from '../../src/chain/position.js';
import { verifyProjections } from '../../src/populate/verify-projections.js';
import type { Database } from '../../src/store/connection/database.js';
import { truncate } from '../../src/store/write/truncate.js';
import { NO_WORK, silent, syncContext, syncFully } from '../support/copy.js';
import { logicalDump } from '../support/dump.js';
import { liveThrough } from '../support/histories.js';
import { MIGRATION, addLogsByTopic } from '../support/logs-by-topic.js';
import type { Fault } from '../support/logs-by-topic.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

/** Of the history. What is removed in it depends on when a sync is killed. */
const SEED = 23;

/** A node that tells the call information of calls with their block. */
const withInfos = (node: ChainNode): ChainNode => ({
  ...node,
  async microBlock(...asked) {
    const block = await node.microBlock(...asked);
    for (const transaction of block?.transactions ?? [])
      if (transaction.type === 'ContractCallTx') transaction.info = await node.info(transaction.hash);
    return block;
  },
});

describe('a derived table in the list of projections', () => {
  let server: TestDatabase;
  let fault: Fault | undefined;
  let takeOut: () => void;
  before(async () => {
    server = await testDatabase();
    takeOut = addLogsByTopic(() => fault);
  });
  after(async () => {
    takeOut();
    await server.drop();
  });

  /** Tables that `-v` finds to differ. */
  async function differing(database: Database): Promise<string[]> {
    const found = new Set<string>();
    await verifyProjections({ database, onDifference: ({ table }) => found.add(table) });
    return [...found];
  }

  /** Number of rows that the verification in the background has mended and left. */
  async function verifiedInBackground(database: Database, node: ChainNode): Promise<Record<string, number>> {
    const metrics = createMetrics();
    const stopping = new AbortController();
    const fence = (): Promise<void> => Promise.resolve();
    const common = { database, node, logger: silent, metrics, signal: stopping.signal, fence, mayWork: () => true };
    const working = verifyInBackground({ ...common, share: 95, work: NO_WORK, acceptUnknownProtocol: true });
    await eventually(
      () => differing(database),
      (tables) => tables.length === 0,
    ).finally(() => stopping.abort());
    await working;
    const { values } = await metrics.differences.get();
    return Object.fromEntries(values.map(({ labels, value }) => [String(labels['outcome']), value]));
  }

  it('has rows after any history, and differs in nothing', async () => {
    fault = undefined;
    const { lived, clean } = await liveThrough(server.url, SEED, {
      around: withInfos,
      migration: MIGRATION,
      lived: async (database) => {
        expect(await differing(database)).to.deep.equal([]);
      },
    });
    expect(lived['logs_by_topic']).to.not.deep.equal([]);
    expect(lived).to.deep.equal(clean);
  });

  const FAULTS: Fault[] = ['a row is lost', 'a row is doubled', 'a value is changed', 'undo is forgotten'];
  for (const wrong of FAULTS) {
    it(`is seen by -v, by the law of forks and in the background, which mends it, if ${wrong}`, async () => {
      fault = wrong;
      let found: string[] = [];
      let lived: Record<string, string[]> = {};
      let mended: Record<string, string[]> | undefined;
      const { clean } = await liveThrough(server.url, SEED, {
        around: withInfos,
        migration: MIGRATION,
        lived: async (database, node) => {
          // A reorg of the history may remove no logs, or before a killed sync has stored them. This one removes some for certain.
          await database.transaction((tx) => truncate(tx, keyPosition(1)));
          await syncFully(syncContext(database, withInfos(node)));
          fault = undefined;
          lived = await logicalDump(database);
          found = await differing(database);
          const outcomes = await verifiedInBackground(database, node);
          expect(outcomes['mended']).to.be.above(0);
          expect(outcomes['left'] ?? 0).to.equal(0);
          mended = await logicalDump(database);
        },
      });
      const differ = Object.keys(clean).filter((table) => String(lived[table]) !== String(clean[table]));
      expect(differ).to.deep.equal(found);
      expect(found).to.deep.equal(['logs_by_topic']);
      expect(mended).to.deep.equal(clean);
    });
  }
});
