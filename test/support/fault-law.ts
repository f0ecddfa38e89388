import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { work } from '../../src/chain/work/target.js';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import type { Database } from '../../src/store/connection/database.js';
import { nodeAt } from './copy.js';
import { emptyCopy, tamper } from './roles.js';
import { drawFault, startFaultyNode } from './faulty-node.js';
import type { FaultyNode } from './faulty-node.js';
import { EDGE_BITS, MIXTURE, changeChain, choices } from './histories.js';
import type { Choices } from './histories.js';
import { chainDump, cleanDump, startPopulating } from './populating.js';
import type { Populating } from './populating.js';
import { testDatabase } from './postgres.js';
import type { TestDatabase } from './postgres.js';
import { GIVE_UP_MS } from './patience.js';

/** Number of seeds that run at the same time, so that their waits for database and nodes overlap. */
const PARALLEL = 3;
/** Faults that a populator must notice. In this many histories each of them must occur at least once. */
const FAULTS = ['node_unproven', 'node_no_work', 'node_timeout', 'node_malformed', 'node_inconsistent', 'behind'];
const ALL_FAULTS = 100;
/** Settings of a populator for nodes that answer within milliseconds: all times are shorter by about the same factor. */
const TIMES = { timeoutMs: 150, retries: [10], checkMs: 30, distrustMs: 100, demoteMs: 100, patienceMs: 200 };
const SETTINGS = { pollIntervalMs: 10, powEdgeBits: EDGE_BITS };

/**
 * Whatever nodes do, the copy has the heaviest proven chain as soon as one node serves it, and nothing was ever committed that is not proven on
 * some branch.
 */
export function faultLaw({ from, count }: { from: number; count: number }): void {
  describe(`nodes that lie, are slow, lag, fork and go back, over ${count} random histories`, function () {
    this.timeout(GIVE_UP_MS + count * 60_000);
    let server: TestDatabase;
    before(async () => (server = await testDatabase()));
    after(() => server.drop());

    it('leave the copy with the heaviest proven chain, and nothing unproven was ever to be read', async () => {
      let next = from;
      let looks = 0;
      const noticed = new Set<unknown>();
      const work = async (): Promise<void> => {
        while (next < from + count) {
          const seed = next++;
          const steps: string[] = [];
          const story = (): string => `SEED=${seed} HISTORIES=1: ${steps.join(', ')}`;
          const result = await liveThroughFaults(server, seed, steps).catch((cause: unknown) => {
            throw new Error(`${story()}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
          });
          looks += result.looks;
          result.noticed.forEach((fault) => noticed.add(fault));
          expect(result.unproven, story()).to.deep.equal([]);
          expect(result.mixtures, story()).to.deep.equal([]);
          for (const [table, rows] of Object.entries(result.clean)) {
            expect(result.lived[table], `${table}, ${story()}`).to.deep.equal(rows);
          }
        }
      };
      const workers = Array.from({ length: PARALLEL }, () => work().finally(() => (next = from + count)));
      // The database server may only be stopped when it is no longer used.
      await Promise.allSettled(workers);
      await Promise.all(workers);
      expect(looks).to.be.greaterThan(count);
      // The histories are only meaningful if each of these faults occurred often enough.
      if (count >= ALL_FAULTS) expect([...noticed]).to.include.members(FAULTS);
    });
  });
}

interface Result {
  lived: Record<string, string[]>;
  clean: Record<string, string[]>;
  /** Committed data that is not on any branch. */
  unproven: string[];
  /** Inconsistent snapshots that a reader saw. */
  mixtures: string[];
  looks: number;
  /** Reasons for which the populator waited. */
  noticed: readonly unknown[];
}

/** Runs one history: chains with the same genesis block, nodes in front of them with random faults, and a populator. */
async function liveThroughFaults(server: TestDatabase, seed: number, steps: string[]): Promise<Result> {
  const random = choices(seed);
  const chains = await createChains(random, seed);
  const schema = `faults_${seed}`;
  const audit = await startAudit(server.url, schema);
  const nodes: FaultyNode[] = [];
  const noticed: unknown[] = [];
  let populating: Populating | undefined;
  const stop = async (): Promise<void> => {
    noticed.push(...(populating?.log ?? []).map(({ state }) => state));
    await populating?.stop();
    populating = undefined;
  };
  try {
    for (let i = random.int(1, 3); i > 0; i--) nodes.push(await startFaultyNode(chains.any()));
    const urls = nodes.map(({ url }) => url);
    const start = (): Promise<Populating> => startPopulating(server, schema, urls, TIMES, SETTINGS);
    for (let episode = random.int(1, 3); episode > 0; episode--) {
      for (let step = random.int(1, 4); step > 0; step--) {
        for (const [i, node] of nodes.entries()) misbehave(node, i, { random, chains, steps });
        populating ??= await start();
        if (random.chance(0.6)) steps.push(await chains.change());
        await passed(populating, random.int(5, 60));
        if (!random.chance(0.05)) continue;
        steps.push('restart');
        await stop();
      }
      populating ??= await start();
      const end = await chains.heaviest();
      const sure = random.int(0, nodes.length - 1);
      for (const [i, node] of nodes.entries()) {
        if (i === sure) {
          node.restart(end);
          node.suffer(undefined);
          steps.push(`node ${i} is honest`);
        } else if (random.chance(0.5)) misbehave(node, i, { random, chains, steps });
      }
      await populating.at(end.top().hash);
      steps.push(`at ${end.height()}`);
    }
    await stop();
    const lived = await chainDump(audit.database);
    const clean = await cleanDump(server, `${schema}_clean`, (await chains.heaviest({ grow: false })).externalUrl);
    return { lived, clean, unproven: await audit.foreign(chains.proven), noticed, ...(await audit.stop()) };
  } finally {
    await populating?.stop().catch(() => undefined);
    await audit.stop();
    await audit.drop();
    for (const node of nodes) await node.close();
    await chains.close();
  }
}

function misbehave(
  node: FaultyNode,
  number: number,
  { random, chains, steps }: { random: Choices; chains: Chains; steps: string[] },
): void {
  if (random.chance(0.25)) {
    node.restart(chains.any());
    steps.push(`node ${number} restarts on another branch`);
  }
  if (random.chance(0.3)) return;
  const fault = random.chance(0.2) ? undefined : drawFault(random, chains.all);
  node.suffer(fault);
  steps.push(`node ${number} ${fault?.name ?? 'is honest'}`);
}

/** Waits for a number of requests to nodes, or for some time, because nodes that do not answer get few requests. */
async function passed(populating: Populating, requests: number): Promise<void> {
  const until = { requests: populating.requests() + requests, time: performance.now() + 1_000 };
  while (populating.requests() < until.requests && performance.now() < until.time) await pause(5);
}

interface Chains {
  all: readonly Devnode[];
  any(): Devnode;
  /** Grows or forks one of them. */
  change(): Promise<string>;
  /** The chain with the most work. It first gets more work, so that no other chain has as much. */
  heaviest(options?: { grow: boolean }): Promise<Devnode>;
  /** Each block and transaction that one of the chains ever had, by hash and content. */
  proven: ReadonlySet<string>;
  close(): Promise<void>;
}

/** One to three chains, which are the same up to their first change. */
async function createChains(random: Choices, seed: number): Promise<Chains> {
  const generate = {
    seed: `faults ${seed}`,
    generations: random.int(0, 5),
    txsPerGeneration: random.int(1, 10),
    microBlocksPerGeneration: random.int(1, 3),
    accounts: random.int(3, 8),
    edgeBits: EDGE_BITS,
  } as const;
  const all: Devnode[] = [];
  const proven = new Set<string>();
  const note = async (chain: Devnode): Promise<void> => {
    const node = nodeAt(chain.externalUrl, { proof: 'off' });
    for (let height = chain.height(); height >= 0; height--) {
      const { keyBlock, microHashes } = (await node.generation(height))!;
      const isKnown = proven.has(contentOf(keyBlock));
      proven.add(contentOf(keyBlock));
      for (const hash of microHashes) {
        const block = (await node.microBlock(hash, keyBlock))!;
        for (const { hash, body } of [block, ...block.transactions]) proven.add(contentOf({ hash, body }));
      }
      // Blocks below are already known.
      if (isKnown && height < chain.height() - 1) break;
    }
    node.close();
  };
  /** Also includes blocks that a change adds and removes again. */
  const noting = (chain: Devnode): Devnode => ({
    ...chain,
    mineKeyBlock: () => chain.mineKeyBlock().then(() => note(chain)),
    addMicroBlock: (options) => chain.addMicroBlock(options).then(() => note(chain)),
    grow: (...grown) => chain.grow(...grown).then(() => note(chain)),
    fork: (options) => chain.fork(options).then(() => note(chain)),
    microFork: (options) => chain.microFork(options).then(() => note(chain)),
  });
  const any = (): Devnode => all[random.int(0, all.length - 1)]!;
  for (let i = random.int(1, 3); i > 0; i--) {
    const chain = await startDevnode({ external: '127.0.0.1:0', source: { generate } });
    await note(chain);
    all.push(noting(chain));
  }
  for (const chain of all.slice(1))
    await (random.chance(0.4) ? weigh(chain, random) : changeChain(chain, random, false));
  return {
    all,
    any,
    change: () => (random.chance(0.3) ? weigh(any(), random) : changeChain(any(), random, false)),
    async heaviest({ grow } = { grow: true }) {
      const works = await Promise.all(all.map(workOf));
      const most = works.reduce((best, work, i) => (work > works[best]! ? i : best), 0);
      const chain = all[most]!;
      if (grow) await chain.grow(1);
      return chain;
    },
    proven,
    async close() {
      for (const chain of all) await chain.close();
    },
  };
}

/** A branch that has more work but a lower height than the branch that it replaces. */
async function weigh(chain: Devnode, random: Choices): Promise<string> {
  const depth = Math.min(chain.height(), random.int(2, 6));
  if (depth < 2) return changeChain(chain, random, false);
  const grow = random.int(1, Math.ceil(depth / 2));
  await chain.fork({ depth, grow });
  return `heavy fork ${depth} -> ${grow}`;
}

const contentOf = ({ hash, body }: { hash: string; body: string }): string => `${hash} ${body}`;

async function workOf(chain: Devnode): Promise<bigint> {
  const node = nodeAt(chain.externalUrl, { proof: 'off' });
  const heights = Array.from({ length: chain.height() + 1 }, (_, height) => height);
  const blocks = await Promise.all(heights.map((height) => node.keyBlock(height)));
  node.close();
  return work(blocks.map((block) => block!.target));
}

interface Audit {
  database: Database;
  /** Committed data that is not among the known data. */
  foreign(proven: ReadonlySet<string>): Promise<string[]>;
  stop(): Promise<Pick<Result, 'looks' | 'mixtures'>>;
  drop(): Promise<void>;
}

/** Records everything that is committed to a copy, and sometimes checks the whole copy in one snapshot. */
async function startAudit(url: string, schema: string): Promise<Audit> {
  const database = await emptyCopy(url, schema);
  const kept = `${schema}_kept`;
  const triggers = ['key_blocks', 'micro_blocks', 'transactions'].map(
    (table) => `
      CREATE TRIGGER keep AFTER INSERT ON ${schema}.${table} REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION ${kept}.keep();`,
  );
  await tamper(
    database,
    `CREATE SCHEMA ${kept};
    GRANT USAGE ON SCHEMA ${kept} TO PUBLIC;
    CREATE TABLE ${kept}.contents (hash text NOT NULL, body text NOT NULL);
    GRANT SELECT ON ${kept}.contents TO PUBLIC;
    CREATE FUNCTION ${kept}.keep() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
    'BEGIN INSERT INTO ${kept}.contents SELECT hash, body FROM added; RETURN NULL; END';
    ${triggers.join('')}`,
  );
  const mixtures: string[] = [];
  let looks = 0;
  let stopped = false;
  const loop = (async () => {
    while (!stopped) {
      const { rows } = await database.query<{ what: string }>({ name: 'test.mixture', text: MIXTURE });
      looks++;
      mixtures.push(...rows.map(({ what }) => what));
      await pause(20);
    }
  })();
  return {
    database,
    async foreign(proven) {
      const { rows } = await database.query<{ hash: string; body: string }>({
        name: 'test.kept',
        text: `SELECT DISTINCT hash, body FROM ${kept}.contents`,
      });
      return rows.map(contentOf).filter((content) => !proven.has(content));
    },
    async stop() {
      stopped = true;
      await loop;
      return { looks, mixtures };
    },
    async drop() {
      await tamper(database, `DROP SCHEMA IF EXISTS ${schema}, ${kept}, ${schema}_clean CASCADE`);
      await database.close();
    },
  };
}
