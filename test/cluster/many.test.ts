import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';
import { describeWith } from '../support/kube-tools.js';
import { startMdw } from '../support/mdw.js';
import type { RunningMdw } from '../support/mdw.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { IMAGE, openScene } from './support/scene.js';
import type { Deployment, Scene } from './support/scene.js';

const COUNT = Number(process.env.RESOURCES ?? 200);
/** Time for which nothing may be written, s. */
const REST = Number(process.env.REST_SECONDS ?? 60);
const MOST_MIB = 200;
const MOST_MS = 500;

describeWith(missingPlane, 'an operator with many resources', function () {
  this.timeout(1_800_000);
  let scene: Scene;
  let operator: RunningMdw;
  let metricsUrl = '';

  before(async () => {
    scene = await openScene();
    await scene.secret();
    operator = startMdw(['operator', '--metrics-address', '127.0.0.1:0', '--reach', 'direct'], {
      KUBECONFIG: scene.plane.kubeconfig,
      OPERATOR_NAMESPACES: scene.namespace,
      POD_NAMESPACE: scene.namespace,
      MIDDLEWARE_IMAGE: IMAGE,
    });
    const [, port] = await operator.saw(/"port":(\d+)/);
    metricsUrl = `http://127.0.0.1:${port}/metrics`;
    await operator.saw(/"Acting: holds the lease"/);
  });
  after(async () => {
    operator.process.kill('SIGTERM');
    await operator.ended;
    await scene.close();
  });

  const metrics = async (): Promise<Map<string, number>> => {
    const text = await (await fetch(metricsUrl)).text();
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
  };
  /** Requests that change something; the lease is renewed by PUT. */
  const writes = async (): Promise<number> => {
    const known = await metrics();
    return [...known]
      .filter(([name]) => /^mdw_operator_api_requests_total\{verb="(POST|PATCH|DELETE)"/.test(name))
      .reduce((sum, [, value]) => sum + value, 0);
  };

  it(`settles ${COUNT} made at once, within ${MOST_MIB} MiB`, async () => {
    const begun = performance.now();
    const names = Array.from({ length: COUNT }, (_, index) => `r-${index}`);
    for (const some of chunks(names, 20)) {
      await Promise.all(
        some.map((name) =>
          scene.create(name, {
            database: { secret: { name: 'db' }, schema: name.replace('-', '_') },
            server: { replicas: 1 },
          }),
        ),
      );
    }
    await eventually(
      async () => expect((await metrics()).get('mdw_operator_resources{phase="Serving"}')).to.equal(COUNT),
      1_200_000,
      1_000,
    );
    const seconds = Math.round((performance.now() - begun) / 1000);
    const bytes = (await metrics()).get('process_resident_memory_bytes') ?? 0;
    tell(`${COUNT} resources settled in ${seconds} s; memory ${Math.round(bytes / 2 ** 20)} MiB`);

    expect(bytes).to.be.lessThan(MOST_MIB * 2 ** 20);
  });

  it(`writes nothing for ${REST} s when all is as asked for`, async () => {
    await eventually(async () => {
      const before = await writes();
      await pause(5_000);
      expect(await writes()).to.equal(before);
    }, 300_000);
    const before = await writes();
    await pause(REST * 1000);

    expect(await writes()).to.equal(before);
  });

  it(`acts on a change of a resource within ${MOST_MS} ms, in the median`, async () => {
    const times: number[] = [];
    for (let round = 0; round < 21; round++) {
      const name = `r-${round % COUNT}`;
      const wanted = (round % 2) + 2;
      const begun = performance.now();
      await scene.change(name, { server: { replicas: wanted } });
      await eventually(
        async () => {
          const deployment = await scene.get<Deployment>('Deployment', `${name}-server-blue`);
          expect(deployment?.spec.replicas).to.equal(wanted);
        },
        30_000,
        5,
      );
      times.push(performance.now() - begun);
    }
    times.sort((a, b) => a - b);
    const at = (share: number): number => Math.round(times[Math.floor(times.length * share)] ?? 0);
    tell(`a change is written to the child after ${at(0.5)} ms (median), ${at(0.95)} ms (95 of 100)`);

    expect(at(0.5)).to.be.at.most(MOST_MS);
  });
});

function* chunks<T>(list: T[], size: number): Generator<T[]> {
  for (let i = 0; i < list.length; i += size) yield list.slice(i, i + size);
}

/** Figures for those who run the suite. */
const tell = (text: string): void => void process.stderr.write(`      ${text}\n`);
