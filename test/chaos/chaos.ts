/** Storms of random faults. Clients run all the time; in quiet phases between the storms everything is compared. */
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { formatCursor } from '../../src/events/cursor.js';
import { MIXTURE, choices } from '../support/histories.js';
import type { Choices } from '../support/histories.js';
import { createRequester } from '../support/soak-requests.js';
import type { ReportedEvent } from '../support/soak-requests.js';
import { startHttpClient } from './http-clients.js';
import type { HttpClient, Known } from './http-clients.js';
import { growingUsage, isExcused } from './checks.js';
import type { Away, Received } from './checks.js';
import { FAULTS } from './faults.js';
import type { Fault } from './faults.js';
import { followAsStream, followOverWebsocket } from './followers.js';
import type { Follower } from './followers.js';
import type { Usage } from './program.js';
import {
  contradictions,
  differsFromModel,
  receivedFaults,
  answerFaults,
  loggedErrors,
  waitUntilSettled,
  storedBlocks,
  tooManySessions,
} from './quiet-phase.js';
import { startWorld } from './world.js';
import type { World } from './world.js';

export interface ChaosOptions {
  minutes: number;
  seed: number;
  /** Prints a progress line. */
  say(line: string): void;
}

export interface Outcome {
  /** Violations of invariants; empty after a successful run. */
  broken: string[];
  /** The last steps, newest last. */
  steps: string[];
  figures: Figures;
}

export interface Figures {
  quietPhases: number;
  changes: number;
  faults: Record<string, number>;
  events: number;
  reconnects: number;
  answers: number;
  /** Requests with a 5xx or no answer while a part was away. */
  excused: number;
  requests: number;
  snapshots: number;
  /** Number of processes that ended by force, see `Program`. */
  forced: number;
  /** Max time after a storm until everything was correct again. */
  settledMs: number;
  height: number;
  usage: (Usage & { name: string })[];
}

const STORM_MS = 30_000;
const PROGRESS_MS = 30_000;
/** Max concurrent faults. */
const MAX_CONCURRENT = 3;
/** Time after a fault in which its parts may still fail to answer, ms. */
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
    const isFailed = run.outcome.broken.length > 0;
    if (isFailed) say(`The logs of the programs are in ${world.logs}`);
    await world.close(isFailed);
  }
  return run.outcome;
}

interface Run {
  outcome: Outcome;
  progress(): string;
  /** Runs storms and quiet phases until a time, or until an invariant is violated. */
  storms(until: number): Promise<void>;
  stop(): Promise<void>;
}

async function startRun(world: World, seed: number): Promise<Run> {
  // Separate generators, so that the changes of the chain do not depend on the number of faults.
  const [ofChain, random] = [choices(seed), choices(seed + 1)];
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const away: Away[] = [];
  const started = now();
  const outcome: Outcome = {
    broken: [],
    steps: [],
    figures: {
      ...{ quietPhases: 0, changes: 0, faults: {}, events: 0, reconnects: 0, answers: 0 },
      ...{ excused: 0, requests: 0, snapshots: 0, forced: 0, settledMs: 0, height: 0, usage: [] },
    },
  };
  const { broken, steps, figures } = outcome;
  const step = (what: string): void => {
    steps.push(`${((now() - started) / 1000).toFixed(1)} s: ${what}`);
    if (steps.length > LAST_STEPS) steps.shift();
  };

  const { first, keyBlocks, since, chain } = await beginning(world);
  const known: Known & { hashes: string[] } = { height: world.chain.nodes[0]!.height(), hashes: [...chain] };
  let requests = createRequester();
  const { followers, httpClients } = startClients(world, {
    ...{ first, chain, since, known, random: choices(seed + 2), signal: end.signal },
    onEvent: (event, url) => requests.request(event, url, false),
  });
  const snapshotChecks = startSnapshotChecks(world, broken, figures, end.signal);

  /** Until the given time, faults begin and end, and the chain changes. */
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
      if (running.size >= MAX_CONCURRENT || isOver()) continue;
      const [lasts, own] = [random.int(...fault.lasts), choices(random.int(0, 2 ** 31))];
      running.set(
        fault,
        runFault(fault, lasts, own).finally(() => running.delete(fault)),
      );
    }
    await Promise.all([changing, ...running.values()]);
  }

  async function runFault(fault: Fault, lasts: number, own: Choices): Promise<void> {
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
      // A fault may be impossible while another one is active.
      step(`${name} was not possible: ${String(error)}`);
    }
    step(`ended: ${name}`);
    time.ended = now() + GRACE_MS;
  }

  async function quietPhase(): Promise<void> {
    step('quiet phase');
    const received: { name: string; received: Received }[] = followers;
    const begun = now();
    await waitUntilSettled(world, received);
    figures.settledMs = Math.max(figures.settledMs, Math.round(now() - begun));
    const asked = await requests.results();
    requests = createRequester();
    const failed = [
      ...httpClients.flatMap((one) => one.failed.splice(0)),
      ...asked
        .filter(({ status }) => status !== 200 && status !== 404)
        .map((one) => ({ ...one, server: serverOf(world, one.url), own: one.head !== undefined })),
    ];
    broken.push(
      ...(await differsFromModel(world)),
      ...(await receivedFaults(world, received)),
      ...(await contradictions(world)),
      ...(await answerFaults(world, asked, { first, keyBlocks, away })),
      ...(await tooManySessions(world)),
      ...failed.filter((one) => !isExcused(one, away)).map((one) => `not excused: ${JSON.stringify(one)}`),
      ...httpClients.flatMap((one) => one.faults.splice(0)),
      ...programs(world).flatMap(({ faults }) => faults.splice(0)),
      ...loggedErrors(world),
    );
    figures.usage.push(
      ...programs(world).flatMap((one) =>
        [one.usage()].flatMap((usage) => (usage ? [{ name: one.name, ...usage }] : [])),
      ),
    );
    broken.push(...growingUsage(figures.usage));
    figures.quietPhases += 1;
    figures.excused += failed.length;
    figures.requests += asked.length;
    count();
  }

  function count(): void {
    figures.events = followers.reduce((sum, { received }) => sum + received.last - first, 0);
    figures.reconnects = followers.reduce((sum, { reconnects }) => sum + reconnects, 0);
    figures.answers = httpClients.reduce((sum, { answers }) => sum + answers, 0);
    figures.forced = programs(world).reduce((sum, { forced }) => sum + forced(), 0);
    figures.height = world.chain.nodes[0]!.height();
  }

  return {
    outcome,
    progress() {
      count();
      const faultCount = Object.values(figures.faults).reduce((sum, times) => sum + times, 0);
      return (
        `${Math.round((now() - started) / 1000)} s: ${figures.quietPhases} quiet phases, ${faultCount} faults, ${figures.changes} changes of the ` +
        `chain, height ${figures.height}, ${figures.events} events received, ${figures.answers} answers, ${broken.length} broken`
      );
    },
    async storms(until) {
      await quietPhase();
      while (now() < until && broken.length === 0) {
        await storm(Math.min(until, now() + STORM_MS));
        if (broken.length === 0) await quietPhase();
      }
    },
    async stop() {
      end.abort();
      await Promise.all([snapshotChecks, ...httpClients.map(({ done }) => done)]);
    },
  };
}

const programs = (world: World): World['populator']['program'][] => [
  world.populator.program,
  ...world.servers.map(({ program }) => program),
];

const serverOf = (world: World, url: string): number => world.servers.findIndex((server) => server.url === url);

/** The state from which clients receive events: number of the last event, cursor, blocks, and key blocks by height. */
export async function beginning(
  world: World,
): Promise<{ first: number; keyBlocks: Map<number, string>; since: string; chain: string[] }> {
  // The cursor names a head without transactions: a new key block.
  await world.chain.mineKeyBlock();
  await waitUntilSettled(world, []);
  const [row] = await world.query<{ seq: string }>('SELECT event_seq AS seq FROM chain');
  const keys = await world.query<{ height: string; hash: string }>('SELECT height, hash FROM key_blocks');
  const chain = (await storedBlocks(world)).map(({ hash }) => hash);
  const first = Number(row!.seq);
  return {
    first,
    keyBlocks: new Map(keys.map(({ height, hash }) => [Number(height), hash])),
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
  /** Called with an event and the URL of the server that sent it. */
  onEvent(event: ReportedEvent, url: string): void;
}

/** Starts one follower for each server, and followers that switch between servers. */
function startClients(
  world: World,
  { known, random, onEvent, ...since }: Clients,
): { followers: Follower[]; httpClients: HttpClient[] } {
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
  const httpClients = [0, 1, 0, 1].map((server) =>
    startHttpClient(server, urls[server]!, { random: choices(random.int(0, 2 ** 31)), known, signal: since.signal }),
  );
  return { followers, httpClients };
}

/** Checks snapshots of the whole copy again and again, over a connection without network faults. */
async function startSnapshotChecks(
  world: World,
  broken: string[],
  figures: Figures,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    // The query fails while PostgreSQL is away.
    const rows = await world.query<{ what: string }>(MIXTURE).catch(() => undefined);
    if (rows !== undefined) figures.snapshots += 1;
    broken.push(...(rows ?? []).map(({ what }) => `a snapshot shows: ${what}`));
    await pause(1_000);
  }
}
