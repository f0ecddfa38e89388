import { expect } from 'chai';
import { describeWith } from '../support/kube-tools.js';
import { createMany, startOperatorProcess } from './support/many.js';
import type { OperatorProcess } from './support/many.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { Scene } from './support/scene.js';

const COUNT = Number(process.env.RESOURCES ?? 200);
/** Time for which nothing may be written, s. */
const REST = Number(process.env.REST_SECONDS ?? 60);
const MOST_MIB = 200;

// `make bench-operator` measures the speed with many resources.
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

  it(`settles ${COUNT} resources made at once, within ${MOST_MIB} MiB`, async () => {
    await createMany(scene, COUNT);
    await operator.serves(COUNT);

    expect((await operator.metrics()).get('process_resident_memory_bytes')).to.be.lessThan(MOST_MIB * 2 ** 20);
  });

  it(`writes nothing for ${REST} s after all resources are settled`, async () => {
    expect(await operator.writesAtRest(REST)).to.equal(0);
  });
});
