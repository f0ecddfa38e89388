import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';
import { describeWith } from '../support/kube-tools.js';
import { eventually } from './support/eventually.js';
import { createMany, startOperatorProcess } from './support/many.js';
import type { OperatorProcess } from './support/many.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { Scene } from './support/scene.js';

const COUNT = Number(process.env.RESOURCES ?? 200);
/** Time for which nothing may be written, s. */
const REST = Number(process.env.REST_SECONDS ?? 60);
const MOST_MIB = 200;

// How quick it is with so many: make bench-operator.
describeWith(missingPlane, 'an operator with many resources', function () {
  this.timeout(1_800_000);
  let scene: Scene;
  let operator: OperatorProcess;

  before(async () => {
    scene = await openScene();
    operator = await startOperatorProcess(scene);
  });
  after(async () => {
    operator.program.process.kill('SIGTERM');
    await operator.program.ended;
    await scene.close();
  });

  it(`settles ${COUNT} made at once, within ${MOST_MIB} MiB`, async () => {
    await createMany(scene, COUNT);
    await eventually(
      async () => expect((await operator.metrics()).get('mdw_operator_resources{phase="Serving"}')).to.equal(COUNT),
      1_200_000,
      1_000,
    );

    expect((await operator.metrics()).get('process_resident_memory_bytes')).to.be.lessThan(MOST_MIB * 2 ** 20);
  });

  it(`writes nothing for ${REST} s when all is as asked for`, async () => {
    await eventually(async () => {
      const before = await operator.writes();
      await pause(5_000);
      expect(await operator.writes()).to.equal(before);
    }, 300_000);
    const before = await operator.writes();
    await pause(REST * 1000);

    expect(await operator.writes()).to.equal(before);
  });
});
