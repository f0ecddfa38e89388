import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import type { Database } from '../../src/store/connection/database.js';
import { canonical } from './altered.js';
import { nodeAt, syncContext, syncFully } from './copy.js';
import { verifyEvents } from './events.js';
import { choices } from './histories.js';
import type { Choices } from './histories.js';
import { reply, startServer } from './http-server.js';
import type { TestServer } from './http-server.js';
import { drawLiar } from './liar.js';
import type { Liar } from './liar.js';
import { EDGE_BITS, INTERVAL_MS, mineChain } from './mined-chain.js';
import { chainDump, populateInto } from './populating.js';
import type { Populating } from './populating.js';
import { testDatabase } from './postgres.js';
import type { TestDatabase } from './postgres.js';
import { recordedChain } from './recorded-chain.js';
import { RECORDINGS, recordedGenerations } from './recording.js';
import type { Recording } from './recording.js';
import { reusedCopy } from './reused-copy.js';
import type { ReusedCopy } from './reused-copy.js';
import type { World } from './false-chains.js';
import { answerOf, blocksOnlyOf, headOf } from './shown-chain.js';
import type { ShownChain } from './shown-chain.js';
import { GIVE_UP_MS } from './patience.js';

/** Number of rounds at the same time, so that their waits for database and nodes overlap. */
const PARALLEL = 3;
/** Rounds that share two mined chains. */
const ROUNDS_PER_CHAINS = 100;
/** Settings of a populator for nodes that answer within milliseconds: all times are shorter by about the same factor. */
const TIMES = { timeoutMs: 150, retries: [10], checkMs: 30, distrustMs: 100, demoteMs: 100, patienceMs: 200 };
/** With honest nodes alone: a busy machine is no false alarm. */
const PATIENT = { ...TIMES, timeoutMs: 20_000 };
const SETTINGS = { pollIntervalMs: 10 };
const INFO_LEVEL = 30;
/** A chain that changes while it is read contradicts itself for a moment. */
const OF_CHANGES = ['chain_moved', 'node_inconsistent'];

interface Chain extends World {
  name: string;
  work: { powEdgeBits: number | undefined; powIntervalMs: number | undefined };
  /** What a clean load of a state stores. */
  clean(state: number): Promise<Facts>;
  /** Each block, and each transaction in each of its blocks, by hash: texts of the honest node. */
  known: ReadonlyMap<string, readonly string[]>;
}

export interface LyingFigures {
  rounds: number;
  withHonest: number;
  alone: number;
  honestAlone: number;
  recorded: number;
  /** Kinds of lies, and members that were altered. */
  lies: Set<string>;
  members: Set<string>;
  /** Of each change of the honest chain: seconds until it was followed, and blocks that were missing until then. */
  seconds: number[];
  blocks: number[];
}

/**
 * Whatever a node says, an altered copy is never stored or announced, and the honest head is followed while one honest node answers. With
 * honest nodes alone there is no alarm.
 */
export function lyingLaw(
  { seed, from, rounds }: { seed: number; from: number; rounds: number },
  report?: (of: LyingFigures) => void,
): void {
  describe(`a malicious node, drawn ${rounds} times`, function () {
    this.timeout(GIVE_UP_MS + rounds * 60_000);
    let server: TestDatabase;
    const figures: LyingFigures = {
      ...{ rounds: 0, withHonest: 0, alone: 0, honestAlone: 0, recorded: 0 },
      ...{ lies: new Set(), members: new Set(), seconds: [], blocks: [] },
    };
    before(async () => (server = await testDatabase()));
    after(() => server.drop());

    it('never gets a lie stored or announced, and never keeps the copy from an honest head', async () => {
      let next = from;
      const chains = createChains(server, seed);
      const stages = await Promise.all(Array.from({ length: PARALLEL }, (_, i) => createStage(server, `liar_${i}`)));
      const work = async (stage: Stage): Promise<void> => {
        while (next < from + rounds) {
          const round = next++;
          const steps: string[] = [];
          const random = choices(seed * 1_000_003 + round);
          const world = await chains.of(round, random);
          await liveThrough(stage, world, random, steps, figures).catch((cause: unknown) => {
            const story = `SEED=${seed} FROM=${round} ROUNDS=1: ${world.name}, ${steps.join('; ')}`;
            throw new Error(`${story}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
          });
        }
      };
      const workers = stages.map((stage) => work(stage).finally(() => (next = from + rounds)));
      // The database server may only be stopped when it is no longer used.
      await Promise.allSettled(workers);
      for (const stage of stages) await stage.close();
      await chains.close();
      await Promise.all(workers);
      expect(figures.rounds).to.equal(rounds);
      process.stdout.write(`      ${describeFigures(figures)}\n`);
      report?.(figures);
    });
  });
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

export function describeFigures(figures: LyingFigures): string {
  const { rounds, withHonest, alone, honestAlone, recorded, lies, members, seconds, blocks } = figures;
  const sorted = [...seconds].sort((a, b) => a - b);
  const times = [0.5, 0.95, 1].map((share) => at(sorted, share).toFixed(2)).join(', ');
  return (
    `${rounds} rounds (${withHonest} beside honest nodes, ${alone} alone, ${honestAlone} without a liar, ${recorded} on recordings), ` +
    `${lies.size} lies, ${members.size} members altered; ${seconds.length} changes of up to ${Math.max(0, ...blocks)} blocks followed ` +
    `after ${times} s (median, 95 %, max)`
  );
}

interface Chains {
  of(round: number, random: Choices): Promise<Chain>;
  close(): Promise<void>;
}

function createChains(server: TestDatabase, seed: number): Chains {
  const clean = createCleanLoads(server);
  const closing = [() => clean.close()];
  const mined = new Map<number, Promise<Chain[]>>();
  let recordings: Chain[] | undefined;

  async function mine(group: number): Promise<Chain[]> {
    const made = await Promise.all(
      [0, 1].map((i) => mineChain(`liar ${seed} ${group} ${i}`, choices(seed * 7_919 + group * 2 + i))),
    );
    for (const one of made) closing.push(() => one.close());
    return made.map(({ seed: name, states }, i) =>
      chainOf(clean.load, {
        ...{ name, seed: name, states, mined: new Map(), foreign: made[1 - i]!.states.at(-1)! },
        work: { powEdgeBits: EDGE_BITS, powIntervalMs: INTERVAL_MS },
      }),
    );
  }

  return {
    async of(round, random) {
      const group = Math.floor(round / ROUNDS_PER_CHAINS);
      const pending = mined.get(group) ?? mine(group);
      mined.set(group, pending);
      const own = await pending;
      recordings ??= RECORDINGS.map((of) =>
        chainOf(clean.load, {
          ...{
            name: of,
            seed: undefined,
            states: recordedChain(of),
            mined: new Map(),
            foreign: own[0]!.states.at(-1)!,
          },
          work: { powEdgeBits: undefined, powIntervalMs: undefined },
        }),
      );
      const from = random.chance(0.1) ? recordings : own;
      return from[random.int(0, from.length - 1)]!;
    },
    async close() {
      for (const close of closing) await close();
    },
  };
}

function chainOf(clean: (shown: ShownChain) => Promise<Facts>, chain: Omit<Chain, 'clean' | 'known'>): Chain {
  const facts = new Map<number, Promise<Facts>>();
  const known = new Map<string, string[]>();
  const note = (id: string, text: string): void => void known.set(id, [...(known.get(id) ?? []), text]);
  for (const blocks of new Set(chain.states.map((state) => state.blocks)))
    for (const [id, { header, transactions = [] }] of blocks) {
      note(id, header);
      for (const text of transactions) note(/"hash":"(th_\w+)"/.exec(text)![1]!, text);
    }
  return {
    ...chain,
    known,
    clean(state) {
      const pending = facts.get(state) ?? clean(chain.states[state]!);
      facts.set(state, pending);
      return pending;
    },
  };
}

/** Loads states into a copy, one after the other. */
function createCleanLoads(server: TestDatabase): {
  load: (shown: ShownChain) => Promise<Facts>;
  close(): Promise<void>;
} {
  let copy: Promise<ReusedCopy> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  async function load(shown: ShownChain): Promise<Facts> {
    copy ??= reusedCopy(server.url, 'clean');
    const database = await (await copy).open();
    const honest = await startServer(({ url }, response) => {
      const { status, body } = answerOf(shown, url!);
      reply(response, status, body);
    });
    const node = nodeAt(honest.url);
    try {
      await syncFully(syncContext(database, node));
      return await factsOf(database);
    } finally {
      node.close();
      await honest.close();
      await database.close();
    }
  }
  return {
    load(shown) {
      const loaded = last.then(() => load(shown));
      last = loaded.catch(() => undefined);
      return loaded;
    },
    async close() {
      await last;
      await (await copy)?.close();
    },
  };
}

/** All rows by table, without the texts of blocks and transactions and what follows from their spelling. */
type Facts = Record<string, string[]>;

const WITHOUT_TEXTS: Record<string, string> = {
  key_blocks: 'SELECT to_jsonb(b) AS row FROM key_blocks b ORDER BY height',
  micro_blocks: 'SELECT to_jsonb(b) AS row FROM micro_blocks b ORDER BY position',
  transactions: `
    SELECT to_jsonb(t) - 'type' || jsonb_build_object('name', y.name) AS row
    FROM transactions t JOIN types y ON y.code = t.type ORDER BY t.position`,
  // The order of members is that of the node.
  names:
    'SELECT to_jsonb(n) || jsonb_build_object($$pointers$$, pointers::jsonb) AS row FROM names n ORDER BY position',
};

async function factsOf(database: Database): Promise<Facts> {
  const facts = await chainDump(database);
  for (const [table, text] of Object.entries(WITHOUT_TEXTS)) {
    const { rows } = await database.query<{ row: string }>({
      name: `test.facts-${table}`,
      text: `SELECT (row - '{body,size,tx_start,tx_length}'::text[])::text AS row FROM (${text}) AS r`,
    });
    facts[table] = rows.map(({ row }) => row);
  }
  return facts;
}

/** Ports and a copy for one round after the other. */
interface Stage {
  copy: ReusedCopy;
  urls: string[];
  answers: TestServer[];
  /** What each of the nodes answers from now on. */
  show(nodes: readonly ((url: string, response: Parameters<Liar['answer']>[2]) => unknown)[]): void;
  close(): Promise<void>;
}

async function createStage(server: TestDatabase, schema: string): Promise<Stage> {
  const copy = await reusedCopy(server.url, schema);
  let shown: Parameters<Stage['show']>[0] = [];
  const answers = await Promise.all(
    [0, 1, 2].map((i) => startServer(({ url }, response) => shown[i]?.(url!, response) ?? undefined)),
  );
  return {
    copy,
    answers,
    urls: answers.map(({ url }) => url),
    show: (nodes) => void (shown = nodes),
    async close() {
      for (const one of answers) await one.close();
      await copy.close();
    },
  };
}

async function liveThrough(
  stage: Stage,
  chain: Chain,
  random: Choices,
  steps: string[],
  figures: LyingFigures,
): Promise<void> {
  const hasLiar = !random.chance(0.1);
  const honestNodes = random.int(hasLiar ? 0 : 1, 2);
  const place = hasLiar ? random.int(0, honestNodes) : -1;
  const isFresh = random.chance(0.5);
  const last = chain.states.length - 1;
  let state = random.int(0, last - 1);
  const urls = stage.urls.slice(0, honestNodes + (hasLiar ? 1 : 0));
  steps.push(`liar at ${place} of ${urls.length}, ${isFresh ? 'from the start' : 'later'}, state ${state}`);

  const honest = (url: string, response: Parameters<Liar['answer']>[2]): void => {
    const { status, body } = answerOf(chain.states[state]!, url);
    reply(response, status, body);
  };
  const show = (liar: Liar | undefined): void =>
    stage.show(
      urls.map((_, i) =>
        i === place && liar !== undefined
          ? (url, response) => liar.answer(chain.states[state]!, url, response)
          : honest,
      ),
    );
  const lie = (): void => {
    const liar = drawLiar(random, {
      world: chain,
      mayLieAboutIdentity: !isFresh,
      onAltered: (member) => figures.members.add(member),
    });
    for (const name of liar.name.split(/ and |, or /)) figures.lies.add(name.replaceAll(/\d+/g, 'N'));
    steps.push(liar.name);
    show(liar);
  };

  show(undefined);
  if (isFresh && hasLiar) lie();
  const populating = populateInto(
    await stage.copy.open(),
    urls,
    { ...(hasLiar ? TIMES : PATIENT), work: chain.work },
    { ...SETTINGS, ...chain.work },
  );
  try {
    if (!isFresh) await populating.at(headOf(chain.states[state]!));
    if (!isFresh && hasLiar) lie();
    for (let change = random.int(1, 3); change > 0; change--) {
      if (hasLiar && random.chance(0.4)) lie();
      const before = chain.states[state];
      if (state < last) state += 1;
      steps.push(`state ${state}`);
      const isAwaited = honestNodes > 0 && (change === 1 || random.chance(0.7));
      if (!isAwaited) await passed(populating, random.int(5, 60));
      else {
        const since = performance.now();
        await populating.at(headOf(chain.states[state]!));
        figures.seconds.push((performance.now() - since) / 1000);
        figures.blocks.push(blocksOnlyOf(chain.states[state]!, before));
      }
    }
    // The liar goes on while there is nothing new.
    if (hasLiar) await passed(populating, random.int(0, 40));
    if (honestNodes === 0) {
      show(undefined);
      steps.push('honest');
    }
    await populating.at(headOf(chain.states[state]!));
  } finally {
    await populating.stop();
  }
  if (!hasLiar) mustBeQuiet(populating);
  await mustBeHonest(stage.copy, chain, state);
  figures.rounds += 1;
  if (chain.seed === undefined) figures.recorded += 1;
  if (!hasLiar) figures.honestAlone += 1;
  else if (honestNodes === 0) figures.alone += 1;
  else figures.withHonest += 1;
}

/** Waits for a number of requests to nodes, or for some time, because nodes that do not answer get few requests. */
async function passed(populating: Populating, requests: number): Promise<void> {
  const until = { requests: populating.requests() + requests, time: performance.now() + 500 };
  while (populating.requests() < until.requests && performance.now() < until.time) await pause(5);
}

/** Honest nodes are never suspected. */
function mustBeQuiet({ log }: Populating): void {
  const alarms = log.filter(
    ({ level, state }) => Number(level) > INFO_LEVEL && state !== undefined && !OF_CHANGES.includes(state as string),
  );
  mustBeNone(alarms.map((line) => JSON.stringify(line)));
}

/** The copy is that of a clean load from an honest node, and nothing else was ever committed or announced. */
async function mustBeHonest(copy: ReusedCopy, chain: Chain, state: number): Promise<void> {
  const database = await copy.reopen();
  try {
    const clean = await chain.clean(state);
    const facts = await factsOf(database);
    for (const [table, rows] of Object.entries(clean)) {
      mustBeNone(differing(rows, facts[table]!), table);
      expect(facts[table], `order of ${table}`).to.deep.equal(rows);
    }
    const { rows: announced } = await database.query<{ hash: string; body: string }>({
      name: 'test.announced',
      text: `SELECT DISTINCT hash, body FROM events WHERE kind IN ('key_block', 'micro_block', 'transaction', 'tx_update', 'left')`,
    });
    const foreign = [...(await copy.committed()), ...announced].filter((one) => !isHonest(chain, one));
    mustBeNone(foreign.map(({ hash, body }) => `${hash} ${body}, not ${String(chain.known.get(hash))}`));
    expect(await verifyEvents(database)).to.deep.equal([]);
  } finally {
    await database.close();
  }
}

function mustBeNone(lines: readonly string[], of = 'lines'): void {
  if (lines.length > 0) throw new Error(`${of}:\n${lines.join('\n')}`);
}

/** Two honest nodes with a recorded chain that grows to its end. */
export function honestLaw(of: Recording): void {
  it(`raises no alarm about honest nodes with the whole chain of ${of}`, async () => {
    const server = await testDatabase();
    const length = recordedGenerations(of).length;
    const stage = await createStage(server, 'honest');
    try {
      const states = recordedChain(of, [length - 3, length - 2, length]);
      let shown = states[0]!;
      const honest: Liar['answer'] = (_, url, response) => {
        const { status, body } = answerOf(shown, url);
        reply(response, status, body);
      };
      stage.show([0, 1].map(() => (url, response) => honest(shown, url, response)));
      const populating = populateInto(await stage.copy.open(), stage.urls.slice(0, 2), PATIENT, SETTINGS);
      try {
        for (const state of states) {
          shown = state;
          await populating.at(headOf(state));
        }
      } finally {
        await populating.stop();
      }
      mustBeQuiet(populating);
    } finally {
      await stage.close();
      await server.drop();
    }
  });
}

/** Rows that only one of both has. */
const differing = (clean: readonly string[], stored: readonly string[]): string[] => [
  ...clean.filter((row) => !stored.includes(row)).map((row) => `- ${row}`),
  ...stored.filter((row) => !clean.includes(row)).map((row) => `+ ${row}`),
];

/** Whether an honest node says so, too: in another spelling only if nodes of its time use it. */
function isHonest({ known, states }: Chain, { hash, body }: { hash: string; body: string }): boolean {
  const texts = known.get(hash) ?? [];
  if (texts.includes(body)) return true;
  const stored = parseExact(body) as JsonObject;
  return texts.some((text) => {
    const honest = parseExact(text) as JsonObject;
    const block = honest['block_hash'] as string | undefined;
    const header = block === undefined ? honest : parseExact(states[0]!.blocks.get(block)!.header);
    const version = (header as { version: number }).version;
    return stringifyExact(canonical(stored, honest, version)) === stringifyExact(canonical(honest, stored, version));
  });
}
