import { expect } from 'chai';
import { readGeneration } from '../../src/chain/facts.js';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import { transactionsRoot } from '../../src/chain/serialize/txs-root.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { readMicroBlocks } from '../../src/populate/source.js';
import { verifyProjections } from '../../src/populate/verify-projections.js';
import type { ReportedDifference } from '../../src/populate/verify-projections.js';
import { readHead } from '../../src/store/chain-state.js';
import { readProgress } from '../../src/store/proven.js';
import { statusFacts } from '../../src/store/queries/status.js';
import { nodeAt, syncContext, syncFully } from '../support/copy.js';
import { emptyCopy } from '../support/roles.js';
import { closeDevnodes, generated } from '../support/devnode.js';
import { logicalDump } from '../support/dump.js';
import { rejection, reply, startServer } from '../support/http-server.js';
import type { TestServer } from '../support/http-server.js';
import { cleanDump, chainDump, startPopulating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { startRelay } from '../support/relay.js';

/** Wrong answers of a node, by path. */
type Lie = (path: string, text: string) => string;

const honest: Lie = (_, text) => text;
const ofVersion7 = (text: string): string => text.replace(/"version":\d+/, '"version":7');
/** The `txs_hash` of a micro block without transactions. */
const NO_TRANSACTIONS = encodeId('bx', transactionsRoot([]));
const isTransactions = (path: string): boolean => path.endsWith('/transactions');
const LIES: Record<string, Lie> = {
  'empties micro blocks': (path, text) => (isTransactions(path) ? '{"transactions":[]}' : text),
  'leaves the last transaction out': (path, text) =>
    isTransactions(path) ? text.replace(/,?\{"block_hash":(?:(?!\{"block_hash":).)*\]\}$/s, ']}') : text,
  'alters amounts': (path, text) => (isTransactions(path) ? text.replace(/"amount":(\d+)/g, '"amount":1$1') : text),
  'alters recipients': (path, text) =>
    isTransactions(path)
      ? text.replace(/"recipient_id":"\w+"(.*?)"sender_id":"(\w+)"/g, '"recipient_id":"$2"$1"sender_id":"$2"')
      : text,
  'says that transactions are in another block': (path, text) =>
    isTransactions(path) ? text.replace(/"block_height":(\d+)/g, '"block_height":1$1') : text,
  'alters the time of micro blocks': (path, text) =>
    path.endsWith('/header') ? text.replace(/"time":(\d+)/, '"time":1$1') : text,
  'alters who is rewarded for key blocks': (path, text) =>
    path.includes('/height/')
      ? text.replace(/"beneficiary":"\w+"(.*?)"miner":"(\w+)"/, '"beneficiary":"$2"$1"miner":"$2"')
      : text,
};

describe('a node that returns wrong contents', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  let proxy: TestServer;
  let lie: Lie;
  let clean: Record<string, string[]>;

  before(async () => {
    server = await testDatabase();
    devnode = await generated({ generations: 12 });
    proxy = await startServer(async (request, response) => {
      const answer = await fetch(devnode.externalUrl + request.url);
      const text = await answer.text();
      reply(response, answer.status, answer.ok ? lie(request.url!, text) : text);
    });
    clean = await cleanDump(server, 'clean', devnode.externalUrl);
  });

  beforeEach(() => {
    lie = honest;
    lied.clear();
  });

  after(async () => {
    await proxy.close();
    await closeDevnodes();
    await server.drop();
  });

  for (const [index, [title, what]] of Object.entries(LIES).entries()) {
    it(`and ${title}: nothing of the block is stored, and the log names the block and the reason`, async () => {
      lie = (path, text) => (tells(path, text) ? what(path, text) : text);
      const populating = await startPopulating(server, `alone_${index}`, [proxy.url], { distrustMs: 100 });
      try {
        const facts = await eventually(
          async () => {
            const answer = await statusFacts(populating.database);
            return 'row' in answer ? (answer.row as { node_state: string; node_reason: string }) : undefined;
          },
          (row) => row?.node_state === 'node_unproven',
        );
        expect(facts!.node_reason).to.match(/^height \d+: (block|transaction) \w+.* is not proven: /);
        expect((await readHead(populating.database))?.height ?? -1).to.be.lessThan(LIES_FROM);
        expect(populating.log.some(({ msg, reason }) => /Waiting/.test(msg) && reason === facts!.node_reason)).to.equal(
          true,
        );
        expect(await populating.metrics.registry.metrics()).to.match(/mdw_node_state\{state="node_unproven"\} 1/);

        lie = honest;
        await populating.at(devnode.top().hash);
        expect(await chainDump(populating.database)).to.deep.equal(clean);
      } finally {
        await populating.stop();
      }
    });
  }

  it('is replaced by an honest node', async () => {
    lie = LIES['empties micro blocks']!;
    // For longer than this test takes anywhere.
    const changes = { distrustMs: 3_600_000 };
    const populating = await startPopulating(server, 'beside', [proxy.url, devnode.externalUrl], changes);
    try {
      await populating.at(devnode.top().hash);
      expect(await chainDump(populating.database)).to.deep.equal(clean);
      const [liar, other] = populating.node.report();
      expect(liar).to.deep.include({ followed: false, state: 'unreachable' });
      expect(liar!.reason).to.include('is not proven');
      expect(other!.followed).to.equal(true);
    } finally {
      await populating.stop();
    }
  });

  for (const [where, order] of [
    ['first', ['liar', 'honest']],
    ['second', ['honest', 'liar']],
    ['between two honest nodes', ['honest', 'liar', 'honest']],
  ] as const)
    it(`with micro blocks of an unknown version and other transactions is not believed if it is ${where}`, async () => {
      lie = (path, text) => {
        if (!tells(path, text)) return text;
        if (!path.endsWith('/header')) return LIES['empties micro blocks']!(path, text);
        return ofVersion7(text).replace(/"txs_hash":"\w+"/, `"txs_hash":"${NO_TRANSACTIONS}"`);
      };
      const relay = await startRelay(devnode.externalUrl);
      const honestUrls = [devnode.externalUrl, relay.url];
      const urls = order.map((one) => (one === 'liar' ? proxy.url : honestUrls.shift()!));
      const changes = { acceptUnknownProtocol: true, distrustMs: 100, demoteMs: 100 };
      for (const [schema, more] of Object.entries({ held: {}, accepted: changes })) {
        const populating = await startPopulating(server, `beside_${schema}_${order.length}${order[0]}`, urls, more);
        try {
          await populating.at(devnode.top().hash);
          expect(await chainDump(populating.database)).to.deep.equal(clean);
        } finally {
          await populating.stop();
        }
      }
      await relay.shut();
    });

  it('is replaced by an honest node as soon as that one is back', async () => {
    lie = LIES['empties micro blocks']!;
    const relay = await startRelay(devnode.externalUrl);
    await relay.shut();
    const populating = await startPopulating(server, 'later', [proxy.url, relay.url]);
    try {
      await eventually(
        () => Promise.resolve(populating.log),
        (log) => log.some(({ state }) => state === 'node_unproven'),
      );
      await relay.open();
      // Before the time is over for which the other node gets no requests.
      await populating.at(devnode.top().hash);
      expect(await chainDump(populating.database)).to.deep.equal(clean);
    } finally {
      await populating.stop();
      await relay.shut();
    }
  });

  it('and lists more micro blocks than it has: few of them are requested', async () => {
    const asked: string[] = [];
    const node = nodeAt(devnode.externalUrl);
    const without = { ...node, microBlock: (hash: string) => (asked.push(hash), Promise.resolve(null)) };
    const { keyBlock } = await node.currentGeneration();
    const hashes = Array.from({ length: 100_000 }, (_, i) => `mh_${i}`);

    const error = await rejection(readMicroBlocks(without, keyBlock, hashes, 0));

    expect(error).to.include({ code: 'node_inconsistent' });
    expect(asked).to.have.lengthOf.below(1_000);
    node.close();
  });

  it('adds no height with -H, which prints the reason', async () => {
    lie = LIES['alters amounts']!;
    const database = await emptyCopy(server.url, 'heights');
    const node = nodeAt(proxy.url, { distrustMs: 0 });
    const { failed } = await replaceHeights({ database, node, heights: [{ from: 0, to: 5 }] });
    expect(failed.map(({ code }) => code)).to.include('node_unproven');
    expect(failed.at(-1)!.reason).to.include('amount');
    node.close();
    await database.close();
  });

  it('with micro blocks of an unknown version is not believed, even where unknown versions are accepted', async () => {
    lie = (path, text) => (tells(path, text) && path.endsWith('/header') ? ofVersion7(text) : text);
    for (const [acceptUnknownProtocol, state] of [
      [false, 'node_unknown_protocol'],
      [true, 'node_breaks_rules'],
    ] as const) {
      const changes = { acceptUnknownProtocol, distrustMs: 100, demoteMs: 100 };
      const populating = await startPopulating(server, `micro_${state}`, [proxy.url], changes);
      try {
        await populating.inState(state);
        expect((await readHead(populating.database))?.height).to.be.below(LIES_FROM);
      } finally {
        await populating.stop();
      }
    }
  });

  it('with blocks of an unknown version holds the head until they are accepted, and then they are marked and not proven', async () => {
    lie = (path, text) => (tells(path, text) && !isTransactions(path) ? ofVersion7(text) : text);
    const populating = await startPopulating(server, 'unknown', [proxy.url], { distrustMs: 100 });
    await populating.inState('node_unknown_protocol');
    expect((await readHead(populating.database))?.height).to.be.below(LIES_FROM);
    await populating.stop();

    const accepting = await startPopulating(
      server,
      'unknown',
      [proxy.url],
      { acceptUnknownProtocol: true },
      { acceptUnknownProtocol: 'on', verifyShare: 50 },
    );
    try {
      await accepting.at(devnode.top().hash);
      await eventually(
        () => accepting.metrics.verifiedTransactions.get(),
        ({ values }) => (values[0]?.value ?? 0) >= clean['transactions']!.length,
      );
      expect((await readProgress(accepting.database)).provenHeight).to.equal(LIES_FROM - 1);
      const { unproven } = await chainDump(accepting.database);
      expect(unproven).to.have.length(lied.size + devnode.height() + 1 - LIES_FROM);
      const differs = async (acceptUnknownProtocol: boolean): Promise<Set<string>> => {
        const heights = new Set<string>();
        const onDifference = ({ table, height, stored }: ReportedDifference): void =>
          void heights.add(`${table} ${height} ${String(stored).includes('has protocol version 7')}`);
        await verifyProjections({ database: accepting.database, prove: true, acceptUnknownProtocol, onDifference });
        return heights;
      };
      expect(await differs(true)).to.deep.equal(new Set());
      expect(await differs(false)).to.include(`key_blocks ${LIES_FROM} true`);
    } finally {
      await accepting.stop();
    }
    lie = honest;
    const database = await emptyCopy(server.url, 'unknown');
    const node = nodeAt(proxy.url);
    await replaceHeights({ database, node, heights: [{ from: 0, to: devnode.height() }] });
    expect(await chainDump(database)).to.deep.equal(clean);
    node.close();
    await database.close();
  });

  it('is trusted as far as the setting PROOF allows', async () => {
    lie = LIES['empties micro blocks']!;
    const database = await emptyCopy(server.url, 'believed');
    const node = nodeAt(proxy.url, { proof: 'headers' });
    await syncFully(syncContext(database, node));
    const { key_blocks: blocks, transactions } = await logicalDump(database);
    expect(blocks).to.have.length(devnode.height() + 1);
    expect(transactions).to.deep.equal([]);
    node.close();
    await database.close();
  });

  /** Heights from which the node lies: the heights below show that the load got that far. */
  const LIES_FROM = 5;
  const lied = new Set<string>();

  function tells(path: string, text: string): boolean {
    const height = /\/height\/(\d+)/.exec(path)?.[1];
    if (height !== undefined) {
      const { microHashes } = readGeneration(
        text.startsWith('{"key_block"') ? text : `{"key_block":${text},"micro_blocks":[]}`,
      );
      if (Number(height) >= LIES_FROM) microHashes.forEach((hash) => lied.add(hash));
      return Number(height) >= LIES_FROM;
    }
    return [...lied].some((hash) => path.includes(hash));
  }
});
