import { expect } from 'chai';
import { decide } from '../../src/operator/decide/decide.js';
import { ANNOTATION, hashOf } from '../../src/operator/names.js';
import { createUpgrades } from '../../src/operator/observe/upgrades.js';
import { statusLines } from '../../src/operator/plugin/view.js';
import type { Condition } from '../../src/operator/schema/status.js';
import type { Deployment, KubeObject } from '../../src/operator/types.js';
import { OperatorModel } from '../support/operator-model.js';
import type { ModelOptions } from '../support/operator-model.js';

const NEWER = { defaultImage: 'mdw:2', operatorVersion: '2', upgrading: undefined };
const DEPLOYMENTS = ['Deployment/sample-populator-blue', 'Deployment/sample-server-blue'];

const templates = (model: OperatorModel) =>
  DEPLOYMENTS.map((ref) => (model.objects.get(ref) as Deployment).spec.template);
const images = (model: OperatorModel): unknown[] => templates(model).map(({ spec }) => spec.containers[0]?.image);
const outdated = ({ status }: OperatorModel): Condition => {
  const found = status.conditions?.find(({ type }) => type === 'Outdated');
  if (found === undefined) throw new Error('there is no condition Outdated');
  return found;
};

/** A settled resource under an operator of version 1. */
function settled(spec: Record<string, unknown> = {}, options: ModelOptions = {}): OperatorModel {
  const model = new OperatorModel({ ...options, spec });
  model.settle();
  expect(model.status.phase).to.equal('Serving');
  return model;
}

/** Changes pod templates to those of another version of the operator. */
function changeTemplates(model: OperatorModel): void {
  for (const ref of DEPLOYMENTS) {
    const deployment = model.objects.get(ref) as Deployment;
    const template = structuredClone(deployment.spec.template);
    template.spec['hostname'] = 'of-version-1';
    deployment.spec.template = template;
    Object.assign(deployment.metadata.annotations!, {
      [ANNOTATION.podTemplate]: JSON.stringify(template),
      [ANNOTATION.template]: hashOf(template),
    });
  }
}
const isOfVersion1 = (model: OperatorModel): boolean[] =>
  templates(model).map(({ spec }) => spec['hostname'] === 'of-version-1');

describe('A newer operator', () => {
  it('replaces the pods of a resource that names no image when no other upgrade runs, and reports the end', () => {
    const model = settled();
    expect(outdated(model)).to.include({ status: 'False', reason: 'Current' });
    model.operator = NEWER;
    model.settle();

    expect(images(model)).to.deep.equal(['mdw:2', 'mdw:2']);
    expect(model.status.upgrade).to.include({ image: 'mdw:2', version: '2' }).and.not.have.property('phase');
    expect(outdated(model)).to.include({ status: 'False', reason: 'Current' });
    expect(model.events).to.include.members(['UpgradeStarted', 'Upgraded']);
  });

  it('writes that an upgrade begins before it changes anything', () => {
    const model = settled();
    model.operator = NEWER;
    const { want, status, requeueAfterMs } = decide(model.observed());

    expect(status.upgrade?.phase).to.equal('Rolling');
    expect(requeueAfterMs).to.equal(0);
    expect(JSON.stringify(want)).to.not.contain('mdw:2');
  });

  it('changes nothing while the upgrade of another resource runs or has failed, and reports that', () => {
    const model = settled();
    const before = templates(model);
    const jobs = model.jobs('migrate').length;
    model.operator = { ...NEWER, upgrading: { name: 'test/other', failed: false } };
    model.settle();
    expect(outdated(model)).to.include({ status: 'True', reason: 'Queued' });
    expect(outdated(model).message).to.contain('Pods run mdw:1, the operator has mdw:2').and.to.contain('test/other');
    expect(statusLines(model.resource()).join('\n')).to.contain('Outdated=True Queued: Pods run mdw:1');

    model.operator = { ...NEWER, upgrading: { name: 'secret-team/other', failed: false } };
    model.settle();
    expect(outdated(model).message).to.contain('another namespace').and.to.not.contain('secret-team');

    model.operator = { ...NEWER, upgrading: { name: 'test/other', failed: true } };
    model.settle();
    expect(outdated(model)).to.include({ status: 'True', reason: 'OtherFailed' });
    expect(templates(model)).to.deep.equal(before);
    expect(model.jobs('migrate')).to.have.lengthOf(jobs);
    expect(model.status.phase).to.equal('Serving');

    // A change of the resource itself is still applied, with the old image.
    model.spec['logLevel'] = 'debug';
    model.generation++;
    model.settle();
    expect(templates(model)).to.not.deep.equal(before);
    expect(images(model)).to.deep.equal(['mdw:1', 'mdw:1']);
  });

  it('continues an upgrade that another process began', () => {
    const model = settled();
    model.operator = NEWER;
    model.crashAt = model.writes + 2;
    model.pass();
    model.pass();
    expect(model.status.upgrade?.phase).to.equal('Rolling');
    model.operator = { ...NEWER, upgrading: { name: 'test/other', failed: false } };
    model.settle();

    expect(images(model)).to.deep.equal(['mdw:2', 'mdw:2']);
  });

  it('marks an upgrade as failed whose migration fails, leaves running pods, and continues when the cause is removed', () => {
    let exitCode = 78;
    const model = settled(
      {},
      {
        job: (_args, _schema, job) => ({ exitCode: JSON.stringify(job.spec).includes('mdw:2') ? exitCode : 0 }),
      },
    );
    model.operator = NEWER;
    model.settle(() => model.status.upgrade?.phase === 'Failed');
    expect(outdated(model)).to.include({ status: 'True', reason: 'UpgradeFailed' });
    expect(outdated(model).message).to.contain('from mdw:1 to mdw:2').and.to.contain('install the previous operator');
    expect(images(model)).to.deep.equal(['mdw:1', 'mdw:1']);
    expect(model.events).to.include('UpgradeFailed');

    exitCode = 0;
    model.settle();
    expect(images(model)).to.deep.equal(['mdw:2', 'mdw:2']);
    expect(outdated(model).status).to.equal('False');
  });

  it('marks an upgrade as failed whose servers do not become ready', () => {
    const model = settled();
    model.operator = NEWER;
    model.settle(() => images(model)[1] === 'mdw:2');
    const servers = model.objects.get('Deployment/sample-server-blue') as Deployment;
    const conditions = [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }];
    servers.status = { ...servers.status, readyReplicas: 1, availableReplicas: 1, conditions };
    model.pass();

    expect(outdated(model)).to.include({ status: 'True', reason: 'UpgradeFailed' });
    model.operator = { defaultImage: 'mdw:1', operatorVersion: '1', upgrading: undefined };
    model.settle();
    expect(images(model), 'the previous operator').to.deep.equal(['mdw:1', 'mdw:1']);
    expect(outdated(model).status).to.equal('False');
  });

  it('does not begin with a resource that is not ready, because all others would wait for it', () => {
    const model = settled();
    model.operator = NEWER;
    const world = model.observed();
    const { status } = decide({ ...world, database: { reason: 'SecretMissing', message: 'gone' } });

    expect(status.upgrade?.phase).to.equal('Waiting');
    expect(status.conditions?.find(({ type }) => type === 'Outdated')).to.include({ reason: 'NotReady' });
  });

  it('waits for the end of a reload', () => {
    const model = settled();
    model.reload({ id: 'one', promotion: 'Manual' });
    model.settle();
    model.operator = NEWER;
    model.settle();
    expect(outdated(model).reason).to.equal('Reloading');
    expect(images(model)).to.deep.equal(['mdw:1', 'mdw:1']);

    model.reload({ action: 'Abort', actionFor: 'one' });
    model.settle();
    expect(images(model)).to.deep.equal(['mdw:2', 'mdw:2']);
  });

  it('waits for approval where the resource says Manual, independent of other resources', () => {
    const model = settled({ upgrade: 'Manual' });
    model.operator = NEWER;
    model.settle();
    expect(outdated(model)).to.include({ status: 'True', reason: 'AwaitingApproval' });
    expect(outdated(model).message).to.contain('chain-middleware.io/accept-upgrade=mdw:2');
    expect(images(model)).to.deep.equal(['mdw:1', 'mdw:1']);

    model.annotations = { [ANNOTATION.acceptUpgrade]: 'mdw:3' };
    model.settle();
    expect(images(model), 'another image was accepted').to.deep.equal(['mdw:1', 'mdw:1']);

    model.annotations = { [ANNOTATION.acceptUpgrade]: 'mdw:2' };
    model.operator = { ...NEWER, upgrading: { name: 'test/other', failed: true } };
    model.settle();
    expect(images(model)).to.deep.equal(['mdw:2', 'mdw:2']);

    model.operator = { ...NEWER, defaultImage: 'mdw:3', operatorVersion: '3' };
    model.settle();
    expect(images(model), 'the next one needs another word').to.deep.equal(['mdw:2', 'mdw:2']);
  });

  it('gives a resource without pods the new image at once', () => {
    const model = new OperatorModel({ spec: { upgrade: 'Manual' } });
    model.operator = { ...NEWER, upgrading: { name: 'test/other', failed: true } };
    model.settle();
    expect(images(model)).to.deep.equal(['mdw:2', 'mdw:2']);
  });

  it('counts pods of an operator that recorded no version as outdated', () => {
    const model = settled();
    const { upgrade: _, ...status } = model.status;
    model.status = status;
    model.operator = { ...NEWER, upgrading: { name: 'test/other', failed: false } };
    model.settle();
    expect(outdated(model).reason).to.equal('Queued');
    expect(images(model)).to.deep.equal(['mdw:1', 'mdw:1']);
  });
});

describe('A pod template that a newer operator would change', () => {
  it('stays the same if the resource names its image, until the resource or its Secret changes', () => {
    const model = settled({ image: 'mine:7' });
    changeTemplates(model);
    model.operator = NEWER;
    model.settle();
    expect(isOfVersion1(model)).to.deep.equal([true, true]);
    expect(outdated(model)).to.include({ status: 'False', reason: 'ImageNamed' });
    expect(model.status.upgrade?.version).to.equal('1');

    model.spec['server'] = { replicas: 5 };
    model.generation++;
    model.settle();
    expect(isOfVersion1(model), 'scaled').to.deep.equal([true, true]);
    expect((model.objects.get(DEPLOYMENTS[1]!) as Deployment).spec.replicas).to.equal(5);

    model.spec['logLevel'] = 'debug';
    model.generation++;
    model.settle();
    expect(isOfVersion1(model), 'changed').to.deep.equal([false, false]);
    expect(model.status.upgrade?.version).to.equal('2');
  });

  it('changes when the password changes, but not when the Secret is only missing', () => {
    const model = settled({ image: 'mine:7' });
    changeTemplates(model);
    model.operator = NEWER;
    model.secret = { reason: 'SecretMissing', message: 'gone' };
    model.pass();
    model.secret = { version: 'h', host: 'db', ports: [5432], target: 'db:5432/mdw' };
    model.settle();
    expect(isOfVersion1(model)).to.deep.equal([true, true]);

    model.secret = { ...model.secret, version: 'rotated' };
    model.settle();
    expect(isOfVersion1(model)).to.deep.equal([false, false]);
  });

  it('stays when the older version recorded hashes of the values of Secrets', () => {
    const model = settled({ image: 'mine:7' });
    changeTemplates(model);
    const [spec = ''] = model.status.upgrade?.asked?.split('.') ?? [];
    model.status = { ...model.status, upgrade: { ...model.status.upgrade, asked: `${spec}.0123456789` } };
    model.operator = NEWER;
    model.settle();
    expect(isOfVersion1(model)).to.deep.equal([true, true]);

    model.secret = { version: 'rotated', host: 'db', ports: [5432], target: 'db:5432/mdw' };
    model.settle();
    expect(isOfVersion1(model)).to.deep.equal([false, false]);
  });

  it('waits for the upgrade also if the image of the operator is the same', () => {
    const model = settled({ upgrade: 'Manual' });
    changeTemplates(model);
    model.operator = { ...NEWER, defaultImage: 'mdw:1' };
    model.settle();
    expect(isOfVersion1(model)).to.deep.equal([true, true]);
    expect(outdated(model).message)
      .to.contain('made by version 1 of the operator, which is now version 2')
      .and.to.contain('accept-upgrade=2');

    model.annotations = { [ANNOTATION.acceptUpgrade]: '2' };
    model.settle();
    expect(isOfVersion1(model)).to.deep.equal([false, false]);
    expect(outdated(model).status).to.equal('False');
  });

  it('is corrected at once if no other version made it', () => {
    const model = settled({ image: 'mine:7' });
    changeTemplates(model);
    model.settle();
    expect(isOfVersion1(model)).to.deep.equal([false, false]);
  });
});

describe('The order of upgrades', () => {
  const object = (name: string, phase?: string, image?: string): KubeObject => ({
    ...{ apiVersion: 'v', kind: 'Middleware', metadata: { namespace: 'n', name } },
    spec: { image },
    status: { upgrade: { phase } },
  });
  const turns = (...objects: KubeObject[]) => createUpgrades({ all: () => objects });

  it('lets an upgrade begin while no other one runs', () => {
    expect(turns(object('a', 'Waiting'), object('b')).other('n/a')).to.equal(undefined);
    expect(turns(object('a', 'Rolling')).other('n/a'), 'its own').to.equal(undefined);
  });

  it('lets it wait for one that runs or has failed, by the status', () => {
    expect(turns(object('a'), object('b', 'Rolling')).other('n/a')).to.deep.equal({ name: 'n/b', failed: false });
    expect(turns(object('a'), object('b', 'Failed')).other('n/a')).to.deep.equal({ name: 'n/b', failed: true });
    expect(turns(object('a'), object('b', 'Failed', 'mine:7')).other('n/a'), 'it names an image').to.equal(undefined);
  });

  it('lets it wait before the status of the other one is written, and no longer after that resource is deleted', () => {
    const objects = [object('a', 'Waiting'), object('b', 'Waiting')];
    const { other, record } = createUpgrades({ all: () => objects });
    record('n/b', 'Rolling');
    expect(other('n/a')).to.deep.equal({ name: 'n/b', failed: false });
    objects.pop();
    expect(other('n/a')).to.equal(undefined);
  });
});
