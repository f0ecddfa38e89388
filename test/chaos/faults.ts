/**
 * All faults. Some are missing, because this machine cannot produce them: disks that return other bytes than were
 * written, clocks of PostgreSQL and of the kernel (programs have their own, `wrong-clock.mjs`), memory that the kernel
 * takes away (programs have a small heap instead). The data of PostgreSQL are on a small disk if one can be mounted.
 */
import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import type { Misbehaviour } from '../../devtools/devnode/misbehaviour.js';
import { drawFault } from '../support/faulty-node.js';
import type { Choices } from '../support/histories.js';
import { startMdw } from '../support/mdw.js';
import { ask } from '../support/steady-client.js';
import { wrongClock } from '../support/wrong-clock.js';
import type { Part } from './checks.js';
import type { Link, LinkFault } from './link.js';
import { startProgram } from './program.js';
import type { Program } from './program.js';
import { isServing } from './world.js';
import type { World } from './world.js';

export interface Fault {
  name: string;
  /** The affected object: only one fault of an object is active at a time. */
  of: string;
  /** Parts that are away during the fault: clients may notice it. */
  parts: readonly Part[];
  /** Min and max duration, ms. */
  lasts: readonly [number, number];
  /** Begins the fault. @returns a function that ends it. */
  begin(world: World, random: Choices): Promise<() => unknown>;
}

const SHORT = [200, 2_000] as const;
const LONG = [1_000, 8_000] as const;

const pick = <T>(random: Choices, items: readonly T[]): T => items[random.int(0, items.length - 1)]!;
const nothing = (): void => undefined;

const LINK_FAULTS: [name: string, fault: (random: Choices) => LinkFault][] = [
  ['is cut', () => ({ kind: 'cut' })],
  ['is frozen', () => ({ kind: 'frozen' })],
  ['is slow', (random) => ({ kind: 'slow', delayMs: random.int(5, 300) })],
  ['is narrow', (random) => ({ kind: 'narrow', bytesPerSecond: random.int(20_000, 200_000) })],
];

const network = (
  link: string,
  parts: readonly Part[],
  links: (world: World, random: Choices) => readonly Link[],
): Fault[] =>
  LINK_FAULTS.map(([what, fault]) => ({
    name: `the link ${link} ${what}`,
    of: link,
    parts,
    lasts: LONG,
    begin(world, random) {
      const affected = links(world, random);
      const kind = fault(random);
      for (const link of affected) link.suffer(kind);
      return Promise.resolve(() => affected.forEach((link) => link.suffer(undefined)));
    },
  }));

/** One of them, or all. */
const some = <T>(random: Choices, all: readonly T[]): readonly T[] => (random.chance(0.4) ? all : [pick(random, all)]);

/** Faults that end a process. Some restart it with other variables for the duration of the fault. */
function restarts(
  of: string,
  parts: readonly Part[],
  programOf: (world: World) => Program,
  back: (world: World) => Promise<unknown>,
): Fault[] {
  const restart = (name: string, signal: NodeJS.Signals): Fault => ({
    name: `${of} gets ${signal}${name}`,
    of,
    parts,
    lasts: SHORT,
    async begin(world) {
      await programOf(world).end(signal);
      return () => back(world);
    },
  });
  const restartWith = (name: string, variables: (random: Choices) => Record<string, string>): Fault => ({
    name: `${of} has ${name}`,
    of,
    parts,
    lasts: [3_000, 12_000],
    async begin(world, random) {
      await programOf(world).end('SIGTERM', variables(random));
      return async () => {
        await programOf(world).end('SIGTERM');
        await back(world);
      };
    },
  });
  return [
    restart('', 'SIGKILL'),
    restart('', 'SIGTERM'),
    restartWith('a wrong clock', (random) => wrongClock(random.int(-3600, 3600) * 1000)),
    restartWith('little memory', () => ({ NODE_OPTIONS: '--max-old-space-size=48' })),
    {
      name: `${of} is stopped`,
      of,
      parts,
      lasts: [500, 6_000],
      begin(world) {
        programOf(world).signal('SIGSTOP');
        return Promise.resolve(() => programOf(world).signal('SIGCONT'));
      },
    },
  ];
}

const MISBEHAVIOURS: ((random: Choices) => Misbehaviour)[] = [
  (random) => ({ behind: random.int(1, 5) }),
  () => ({ networkId: 'ae_other' }),
  () => ({ genesis: 'kh_2CipHmrBcC5LrmnggBrAGuxAf2fPDrAt79asKnadME4nyPRzBL' }),
  () => ({ status: 500 }),
  () => ({ status: 503 }),
  () => ({ status: 429, retryAfter: 2 }),
  () => ({ hang: true }),
  (random) => ({ slowMs: random.int(50, 1_500) }),
  () => ({ truncate: true }),
  () => ({ wrongHeight: true }),
  () => ({ disagree: true }),
];

const misbehaves = (number: number): Fault => ({
  name: `node ${number} misbehaves`,
  of: `node ${number}`,
  parts: ['node'],
  lasts: LONG,
  begin(world, random) {
    const node = world.chain.nodes[number]!;
    const share = random.chance(0.5) ? { probability: 0.4 } : {};
    node.misbehave({ ...pick(random, MISBEHAVIOURS)(random), ...share });
    return Promise.resolve(() => node.misbehave(null));
  },
});

const ofServer = (number: number): Fault[] => {
  const server = `server ${number}` as const;
  return [
    ...restarts(
      server,
      [server],
      (world) => world.servers[number]!.program,
      (world) => isServing(world.servers[number]!),
    ),
    ...network(`from ${server} to the database`, [`database of ${server}`], (world) => [
      world.servers[number]!.database,
    ]),
    ...network(`from the clients to ${server}`, [server], (world) => [world.servers[number]!.clients]),
    {
      name: `clients of ${server} never read`,
      of: `the other clients of ${server}`,
      parts: [],
      lasts: LONG,
      begin: (world) => Promise.resolve(neverRead(world.servers[number]!.url)),
    },
    {
      name: `${server} gets too many requests`,
      of: `the other clients of ${server}`,
      parts: [server],
      lasts: SHORT,
      begin(world) {
        const { url } = world.servers[number]!;
        const asked = Array.from({ length: 300 }, (_, i) =>
          ask(`${url}/middleware/generations/${i % 7}/100000?limit=${50 + i}`).catch(nothing),
        );
        return Promise.resolve(() => Promise.all(asked));
      },
    },
  ];
};

/** Clients that subscribe from the first event on and never read. */
function neverRead(url: string): () => void {
  const sockets = Array.from({ length: 10 }, () => new WebSocket(`${url.replace('http', 'ws')}/websocket`));
  const subscriptions = ['key_blocks', 'micro_blocks', 'transactions'];
  for (const socket of sockets) {
    socket.on('error', nothing).on('open', () => {
      socket.send(JSON.stringify({ op: 'subscribe', subscriptions, from: 0 }));
      socket.pause();
    });
  }
  return () => sockets.forEach((socket) => socket.terminate());
}

/** Kills one backend process of PostgreSQL, which handles that like a crash. */
async function crashPostgres(world: World): Promise<void> {
  const [row] = await world.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'mdw%' ORDER BY random() LIMIT 1`,
  );
  if (row !== undefined) process.kill(row.pid, 'SIGKILL');
}

const POSTGRES: Fault[] = [
  {
    name: 'PostgreSQL is restarted',
    of: 'PostgreSQL',
    parts: ['database'],
    lasts: SHORT,
    begin: (world) => world.postgres.restart().then(() => nothing),
  },
  {
    name: 'PostgreSQL crashes',
    of: 'PostgreSQL',
    parts: ['database'],
    lasts: SHORT,
    begin: (world) => crashPostgres(world).then(() => nothing),
  },
  {
    name: 'PostgreSQL ends all sessions',
    of: 'PostgreSQL',
    parts: ['database'],
    lasts: SHORT,
    async begin(world) {
      await world.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'mdw%'`);
      return nothing;
    },
  },
  {
    name: 'the disk of PostgreSQL is full',
    of: 'PostgreSQL',
    parts: ['database'],
    lasts: LONG,
    begin: (world) => Promise.resolve(fillDisk(world)),
  },
];

/** Fills the disk of the copy. */
function fillDisk({ disk }: World): () => void {
  if (disk === undefined) throw new Error('no small disk');
  const ballast = join(disk, 'ballast');
  const { bavail, bsize } = statfsSync(disk);
  execFileSync('fallocate', ['--length', String(bavail * bsize), ballast]);
  return () => rmSync(ballast);
}

export const FAULTS: readonly Fault[] = [
  ...restarts(
    'the populator',
    [],
    (world) => world.populator.program,
    () => Promise.resolve(),
  ),
  {
    name: 'a second populator runs for a while',
    of: 'the second populator',
    parts: [],
    lasts: LONG,
    begin(world) {
      const second = startProgram('second populator', ['-p'], {
        ...world.populatorEnv,
        LOG_DIR: join(world.logs, 'second populator'),
      });
      return Promise.resolve(() => second.close());
    },
  },
  {
    name: 'the last heights are reloaded',
    of: 'mdw -H',
    parts: [],
    lasts: LONG,
    begin(world, random) {
      const to = world.chain.nodes[0]!.height() - random.int(0, 2);
      const heights = `${Math.max(0, to - random.int(0, 8))}-${Math.max(0, to)}`;
      const loading = startMdw(['-H', heights], world.populatorEnv);
      return Promise.resolve(async () => {
        loading.process.kill(random.chance(0.5) ? 'SIGKILL' : 'SIGTERM');
        await loading.ended;
      });
    },
  },
  ...network('from the populator to the database', [], (world) => [world.populator.database]),
  ...network('from the populator to nodes', [], (world, random) => some(random, world.populator.nodes)),
  ...network('from the servers to nodes', ['node'], (world, random) => some(random, world.serversToNodes)),
  misbehaves(0),
  misbehaves(1),
  {
    name: 'a third node returns wrong answers',
    of: 'the third node',
    parts: [],
    lasts: LONG,
    begin(world, random) {
      world.liar.suffer(drawFault(random, world.chain.nodes));
      return Promise.resolve(() => world.liar.suffer(undefined));
    },
  },
  ...ofServer(0),
  ...ofServer(1),
  ...POSTGRES,
];
