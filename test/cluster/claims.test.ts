import { expect } from 'chai';
import { hashOf } from '../../src/operator/names.js';
import { describeWith } from '../support/kube-tools.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { Scene } from './support/scene.js';

const DATABASE = '7301/16384';
const COPY = '0b1f4c5e-8d0e-4f55-9a53-0c1d2e3f4a5b';

/** What the migration reports. */
const reporting = (report: object, exitCode = 0) => ({
  migration: {
    podAnnotations: {
      'sim/exit-code': String(exitCode),
      'sim/message': JSON.stringify({ ok: exitCode === 0, ...report }),
    },
  },
});

describeWith(missingPlane, 'a database that resources of two namespaces name', () => {
  let owner: Scene;
  let other: Scene;

  beforeEach(async () => {
    owner = await openScene();
    other = await openScene();
    await owner.secret();
    await other.secret();
    owner.operator({ namespaces: [owner.namespace, other.namespace] });
  });
  afterEach(async () => {
    await owner.close();
    await other.close();
  });

  const words = async (): Promise<string> => {
    const path = `/apis/events.k8s.io/v1/namespaces/${other.namespace}/events`;
    const events = await other.plane.request<{ items: { note?: string }[] }>(path);
    // The operator's lease is in the namespace of the owner here.
    const { operator: _, ...status } = await other.status('b');
    return JSON.stringify([status, events.items.map(({ note }) => note)]);
  };

  it('is not blocked by a resource that cannot open it, also if that one is older and its URL is the same', async () => {
    await other.create('b', reporting({ code: 'database_refused', message: 'password is wrong' }, 78));
    await other.condition('b', 'Stalled', 'True', 'DatabaseRefused');
    await owner.create('a', reporting({ database: DATABASE, copies: [COPY] }));
    expect((await owner.settled('a')).databaseId).to.equal(DATABASE);
    expect(await words()).to.not.contain(owner.namespace);
  });

  it('is not blocked by a resource whose image only claims to have opened it', async () => {
    const guessed = '11111111-2222-3333-4444-555555555555';
    await other.create('b', reporting({ database: DATABASE, copies: [guessed] }));
    await other.settled('b');
    await owner.create('a', reporting({ database: DATABASE, copies: [COPY] }));
    await owner.settled('a');
  });

  it('belongs to the first that opened it: the other stalls, is shown no name, and continues when the first is gone', async () => {
    // It is older, but cannot open the database yet.
    await other.create('b', {
      ...reporting({ database: DATABASE, copies: [COPY] }),
      database: { secret: { name: 'later' } },
    });
    await other.condition('b', 'Stalled', 'True', 'SecretMissing');
    await owner.create('a', reporting({ database: DATABASE, copies: [COPY] }));
    expect((await owner.settled('a')).claim).to.deep.equal([hashOf(COPY, 32)]);

    await other.secret('later', 'postgres://mdw:secret@another-name.example/mdw');
    await other.condition('b', 'Stalled', 'True', 'DatabaseInUse');
    expect(await words()).to.not.contain(owner.namespace);
    expect((await other.status('b')).claim).to.deep.equal([]);
    expect(await other.list('Deployment')).to.deep.equal([]);
    await owner.condition('a', 'Stalled', 'False');

    await owner.remove('Middleware', 'a');
    await other.settled('b');
    await eventually(async () => expect((await other.status('b')).claim).to.deep.equal([hashOf(COPY, 32)]));
  });

  it('is another one if it was restored from a dump, with the ids of its copies', async () => {
    await owner.create('a', reporting({ database: DATABASE, copies: [COPY] }));
    await owner.settled('a');
    await other.create('b', reporting({ database: '8888/16384', copies: [COPY] }));
    await other.settled('b');
  });
});
