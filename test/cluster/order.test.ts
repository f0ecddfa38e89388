import { expect } from 'chai';
import { describeWith } from '../support/kube-tools.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { IMAGE, URL, openScene, templateOf } from './support/scene.js';
import type { Deployment, Job, Scene } from './support/scene.js';

const ANNOTATION = 'chain-middleware.io/secret';

describeWith(missingPlane, 'changes of a resource', () => {
  let scene: Scene;

  before(async () => {
    scene = await openScene();
    scene.operator();
    await scene.secret();
    await scene.create('a');
    await scene.settled('a');
  });
  after(() => scene.close());

  const image = async (part: string): Promise<unknown> =>
    templateOf(await scene.get('Deployment', `a-${part}-blue`)).containers[0]?.image;
  const secretOf = async (part: string): Promise<unknown> =>
    (await scene.get<Deployment>('Deployment', `a-${part}-blue`))?.spec.template.metadata?.annotations?.[ANNOTATION];
  const jobs = () => scene.list<Job>('Job', 'app.kubernetes.io/instance=a');

  it('are applied to populator and servers only after their migration succeeded', async () => {
    await scene.change('a', {
      image: 'example.test/mdw:2',
      migration: { podAnnotations: { 'sim/complete-after': '3s' } },
    });
    await eventually(async () => expect(await jobs()).to.have.lengthOf(2));
    expect([await image('populator'), await image('server')]).to.deep.equal([IMAGE, IMAGE]);
    expect((await scene.status('a')).conditions?.find(({ type }) => type === 'Ready')?.status).to.equal('True');

    const { image: serving } = await eventually(async () => {
      const status = await scene.settled('a');
      expect(status.image).to.equal('example.test/mdw:2');
      return status;
    });
    expect(serving).to.equal('example.test/mdw:2');
    expect([await image('populator'), await image('server')]).to.deep.equal([serving, serving]);
  });

  it('leave running pods unchanged when the migration fails, and report why', async () => {
    await scene.change('a', {
      image: 'example.test/mdw:3',
      migration: {
        podAnnotations: {
          'sim/complete-after': null,
          'sim/exit-code': '78',
          'sim/message': JSON.stringify({ ok: false, code: 'schema_newer', message: 'made by a newer version' }),
        },
      },
    });
    const { message } = await scene.condition('a', 'Stalled', 'True', 'SchemaNewer');

    expect(message).to.contain('made by a newer version').and.to.contain('use the image that migrated the database');
    await scene.condition('a', 'Degraded', 'True', 'SchemaNewer');
    await scene.condition('a', 'Ready', 'True');
    expect([await image('populator'), await image('server')]).to.deep.equal(Array(2).fill('example.test/mdw:2'));
    const failed = (await jobs()).filter(({ status }) => status?.failed === 1);
    expect(failed).to.have.lengthOf(1);
  });

  it('continue from there when the resource is corrected', async () => {
    await scene.change('a', {
      image: 'example.test/mdw:2',
      migration: { podAnnotations: { 'sim/exit-code': null, 'sim/message': null } },
    });
    await scene.settled('a');
  });

  it('retry a migration when the annotation of the resource asks for it', async () => {
    const before = (await jobs()).length;
    await scene.patch('Middleware', 'a', { metadata: { annotations: { 'chain-middleware.io/retry': '1' } } });
    await eventually(async () => expect((await jobs()).length).to.be.greaterThan(before));
    await scene.settled('a');
  });

  it('retry by themselves after a temporary fault', async () => {
    await scene.change('a', {
      migration: {
        podAnnotations: {
          'sim/exit-code': '75',
          'sim/message': JSON.stringify({ ok: false, code: 'database_unreachable', message: 'database: no answer' }),
        },
      },
    });
    await scene.condition('a', 'Migrated', 'False', 'DatabaseUnreachable');
    await scene.condition('a', 'Stalled', 'False');
    const failed = async () => (await jobs()).filter(({ status }) => status?.failed === 1).length;
    const first = await failed();

    await eventually(async () => expect(await failed()).to.equal(first + 1));
    await scene.change('a', { migration: { podAnnotations: null } });
    await scene.settled('a');
  });

  it('replace pods in order after a new password', async () => {
    const before = [await secretOf('populator'), await secretOf('server')];
    await scene.secret('db', URL.replace('secret', 'rotated'));

    await eventually(async () => {
      const after = [await secretOf('populator'), await secretOf('server')];
      expect(after[0]).to.equal(after[1]).and.to.not.equal(before[0]);
    });
    await scene.settled('a');
  });

  it('of a Secret that leave its value the same restart nothing', async () => {
    const pods = async () => (await scene.list('Pod')).map(({ metadata }) => metadata.uid).sort();
    const before = await pods();
    await scene.patch('Secret', 'db', { metadata: { annotations: { seen: 'yes' } } });
    await scene.patch('Middleware', 'a', { metadata: { annotations: { 'chain-middleware.io/paused': 'true' } } });
    await eventually(async () => expect((await scene.status('a')).phase).to.equal('Paused'));
    await scene.patch('Middleware', 'a', { metadata: { annotations: { 'chain-middleware.io/paused': null } } });
    await scene.settled('a');

    expect(await pods()).to.deep.equal(before);
  });

  it('delete settings that no pod reads any more', async () => {
    await scene.change('a', { logLevel: 'debug' });
    await scene.settled('a');
    await eventually(async () => {
      expect(await scene.list('ConfigMap', 'app.kubernetes.io/instance=a')).to.have.lengthOf(1);
    });
  });
});

describeWith(missingPlane, 'resources that cannot work', () => {
  let scene: Scene;

  before(async () => {
    scene = await openScene();
    scene.operator();
  });
  after(() => scene.close());

  it('wait for a missing Secret, without a pod, and continue when it is created', async () => {
    await scene.create('a');
    const { message } = await scene.condition('a', 'Stalled', 'True', 'SecretMissing');
    expect(message).to.contain('Secret db').and.to.contain('create it in namespace');
    expect((await scene.status('a')).phase).to.equal('Stalled');
    expect(await scene.list('Pod')).to.deep.equal([]);

    await scene.secret('db', 'mysql://x');
    await scene.condition('a', 'Stalled', 'True', 'SecretInvalid');
    await scene.secret();
    await scene.settled('a');
  });

  it('keep their pods when their Secret is deleted', async () => {
    const before = (await scene.list('Pod')).map(({ metadata }) => metadata.uid).sort();
    await scene.remove('Secret', 'db');
    await scene.condition('a', 'Stalled', 'True', 'SecretMissing');
    await scene.condition('a', 'Ready', 'True');
    expect((await scene.list('Pod')).map(({ metadata }) => metadata.uid).sort()).to.deep.equal(before);

    await scene.secret();
    await scene.settled('a');
  });

  it('do not share a database and schema with an older one', async () => {
    await scene.create('second');
    const { message } = await scene.condition('second', 'Stalled', 'True', 'DatabaseInUse');
    expect(message).to.contain('belong to a:').and.to.not.contain(scene.namespace);
    expect(await scene.list('Pod', 'app.kubernetes.io/instance=second')).to.deep.equal([]);
    await scene.condition('a', 'Ready', 'True');

    await scene.remove('Middleware', 'a');
    await scene.settled('second');
  });

  it('do not share a database with two names: the migration reports its identity', async () => {
    const annotations = { 'sim/message': JSON.stringify({ ok: true, database: '7/16384' }) };
    await scene.secret('one', 'postgres://u:p@one.example/mdw');
    await scene.secret('two', 'postgres://u:p@two.example/mdw');
    await scene.create('one', { database: { secret: { name: 'one' } }, annotations });
    expect((await scene.settled('one')).databaseId).to.equal('7/16384');
    await scene.create('two', { database: { secret: { name: 'two' } }, annotations });

    const { message } = await scene.condition('two', 'Stalled', 'True', 'DatabaseInUse');
    expect(message).to.contain('belong to one:');
    expect(await scene.list('Deployment', 'app.kubernetes.io/instance=two')).to.deep.equal([]);
  });

  for (const [code, reason, advice] of [
    ['server_too_old', 'DatabaseTooOld', '11.2'],
    ['node_wrong_network', 'WrongNetwork', 'spec.node.urls'],
    ['database_refused', 'DatabaseRefused', 'password'],
  ] as const) {
    it(`report what is wrong and start nothing: ${code}`, async () => {
      const name = code.replaceAll('_', '-');
      const message = JSON.stringify({ ok: false, code, message: 'it is so' });
      await scene.create(name, {
        database: { secret: { name: 'db' }, schema: code },
        // The reason is in its message alone: the Job completes.
        migration: { podAnnotations: { 'sim/exit-code': '0', 'sim/message': message } },
      });
      const condition = await scene.condition(name, 'Stalled', 'True', reason);
      expect(condition.message).to.contain('it is so').and.to.contain(advice);
      await scene.condition(name, 'Ready', 'False', reason);
      await scene.condition(name, 'Reconciling', 'False');
      expect(await scene.list('Deployment', `app.kubernetes.io/instance=${name}`)).to.deep.equal([]);
      const jobs = await scene.list<Job>('Job', `app.kubernetes.io/instance=${name}`);
      expect(jobs.filter(({ metadata }) => metadata.name.includes('-migrate-'))).to.have.lengthOf(1);
      expect(jobs.filter(({ status }) => status?.failed !== undefined)).to.deep.equal([]);
    });
  }

  it('wait for a node that cannot be reached', async () => {
    const message = JSON.stringify({ ok: false, code: 'node_unreachable', message: 'node: refused' });
    await scene.create('lonely', {
      database: { secret: { name: 'db' }, schema: 'lonely' },
      annotations: { 'sim/exit-code': '75', 'sim/message': message },
    });
    const condition = await scene.condition('lonely', 'Migrated', 'False', 'NodeUnreachable');
    expect(condition.message).to.contain('spec.node.urls');
    await scene.condition('lonely', 'Stalled', 'False');
    await scene.change('lonely', { annotations: null });
    await scene.settled('lonely');
  });
});

describeWith(missingPlane, 'a resource whose database is unavailable when it is created', () => {
  let scene: Scene;

  before(async () => {
    scene = await openScene();
    await scene.secret();
  });
  after(() => scene.close());

  it('has one Job that waits, reports for what, and continues when that is available', async () => {
    const reason = 'waiting for the database db.example:5432: connect ECONNREFUSED';
    const body = JSON.stringify({ ready: false, reason, code: 'database_unreachable' });
    scene.operator({ probeMs: 200, reach: () => Promise.resolve({ status: 503, body }) });
    await scene.create('patient', { migration: { podAnnotations: { 'sim/complete': 'false' } } });
    for (const component of ['survey', 'migration']) {
      const pod = await eventually(async () => {
        const [one] = await scene.list('Pod', `app.kubernetes.io/component=${component}`);
        expect(one).to.not.equal(undefined);
        return one!;
      });
      await eventually(async () => {
        const { message } = await scene.condition('patient', 'Migrated', 'False', 'DatabaseUnreachable');
        expect(message).to.contain(reason).and.to.contain('check host and port in the Secret');
      });
      await scene.condition('patient', 'Ready', 'False', 'DatabaseUnreachable');
      await scene.condition('patient', 'Stalled', 'False');
      expect(await scene.list('Job', `app.kubernetes.io/component=${component}`)).to.have.lengthOf(1);
      await scene.patch('Pod', pod.metadata.name, { metadata: { annotations: { 'sim/complete': null } } });
    }
    await scene.condition('patient', 'Migrated', 'True');

    expect(await scene.list<Job>('Job', 'app.kubernetes.io/component=migration')).to.have.lengthOf(1);
  });
});
