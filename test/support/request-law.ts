import { expect } from 'chai';
import { needsInfo } from '../../src/chain/effective.js';
import { readTransaction } from '../../src/chain/facts.js';
import { readHead } from '../../src/store/chain-state.js';
import { statusFacts } from '../../src/store/queries/status.js';
import { ask, testApi } from './api.js';
import { logicalDump } from './dump.js';
import { choices } from './histories.js';
import type { Choices } from './histories.js';
import { startPopulating } from './populating.js';
import { GIVE_UP_MS } from './patience.js';
import type { Populating } from './populating.js';
import { eventually } from './populator.js';
import { testDatabase } from './postgres.js';
import type { TestDatabase } from './postgres.js';
import { ABANDONED, headOf, recordedView, transactionTexts } from './recorded-view.js';
import type { RecordedText, View } from './recorded-view.js';
import { recorded, recordedGenerations } from './recording.js';
import type { ReplayAnswer } from './replay-server.js';
import { tamper } from './roles.js';

const OF = 'realnode-tokens';

/** What the node shows, one after the other: a load, micro blocks and key blocks, and a micro reorg. */
const VIEWS: readonly View[] = [
  { top: 151 },
  { top: 152 },
  { top: 153 },
  { top: 179, abandoned: true },
  { top: 180 },
  { top: 188 },
];
/** Number of seeds that run at the same time, so that their waits for database and nodes overlap. */
const PARALLEL = 3;
/** Settings of a populator for a node that answers within milliseconds: all times are shorter by about the same factor. */
const TIMES = {
  timeoutMs: 300,
  retries: [10],
  checkMs: 100,
  distrustMs: 100,
  demoteMs: 100,
  patienceMs: 200,
  maxBytes: 2_000_000,
};
const SETTINGS = { pollIntervalMs: 100 };

/** Requests for what a node adds to the facts, for its own records, for its coin, and for the head between two rounds. */
const ADDITIONS: readonly string[] = [
  '/currency',
  '/transactions/th/info',
  '/contracts/ct/code',
  '/names/NAME',
  '/auctions/NAME',
  '/oracles/ok',
  '/headers/top',
];
const FACTS: readonly string[] = [
  '/status',
  '/generations/current',
  '/generations/height/N',
  '/key-blocks/height/N',
  '/micro-blocks/hash/mh/header',
  '/micro-blocks/hash/mh/transactions',
];

const kindOf = (path: string): string =>
  path
    .replaceAll(/(?<=\/[a-z]{2})_\w+/g, '')
    .replace(/(?<=\/height\/)\d+/, 'N')
    .replace(/(?<=^\/(names|auctions)\/).*/, 'NAME');

type Wrong = (genuine: () => RecordedText) => ReplayAnswer;
const page = (status: number): ReplayAnswer => ({
  status,
  body: '<html>',
  headers: { 'content-type': 'text/html' },
});
/** Larger than `maxBytes`. */
const HUGE = ' '.repeat(3_000_000);

const WRONG: Record<string, Wrong> = {
  '500': () => ({ status: 500, body: '{"reason":"Internal server error"}' }),
  '502': () => page(502),
  '503': () => ({ status: 503, body: '', headers: { 'retry-after': '1' } }),
  '429': () => ({ status: 429, body: '' }),
  '301': () => ({ status: 301, body: '', headers: { location: '/' } }),
  '404 of a proxy': () => page(404),
  '404 of the node': () => ({ status: 404, body: '{"reason":"Not found"}' }),
  reset: () => 'reset',
  silence: () => 'silence',
  garbage: () => 'garbage',
  'a page': () => page(200),
  'an object': () => ({ status: 200, body: '{"colour":"red"}' }),
  null: () => ({ status: 200, body: 'null' }),
  nothing: () => ({ status: 200, body: '' }),
  'half an answer': (genuine) => ({ ...genuine(), body: genuine().body.slice(0, genuine().body.length / 2) }),
  'an answer that breaks off': (genuine) => ({ ...genuine(), sent: 'half' }),
  'an answer in drops': (genuine) => ({ ...genuine(), sent: 'slowly' }),
  'a huge answer': (genuine) => ({ ...genuine(), body: HUGE + genuine().body }),
  'another encoding': (genuine) => ({ ...genuine(), headers: { 'content-encoding': 'gzip' } }),
  'another type': (genuine) => ({ ...genuine(), headers: { 'content-type': 'text/html' } }),
};
/** With these the client reads the genuine answer. */
const HARMLESS = ['another encoding', 'another type'];
/** A node's own answer that it does not have what was asked for, which for calls and codes is no fault. */
const REFUSAL = '404 of the node';

/** One request and how it is answered. */
interface Fault {
  /** Path with prefix. */
  url: string;
  kind: string;
  wrong: string;
  /** How often; null as long as it is asked. */
  times: number | null;
  /** The same below the other prefix. */
  isBelowBoth: boolean;
  /** Whether there is another node, without faults. */
  hasOther: boolean;
}

/** How a populator got over a fault, or whether it was waiting at the end. */
interface Outcome {
  dump: Record<string, string[]>;
  waited: boolean;
  /** How often the answer was wrong. */
  given: number;
}

/**
 * Whatever a node answers to one request: if it is about what the node adds, the head is followed; if it is about a block, the populator
 * finds it by another path, or waits visibly and goes on by itself. The copy is the same in the end.
 */
export function requestLaw({ from, count }: { from: number; count: number }): void {
  describe(`one request that a node answers wrongly, drawn ${count} times`, function () {
    this.timeout(GIVE_UP_MS + count * 60_000);
    let server: TestDatabase;
    /** Paths of a run without faults, by kind. */
    let asked: Map<string, string[]>;
    let clean: Record<string, string[]>;
    const started = performance.now();
    const counts = { draws: 0, 'wrong answers': 0, 'waited visibly': 0, 'never asked': 0 };
    before(async () => {
      server = await testDatabase();
      ({ asked, dump: clean } = await cleanRun(server));
    });
    after(() => server.drop());
    after(() => {
      const seconds = Math.round((performance.now() - started) / 1000);
      process.stdout.write(`      ${JSON.stringify({ from, ...counts, seconds })}\n`);
    });

    it('is of all kinds that a populator sends', () => {
      expect([...asked.keys()]).to.have.members([...ADDITIONS, ...FACTS]);
    });

    it('does not hold the head if it is about an addition, is waited for visibly if it is about a block', async () => {
      let next = from;
      const work = async (): Promise<void> => {
        while (next < from + count) {
          const seed = next++;
          const fault = drawFault(choices(seed), asked);
          const story = `SEED=${seed} DRAWS=1: ${JSON.stringify(fault)}`;
          const { dump, waited, given } = await liveThroughFault(server, seed, fault).catch((cause: unknown) => {
            throw new Error(`${story}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
          });
          for (const [table, rows] of Object.entries(clean)) {
            expect(differing(rows, dump[table]!), `${table}, ${story}`).to.deep.equal([]);
          }
          counts.draws += 1;
          counts['wrong answers'] += given;
          if (waited) counts['waited visibly'] += 1;
          if (given === 0) counts['never asked'] += 1;
        }
      };
      const workers = Array.from({ length: PARALLEL }, () => work().finally(() => (next = from + count)));
      // The database server may only be stopped when it is no longer used.
      await Promise.allSettled(workers);
      await Promise.all(workers);
    });
  });
}

/** Rows that only one of both has. */
const differing = (one: readonly string[], other: readonly string[]): string[] => [
  ...one.filter((row) => !other.includes(row)).map((row) => `- ${row}`),
  ...other.filter((row) => !one.includes(row)).map((row) => `+ ${row}`),
];

/** All kinds are equally likely. */
function drawFault(random: Choices, asked: ReadonlyMap<string, readonly string[]>): Fault {
  const pick = <T>(items: readonly T[]): T => items[random.int(0, items.length - 1)]!;
  const kind = pick([...asked.keys()].sort());
  const isAddition = ADDITIONS.includes(kind);
  return {
    url: `/v3${pick(asked.get(kind)!)}`,
    kind,
    wrong: pick(Object.keys(WRONG).filter((name) => !isAddition || name !== REFUSAL)),
    times: pick([1, random.int(2, 6), null, null]),
    isBelowBoth: random.chance(0.8),
    hasOther: random.chance(0.2),
  };
}

async function cleanRun(
  server: TestDatabase,
): Promise<{ asked: Map<string, string[]>; dump: Record<string, string[]> }> {
  const node = await recordedView(VIEWS[0]!, () => undefined);
  // An answer that a busy machine gives late is no fault, after which other paths would be asked.
  const patient = { ...TIMES, timeoutMs: GIVE_UP_MS, patienceMs: GIVE_UP_MS };
  const populating = await startPopulating(server, 'clean', [node.url], patient, SETTINGS);
  let dump: Record<string, string[]>;
  try {
    for (const view of VIEWS) {
      node.show(view);
      await populating.at(headOf(view));
    }
    // Contracts and records are asked about beside the head, and the head itself between rounds.
    await eventually(
      () => Promise.resolve(node.asked.map(kindOf)),
      (kinds) => ADDITIONS.every((kind) => kinds.includes(kind)),
    );
    dump = await settled(populating);
  } finally {
    await populating.stop();
    await node.close();
  }
  const asked = new Map<string, string[]>();
  for (const path of new Set(node.asked)) asked.set(kindOf(path), [...(asked.get(kindOf(path)) ?? []), path]);
  return { asked, dump };
}

/** All stored data, when the nodes have answered what they can about calls and contracts. */
async function settled({ database }: Populating): Promise<Record<string, string[]>> {
  for (const table of ['unknown_infos', 'contract_calls', 'contracts', 'contract_codes', 'tokens'])
    await tamper(database, `UPDATE ${table} SET due_at = now() WHERE due_at > now()`);
  await eventually(
    async () => {
      const { rows } = await database.query<Record<'infos' | 'calls' | 'outcomes' | 'codes' | 'kinds', number>>({
        name: 'test.unsettled',
        text: `
          SELECT
            (SELECT count(*)::int FROM unknown_infos) AS infos,
            (SELECT count(*)::int FROM contract_calls WHERE state = 'pending') AS calls,
            (SELECT count(*)::int FROM contracts WHERE NOT outcome_known) AS outcomes,
            (SELECT count(*)::int FROM contract_codes WHERE code IS NULL) AS codes,
            (SELECT count(*)::int FROM tokens WHERE kind IS NULL) AS kinds`,
      });
      return rows[0]!;
    },
    ({ infos, calls, outcomes, codes, kinds }) => infos === 1 && calls + outcomes + codes + kinds === 0,
  );
  return logicalDump(database);
}

/** Draws and lives through one fault. */
async function liveThroughFault(server: TestDatabase, seed: number, fault: Fault): Promise<Outcome> {
  const { url, kind, wrong, times, isBelowBoth, hasOther } = fault;
  let isHealthy = false;
  let given = 0;
  const isMeant = (path: string): boolean => path === url || (isBelowBoth && path === url.replace('/v3', '/v2'));
  const node = await recordedView(VIEWS[0]!, (path, genuine) => {
    if (isHealthy || !isMeant(path) || given === times) return undefined;
    given += 1;
    return WRONG[wrong]!(genuine);
  });
  const nodes = [node, ...(hasOther ? [await recordedView(VIEWS[0]!, () => undefined)] : [])];
  const urls = nodes.map((one) => one.url);
  const populating = await startPopulating(server, `request_${seed}`, urls, TIMES, SETTINGS);
  const mustFollow = times !== null || hasOther || ADDITIONS.includes(kind) || HARMLESS.includes(wrong);
  let waited = false;
  try {
    for (const view of VIEWS) {
      for (const one of nodes) one.show(view);
      if (mustFollow) await populating.at(headOf(view));
      else if (await isWaitingAt(populating, headOf(view))) {
        if (!waited) await mustBeVisible(populating);
        waited = true;
      }
      await mustBeRecorded(populating);
    }
    if (ADDITIONS.includes(kind)) {
      // On a busy machine a health check may exceed its time.
      const because = populating.log.filter(({ reason }) => String(reason).includes(url.slice('/v3'.length)));
      expect(because.map((line) => JSON.stringify(line))).to.deep.equal([]);
      if (times === null && !hasOther && !HARMLESS.includes(wrong)) await mustBeMarked(populating, url);
    }
    isHealthy = true;
    await populating.at(headOf(VIEWS.at(-1)!));
    return { dump: await settled(populating), waited, given };
  } finally {
    await populating.stop();
    for (const one of nodes) await one.close();
  }
}

/** The state of the node, if it is one that is waited for. */
async function waitingFor({ database }: Populating): Promise<string | undefined> {
  const facts = await statusFacts(database);
  const state = 'row' in facts ? (facts.row as { node_state: string | null }).node_state : null;
  return state?.startsWith('node_') === true ? state : undefined;
}

/** Resolves to false at the head, and to true when the status says what is waited for. */
async function isWaitingAt(populating: Populating, hash: string): Promise<boolean> {
  const look = async (): Promise<'head' | 'waiting' | undefined> => {
    const head = await readHead(populating.database);
    if ((head?.microHashes.at(-1) ?? head?.hash) === hash) return 'head';
    return (await waitingFor(populating)) === undefined ? undefined : 'waiting';
  };
  return (await eventually(look, (seen) => seen !== undefined)) === 'waiting';
}

/** Both pages and the metric name the state of the node, while it lasts. */
async function mustBeVisible(populating: Populating): Promise<void> {
  const api = await testApi(populating.database);
  try {
    const isNamed = async (): Promise<boolean> => {
      const state = await waitingFor(populating);
      const ready = JSON.parse((await ask(api.metricsPort, '/readyz')).body) as { node_state: string };
      const status = JSON.parse((await api.get('/middleware/status')).body) as Partial<
        Record<'node_state' | 'node_reason', string>
      >;
      const { values } = await populating.metrics.nodeState.get();
      const [current] = values.filter(({ value }) => value === 1);
      const all = [ready.node_state, status.node_state, current?.labels.state];
      return state !== undefined && (status.node_reason ?? '') !== '' && all.every((each) => each === state);
    };
    // The state may change between two of these requests.
    await eventually(isNamed, (is) => is);
  } finally {
    await api.close();
  }
}

/** A transaction whose effects depend on call information that no node answers is marked and counted. */
async function mustBeMarked({ database, metrics }: Populating, url: string): Promise<void> {
  const hash = /^\/v3\/transactions\/(\w+)\/info$/.exec(url)?.[1];
  const text = texts().transactions.get(hash ?? '');
  if (text === undefined || !needsInfo(readTransaction(text))) return;
  const { rows } = await database.query<{ hash: string }>({
    name: 'test.unknown-infos',
    text: 'SELECT t.hash FROM unknown_infos AS u JOIN transactions AS t ON t.position = u.position',
  });
  expect(rows.map((row) => row.hash)).to.include(hash);
  await eventually(
    async () => (await metrics.unknownInfos.get()).values[0]?.value,
    (count) => count === rows.length,
  );
}

interface Texts {
  /** Of blocks, and of transactions in each block that they were in. */
  all: ReadonlySet<string>;
  /** By hash. */
  transactions: ReadonlyMap<string, string>;
}

let known: Texts | undefined;

/** The texts of all blocks and transactions of the recording. */
function texts(): Texts {
  if (known !== undefined) return known;
  const all = new Set<string>();
  const transactions = new Map<string, string>();
  const add = (header: string, answer: string): void => {
    all.add(header);
    for (const text of transactionTexts(answer)) {
      all.add(text);
      transactions.set(/"hash":"(th_\w+)"/.exec(text)![1]!, text);
    }
  };
  const abandoned = `/v2/micro-blocks/hash/${ABANDONED.hash}`;
  add(recorded(`${abandoned}/header`, OF), recorded(`${abandoned}/transactions`, OF));
  for (const { keyBlock, microBlocks } of recordedGenerations(OF)) {
    all.add(keyBlock);
    for (const { header, transactions: answer } of microBlocks) add(header, answer);
  }
  return (known = { all, transactions });
}

/** Nothing is stored that the honest node did not say. */
async function mustBeRecorded({ database }: Populating): Promise<void> {
  const { rows } = await database.query<{ body: string }>({
    name: 'test.stored-texts',
    text: `
      SELECT body FROM key_blocks UNION ALL SELECT body FROM micro_blocks UNION ALL SELECT body FROM transactions`,
  });
  expect(rows.filter(({ body }) => !texts().all.has(body))).to.deep.equal([]);
}
