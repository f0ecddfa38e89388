/** Storms of random faults with rests between them, in which everything is compared; all the while clients look. */
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { formatCursor } from '../../src/events/cursor.js';
import { MIXTURE, choices } from '../support/histories.js';
import type { Choices } from '../support/histories.js';
import { createRequester } from '../support/soak-requests.js';
import type { ReportedEvent } from '../support/soak-requests.js';
import { startAsking } from './askers.js';
import type { Asker, Known } from './askers.js';
import { growing, isExcused } from './checks.js';
import type { Away, Received } from './checks.js';
import { FAULTS } from './faults.js';
import type { Fault } from './faults.js';
import { followAsStream, followOverWebsocket } from './followers.js';
import type { Follower } from './followers.js';
import type { Held } from './program.js';
import {
  contradictions,
  differsFromModel,
  incomplete,
  misleading,
  mistakes,
  settled,
  storedBlocks,
  tooManySessions,
} from './rest.js';
import { startWorld } from './world.js';
import type { World } from './world.js';

export interface ChaosOptions {
  minutes: number;
  seed: number;
  /** For people: what happens. */
  say(line: string): void;
}

export interface Outcome {
  /** Invariants that were broken; empty when all is well. */
  broken: string[];
  /** What was done last, newest last. */
  steps: string[];
  figures: Figures;
}

export interface Figures {
  rests: number;
  changes: number;
  faults: Record<string, number>;
  events: number;
  reconnects: number;
  answers: number;
  /** Answers of 5xx and none while a part was away. */
  excused: number;
  questions: number;
  looks: number;
  /** Ends by force, see `Program`. */
  forced: number;
  /** The longest time until everything was right again after a storm. */
  settledMs: number;
  height: number;
  held: (Held & { name: string })[];
}

const STORM_MS = 30_000;
const PROGRESS_MS = 30_000;
/** Faults at a time. */
const MAX_AT_A_TIME = 3;
/** After which what was away has to answer again, ms. */
const GRACE_MS = 5_000;
const LAST_STEPS = 60;

const now = (): number => performance.timeOrigin + performance.now();

export async function chaos({ minutes, seed, say }: ChaosOptions): Promise<Outcome> {
  const world = await startWorld(seed);
  const run = await startRun(world, seed);
  const progress = setInterval(() => say(run.progress()), PROGRESS_MS);
  try {
    await run.storms(now() + minutes * 60_000);
  } catch (error) {
    run.outcome.broken.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    clearInterval(progress);
    await run.stop();
    const kept = run.outcome.broken.length > 0;
    if (kept) say(`The logs of the programs are kept in ${world.logs}`);
    await world.close(kept);
  }
  return run.outcome;
}

interface Run {
  outcome: Outcome;
  progress(): string;
  /** Until a time, or until an invariant is broken. */
  storms(until: number): Promise<void>;
  stop(): Promise<void>;
}

async function startRun(world: World, seed: number): Promise<Run> {
  // What one draws must not depend on how often another one did.
  const [ofChain, random] = [choices(seed), choices(seed + 1)];
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const away: Away[] = [];
  const started = now();
  const outcome: Outcome = {
    broken: [],
    steps: [],
    figures: {
      ...{ rests: 0, changes: 0, faults: {}, events: 0, reconnects: 0, answers: 0 },
      ...{ excused: 0, questions: 0, looks: 0, forced: 0, settledMs: 0, height: 0, held: [] },
    },
  };
  const { broken, steps, figures } = outcome;
  const step = (what: string): void => {
    steps.push(`${((now() - started) / 1000).toFixed(1)} s: ${what}`);
    if (steps.length > LAST_STEPS) steps.shift();
  };

  const { first, tops, since, chain } = await beginning(world);
  const known: Known & { hashes: string[] } = { height: world.chain.nodes[0]!.height(), hashes: [...chain] };
  let questions = createRequester();
  const { followers, askers } = startClients(world, {
    ...{ first, chain, since, known, random: choices(seed + 2), signal: end.signal },
    onEvent: (event, url) => questions.request(event, url, false),
  });
  const looking = startLooking(world, broken, figures, end.signal);

  /** Until the time comes, faults begin and end, and the chain changes. */
  async function storm(until: number): Promise<void> {
    const running = new Map<Fault, Promise<void>>();
    const isOver = (): boolean => now() >= until || broken.length > 0;
    const changing = (async () => {
      while (!isOver()) {
        step(await world.chain.change(ofChain));
        figures.changes += 1;
        await pause(ofChain.int(30, 400));
      }
    })();
    while (!isOver()) {
      await pause(random.int(100, 2_500));
      const taken = new Set([...running.keys()].map(({ of }) => of));
      const free = FAULTS.filter(({ of }) => !taken.has(of));
      const fault = free[random.int(0, free.length - 1)]!;
      if (running.size >= MAX_AT_A_TIME || isOver()) continue;
      const [lasts, own] = [random.int(...fault.lasts), choices(random.int(0, 2 ** 31))];
      running.set(
        fault,
        strike(fault, lasts, own).finally(() => running.delete(fault)),
      );
    }
    await Promise.all([changing, ...running.values()]);
  }

  async function strike(fault: Fault, lasts: number, own: Choices): Promise<void> {
    const { name, parts } = fault;
    const time: Away = { parts, begun: now(), ended: Infinity };
    away.push(time);
    figures.faults[name] = (figures.faults[name] ?? 0) + 1;
    step(`${name}, for ${lasts} ms`);
    try {
      const mend = await fault.begin(world, own);
      await pause(lasts);
      await mend();
    } catch (error) {
      // Two faults at a time may leave nobody who could do what one of them wants.
      step(`${name} could not be: ${String(error)}`);
    }
    step(`no more: ${name}`);
    time.ended = now() + GRACE_MS;
  }

  async function rest(): Promise<void> {
    step('rest');
    const received: { name: string; received: Received }[] = followers;
    const begun = now();
    await settled(world, received);
    figures.settledMs = Math.max(figures.settledMs, Math.round(now() - begun));
    const asked = await questions.results();
    questions = createRequester();
    const unwell = [
      ...askers.flatMap((one) => one.unwell.splice(0)),
      ...asked
        .filter(({ status }) => status !== 200 && status !== 404)
        .map((one) => ({ ...one, server: serverOf(world, one.url), own: one.head !== undefined })),
    ];
    broken.push(
      ...(await differsFromModel(world)),
      ...(await incomplete(world, received)),
      ...(await contradictions(world)),
      ...(await misleading(world, asked, { first, tops, away })),
      ...(await tooManySessions(world)),
      ...unwell.filter((one) => !isExcused(one, away)).map((one) => `not excused: ${JSON.stringify(one)}`),
      ...askers.flatMap((one) => one.faults.splice(0)),
      ...programs(world).flatMap(({ faults }) => faults.splice(0)),
      ...mistakes(world),
    );
    figures.held.push(
      ...programs(world).flatMap((one) => [one.held()].flatMap((held) => (held ? [{ name: one.name, ...held }] : []))),
    );
    broken.push(...growing(figures.held));
    figures.rests += 1;
    figures.excused += unwell.length;
    figures.questions += asked.length;
    count();
  }

  function count(): void {
    figures.events = followers.reduce((sum, { received }) => sum + received.last - first, 0);
    figures.reconnects = followers.reduce((sum, { reconnects }) => sum + reconnects, 0);
    figures.answers = askers.reduce((sum, { answers }) => sum + answers, 0);
    figures.forced = programs(world).reduce((sum, { forced }) => sum + forced(), 0);
    figures.height = world.chain.nodes[0]!.height();
  }

  return {
    outcome,
    progress() {
      count();
      const struck = Object.values(figures.faults).reduce((sum, times) => sum + times, 0);
      return (
        `${Math.round((now() - started) / 1000)} s: ${figures.rests} rests, ${struck} faults, ${figures.changes} changes of the ` +
        `chain, height ${figures.height}, ${figures.events} events received, ${figures.answers} answers, ${broken.length} broken`
      );
    },
    async storms(until) {
      await rest();
      while (now() < until && broken.length === 0) {
        await storm(Math.min(until, now() + STORM_MS));
        if (broken.length === 0) await rest();
      }
    },
    async stop() {
      end.abort();
      await Promise.all([looking, ...askers.map(({ done }) => done)]);
    },
  };
}

const programs = (world: World): World['populator']['program'][] => [
  world.populator.program,
  ...world.servers.map(({ program }) => program),
];

const serverOf = (world: World, url: string): number => world.servers.findIndex((server) => server.url === url);

/** The moment from which clients are received, and the chain at that moment. */
export async function beginning(
  world: World,
): Promise<{ first: number; tops: Map<number, string>; since: string; chain: string[] }> {
  // The head is a key block, after which there are no transactions yet.
  await world.chain.mineKeyBlock();
  await settled(world, []);
  const [row] = await world.query<{ seq: string }>('SELECT event_seq AS seq FROM chain');
  const keys = await world.query<{ height: string; hash: string }>('SELECT height, hash FROM key_blocks');
  const chain = (await storedBlocks(world)).map(({ hash }) => hash);
  const first = Number(row!.seq);
  return {
    first,
    tops: new Map(keys.map(({ height, hash }) => [Number(height), hash])),
    since: formatCursor({ seq: first, block: chain.at(-1)!, transactions: 0 }),
    chain,
  };
}

interface Clients {
  first: number;
  chain: readonly string[];
  since: string;
  known: Known & { hashes: string[] };
  random: Choices;
  signal: AbortSignal;
  /** An event, and the server that published it. */
  onEvent(event: ReportedEvent, url: string): void;
}

/** Each server has one follower of its own, and there are some that go from one to the other. */
function startClients(
  world: World,
  { known, random, onEvent, ...since }: Clients,
): { followers: Follower[]; askers: Asker[] } {
  const urls = world.servers.map(({ url }) => url);
  const both = { ...since, urls };
  const followers = [
    ...urls.map((url, i) =>
      followOverWebsocket(`websocket of server ${i}`, {
        ...since,
        urls: [url],
        onEvent(seq, event) {
          const received = { seq, ...event };
          if (received.subscription === 'key_blocks') known.height = received.payload.height!;
          known.hashes.push(received.payload.hash);
          onEvent(received, url);
        },
      }),
    ),
    followOverWebsocket('websocket of both', both),
    followAsStream('stream of both', both),
    followAsStream('stream of server 1', { ...since, urls: urls.slice(1) }),
  ];
  const askers = [0, 1, 0, 1].map((server) =>
    startAsking(server, urls[server]!, { random: choices(random.int(0, 2 ** 31)), known, signal: since.signal }),
  );
  return { followers, askers };
}

/** Looks at the whole copy again and again, each time in one snapshot, past all faults of the network. */
async function startLooking(world: World, broken: string[], figures: Figures, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // PostgreSQL itself may be away.
    const rows = await world.query<{ what: string }>(MIXTURE).catch(() => undefined);
    if (rows !== undefined) figures.looks += 1;
    broken.push(...(rows ?? []).map(({ what }) => `a snapshot shows: ${what}`));
    await pause(1_000);
  }
}
