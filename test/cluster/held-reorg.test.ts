import { expect } from 'chai';
import type { KubeRequest } from '../../src/operator/kube/client.js';
import type { Reach } from '../../src/operator/observe/prober.js';
import type { PodHealth } from '../../src/operator/types.js';
import { describeWith } from '../support/kube-tools.js';
import { eventually } from './support/eventually.js';
import { endsWith } from './support/job-end.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { Job, Scene } from './support/scene.js';
import { tampered } from './support/tamper.js';

const hash = (letter: string): string => `kh_${letter.repeat(50)}`;
const [BRANCH, OTHER] = [hash('a'), hash('b')];

interface JobBody {
  kind: string;
  spec: { template: { metadata: { annotations: Record<string, string> }; spec: { containers: { args: string[] }[] } } };
}

describeWith(missingPlane, 'a held reorg', () => {
  let scene: Scene;
  let held: PodHealth['heldReorg'];

  /** Answers of simulated pods to /readyz. */
  const reach: Reach = () => {
    const words = { ready: true, height: 100, node_height: 100, node_state: 'ok', lag: 0, loading: false };
    return Promise.resolve({ status: 200, body: JSON.stringify({ ...words, held_reorg: held }) });
  };
  /** Ends a Job as it would end with a database that holds this branch. */
  const dress = (_path: string, { body }: KubeRequest): void => {
    const job = body as JobBody | undefined;
    if (job?.kind !== 'Job') return;
    const { template } = job.spec;
    const [what, given] = template.spec.containers[0]?.args ?? [];
    if (what !== 'accept-reorg' || given === BRANCH) return;
    endsWith(template, { ok: false, ...{ code: 'reorg_not_held', message: 'none with this key block' } });
  };
  const accepting = async (): Promise<(string | undefined)[]> =>
    (await scene.list<Job>('Job', 'app.kubernetes.io/component=acceptance')).map(
      ({ spec }) => (spec as JobBody['spec']).template.spec.containers[0]?.args[1],
    );

  before(async () => {
    scene = await openScene();
    await scene.secret();
    scene.operator({ through: (client) => tampered(client, { before: dress }), reach, probeMs: 300 });
  });
  after(() => scene.close());

  it('is a condition of the resource until its branch is accepted there; another hash does not accept it', async () => {
    await scene.create('a');
    await scene.settled('a');
    await scene.condition('a', 'ReorgHeld', 'False', 'NoReorg');

    held = { hash: BRANCH, height: 120, depth: 110 };
    const { message } = await scene.condition('a', 'ReorgHeld', 'True', 'Unconfirmed');
    expect(message).to.contain(BRANCH).and.to.contain('at height 120').and.to.contain('110 key blocks');
    expect((await scene.status('a')).heldReorg).to.include({ hash: BRANCH, height: 120, depth: 110 });

    await scene.change('a', { acceptReorg: OTHER });
    const ignored = await scene.condition('a', 'ReorgHeld', 'True', 'NotHeld');
    expect(ignored.message).to.contain(`spec.acceptReorg ${OTHER} is ignored`);
    expect(await scene.status('a')).not.to.have.property('acceptedReorg');

    await scene.change('a', { acceptReorg: BRANCH });
    await scene.condition('a', 'ReorgHeld', 'True', 'Accepted');
    expect((await scene.status('a')).acceptedReorg).to.include({ hash: BRANCH, color: 'blue' });
    expect((await accepting()).filter((given) => given === BRANCH)).to.have.lengthOf(1);
    held = undefined;
    await scene.condition('a', 'ReorgHeld', 'False', 'NoReorg');
    await eventually(async () => expect(await scene.status('a')).not.to.have.property('heldReorg'));

    // The hash that stays in the resource accepts no later reorg.
    held = { hash: BRANCH, height: 130, depth: 120 };
    const again = await scene.condition('a', 'ReorgHeld', 'True', 'Unconfirmed');
    expect(again.message).to.contain('is not repeated');
    expect((await accepting()).filter((given) => given === BRANCH)).to.have.lengthOf(1);
  });
});
