import { expect } from 'chai';
import type { KubeRequest } from '../../src/operator/kube/client.js';
import type { Reach } from '../../src/operator/observe/prober.js';
import type { MiddlewareStatus } from '../../src/operator/schema/status.js';
import { describeWith } from '../support/kube-tools.js';
import { eventually } from './support/eventually.js';
import { endsWith } from './support/job-end.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { Job, Scene } from './support/scene.js';
import { tampered } from './support/tamper.js';

const reach: Reach = () =>
  Promise.resolve({
    status: 200,
    body: JSON.stringify({ ready: true, height: 60, node_height: 60, node_state: 'ok', lag: 0, loading: false }),
  });

interface JobBody {
  kind: string;
  spec: { template: { metadata: { annotations: Record<string, string> }; spec: { containers: { args: string[] }[] } } };
}

const OK = { ok: true, message: '61 heights verified, all OK' };
const DIFFERS = { ok: false, code: 'differs', differing: '7', cut: true, message: 'height 7 differs' };

describeWith(missingPlane, 'a verification at intervals that are shorter than Jobs are kept', () => {
  let scene: Scene;
  let result: { ok: boolean } = OK;

  const dress = (_path: string, { body }: KubeRequest): void => {
    const job = body as JobBody | undefined;
    if (job?.kind !== 'Job' || job.spec.template.spec.containers[0]?.args[0] !== '-v') return;
    endsWith(job.spec.template, result);
  };

  before(async () => {
    scene = await openScene();
    await scene.secret();
    scene.operator({ through: (client) => tampered(client, { before: dress }), reach, probeMs: 300 });
  });
  after(() => scene.close());

  type Report = NonNullable<MiddlewareStatus['verification']>;

  /** The first report that meets the test, of a Job that began after this call. */
  const report = async (is: (one: Report) => boolean): Promise<Report> => {
    const known = new Set((await scene.list<Job>('Job')).map(({ metadata }) => metadata.uid));
    return eventually(async () => {
      const { verification = {} } = await scene.status('a');
      if (verification.finishedAt === undefined || known.has(verification.jobUid) || !is(verification))
        throw new Error(`the report is ${JSON.stringify(verification)}`);
      return verification;
    });
  };

  it('finds what was altered between two of them, and then that it was put right; each report names its Job', async () => {
    await scene.create('a', { verification: { interval: '1s' } });
    const reports = [await report(({ message }) => message === '61 heights verified, all OK')];
    result = DIFFERS;
    reports.push(await report(({ differing }) => differing === '7'));
    result = OK;
    reports.push(await report(({ differing }) => differing === undefined));

    for (const { job, jobUid, finishedAt = '' } of reports) {
      const { metadata, status } = (await scene.get<Job>('Job', job ?? ''))!;
      expect(metadata.uid).to.equal(jobUid);
      const ended = status?.conditions?.map(({ lastTransitionTime }) => lastTransitionTime);
      expect(ended).to.include(finishedAt);
    }
    expect(new Set(reports.map(({ jobUid }) => jobUid)).size).to.equal(3);
    const jobs = await scene.list<Job>('Job');
    expect(
      jobs.filter(({ status }) => status?.failed !== undefined),
      'Jobs about which a cluster alerts',
    ).to.deep.equal([]);
  });
});
