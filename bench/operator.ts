/**
 * What the operator takes with many resources on a simulated control plane, and how soon it acts. Writes its part of bench/README.md.
 *
 *   KUBE_PLANE=FOLDER make bench-operator
 *   RESOURCES=20 REST_SECONDS=10 KUBE_PLANE=FOLDER make bench-operator
 *
 * Run by mocha, whose end stops the control plane of test/cluster.
 */
import { expect } from 'chai';
import { availableParallelism, loadavg } from 'node:os';
import { eventually } from '../test/cluster/support/eventually.js';
import { createMany, startOperatorProcess } from '../test/cluster/support/many.js';
import type { OperatorProcess } from '../test/cluster/support/many.js';
import { openScene } from '../test/cluster/support/scene.js';
import type { Deployment, Scene } from '../test/cluster/support/scene.js';
import { writeSection } from './readme.js';

const COUNT = Number(process.env.RESOURCES ?? 200);
const REST_SECONDS = Number(process.env.REST_SECONDS ?? 60);
const ROUNDS = 21;
const TAKEOVERS = 3;

interface Line {
  what: string;
  figure: string;
  goal: string;
  isMet: boolean;
}

describe(`the operator with ${COUNT} resources`, function () {
  this.timeout(1_800_000);
  const lines: Line[] = [];
  const running: OperatorProcess[] = [];
  let scene: Scene;
  let leader: OperatorProcess;

  const start = async (): Promise<OperatorProcess> => {
    const started = await startOperatorProcess(scene);
    running.push(started);
    return started;
  };
  const note = (line: Line): void => {
    lines.push(line);
    console.log(`${line.what}: ${line.figure}`);
  };
  /** Milliseconds from what `act` does until `isDone`. */
  const timed = async (act: () => Promise<unknown>, isDone: () => Promise<boolean>): Promise<number> => {
    const begun = performance.now();
    await act();
    await eventually(async () => expect(await isDone()).to.equal(true), { everyMs: 5 });
    return performance.now() - begun;
  };
  const replicas = async (name: string): Promise<number | undefined> =>
    (await scene.get<Deployment>('Deployment', `${name}-server-blue`))?.spec.replicas;
  const change = (name: string, wanted: number): Promise<number> =>
    timed(
      () => scene.change(name, { server: { replicas: wanted } }),
      async () => (await replicas(name)) === wanted,
    );
  const MIB = 2 ** 20;
  const memory = async (): Promise<number> =>
    ((await leader.metrics()).get('process_resident_memory_bytes') ?? 0) / MIB;

  before(async () => {
    scene = await openScene();
    leader = await start();
    await leader.program.saw(/"Acquired the lease"/);
  });
  after(async () => {
    for (const { program } of running) {
      program.process.kill('SIGKILL');
      await program.ended;
    }
    await scene.close();
  });

  it('settles them', async () => {
    const begun = performance.now();
    await createMany(scene, COUNT);
    await leader.serves(COUNT);
    const what = 'all made at once are settled, s';
    note({ what, figure: ((performance.now() - begun) / 1000).toFixed(0), goal: '', isMet: true });
    const used = await memory();
    note({ what: 'memory then, MiB', figure: used.toFixed(0), goal: 'max 150', isMet: used <= 150 });
  });

  it('rests', async () => {
    const written = await leader.writesAtRest(REST_SECONDS);
    const what = `writes in ${REST_SECONDS} s at rest, but for the lease`;
    note({ what, figure: String(written), goal: 'none', isMet: written === 0 });
  });

  it('acts', async () => {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) times.push(await change(`r-${round % COUNT}`, 2 + (round % 2)));
    note({ what: 'a change is written to the child, ms: p50, max', figure: inShort(times), goal: '', isMet: true });
  });

  it('heals', async () => {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const [kind, name] = [round % 2 === 0 ? 'Service' : 'Deployment', `r-${round % COUNT}`] as const;
      const child = kind === 'Service' ? name : `${name}-server-blue`;
      const uid = (await scene.get(kind, child))?.metadata.uid;
      const isBack = async (): Promise<boolean> => {
        const found = await scene.get(kind, child);
        return found !== undefined && found.metadata.uid !== uid;
      };
      times.push(await timed(() => scene.remove(kind, child), isBack));
    }
    const isMet = Math.max(...times) <= 3_000;
    note({ what: 'a child that was deleted is back, ms: p50, max', figure: inShort(times), goal: 'max 3000', isMet });
  });

  it('is replaced', async () => {
    const times: number[] = [];
    for (let round = 0; round < TAKEOVERS; round += 1) {
      const next = await start();
      // It has read everything.
      await eventually(async () => expect(await next.isReady()).to.equal(true));
      leader.program.process.kill('SIGKILL');
      times.push(await change(`r-${round}`, 4 + round));
      leader = next;
    }
    const isMet = Math.max(...times) <= 20_000;
    const what = 'a change is written after kill -9 of the leader beside another one, ms: p50, max';
    note({ what, figure: inShort(times), goal: 'max 20000', isMet });
    const used = await memory();
    note({
      what: 'memory of the one that took over, MiB',
      figure: used.toFixed(0),
      goal: 'max 150',
      isMet: used <= 150,
    });

    writeSection('operator', [
      '## Operator (`make bench-operator`)',
      '',
      `${COUNT} resources on a control plane with simulated nodes, all on one machine with ${availableParallelism()} cores (load of the last minute at the end: ${loadavg()[0]!.toFixed(1)}), Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}; ${ROUNDS} changes and deletions, ${TAKEOVERS} leaders killed.`,
      '',
      '| What | | goal |',
      '|---|---|---|',
      ...lines.map(
        ({ what, figure, goal, isMet }) =>
          `| ${what} | ${figure} | ${goal === '' ? '' : `${goal}: ${isMet ? 'met' : '**missed**'}`} |`,
      ),
    ]);
  });
});

function inShort(times: number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  return `${sorted[sorted.length >> 1]!.toFixed(0)}, ${sorted.at(-1)!.toFixed(0)}`;
}
