import { expect } from 'chai';
import type { KubeClient } from '../../src/operator/kube/client.js';
import { createSecrets } from '../../src/operator/observe/secrets.js';
import { createStore } from '../../src/operator/observe/store.js';
import type { Middleware, SecretFacts } from '../../src/operator/types.js';

const resource = { metadata: { namespace: 'test', name: 'a' }, spec: { database: {} } } as unknown as Middleware;

/** The facts about a Secret, which the test edits. */
function watching() {
  const store = createStore(() => undefined);
  let secret = { uid: 'u-1', resourceVersion: '1', url: 'postgres://mdw:one@db.example/mdw' };
  const put = ({ uid, resourceVersion }: typeof secret): void =>
    void store.put({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'db', namespace: 'test', uid, resourceVersion },
    });
  put(secret);
  const request = () => {
    const { uid, resourceVersion, url } = secret;
    return Promise.resolve({
      metadata: { name: 'db', uid, resourceVersion },
      data: { url: Buffer.from(url).toString('base64') },
    });
  };
  const secrets = createSecrets({ request } as unknown as KubeClient, store);
  return {
    edit: (part: Partial<typeof secret>) => put((secret = { ...secret, ...part })),
    read: () => secrets.facts(resource, { name: 'db', key: 'url' }),
    async version(): Promise<string> {
      return ((await secrets.facts(resource, { name: 'db', key: 'url' })) as SecretFacts).version;
    },
  };
}

describe('What pods show of a Secret', () => {
  it('is its uid and version, which say nothing about its content', async () => {
    const [one, two] = [watching(), watching()];
    two.edit({ url: 'postgres://mdw:two@db.example/mdw' });
    expect(await one.version()).to.equal('u-1/1');
    expect(await two.version()).to.equal('u-1/1');
  });

  it('changes with its content, and not with its labels and annotations', async () => {
    const { edit, version } = watching();
    const first = await version();
    edit({ resourceVersion: '2' });
    expect(await version()).to.equal(first);
    edit({ resourceVersion: '3', url: 'postgres://mdw:two@db.example/mdw' });
    expect(await version()).to.equal('u-1/3');
    edit({ resourceVersion: '4' });
    expect(await version()).to.equal('u-1/3');
  });

  it('does not change when the same content is created again', async () => {
    const { edit, version } = watching();
    const first = await version();
    edit({ uid: 'u-2', resourceVersion: '7' });
    expect(await version()).to.equal(first);
  });
});

describe('A database URL in a Secret', () => {
  for (const query of ['sslmode=prefer', 'sslmode=allow', 'sslmode=verify-full&sslmode=prefer', 'ssl=false']) {
    it(`with ${query} is refused before a pod is made, without showing it`, async () => {
      const { edit, read } = watching();
      for (const [i, more] of ['', ',postgres://b.example/mdw?sslmode=verify-full'].entries()) {
        edit({ resourceVersion: `x${i}`, url: `postgres://mdw:hush@db.example/mdw?${query}${more}` });
        expect(await read())
          .to.include({ reason: 'SecretInvalid' })
          .with.property('message')
          .that.matches(/^Key url of Secret db must have a URL with ssl(mode)? one of /)
          .and.does.not.contain('hush');
      }
    });
  }

  it('is accepted with each other mode', async () => {
    const { edit, read } = watching();
    for (const mode of ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify']) {
      edit({ resourceVersion: mode, url: `postgres://mdw:hush@db.example/mdw?sslmode=${mode}` });
      expect(await read()).to.include({ host: 'db.example' });
    }
  });
});
