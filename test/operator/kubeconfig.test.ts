import { expect } from 'chai';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAccess } from '../../src/operator/kube/kubeconfig.js';
import type { AccessOptions } from '../../src/operator/kube/kubeconfig.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('The access to a cluster', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'mdw-kubeconfig-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Writes a kubeconfig with one cluster and user, or with the given parts. */
  const write = (name: string, { user = {}, cluster = {}, ...rest }: Record<string, object | string>): string => {
    const path = join(folder, name);
    const content = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      clusters: [{ name, cluster: { server: 'https://one.example:6443/', ...(cluster as object) } }],
      users: [{ name, user }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      ...rest,
    };
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  const access = (options: Partial<AccessOptions>) => findAccess({ env: {}, ...options });
  const credentials = async (user: object, cluster: object = {}) => {
    const { headers, tls } = await access({ kubeconfig: write('a', { user, cluster }) }).credentials();
    return { headers, tls: Object.fromEntries(Object.entries(tls).map(([name, value]) => [name, shown(value)])) };
  };
  const shown = (value: unknown): unknown => (Buffer.isBuffer(value) ? value.toString() : value);
  const refused = (options: Partial<AccessOptions>): string => {
    try {
      return access(options).server;
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('uses the current context, or the one that is named', () => {
    const kubeconfig = write('a', {
      clusters: [
        { name: 'a', cluster: { server: 'https://one.example:6443/' } },
        { name: 'b', cluster: { server: 'https://two.example' } },
      ],
      contexts: [
        { name: 'a', context: { cluster: 'a', user: 'a' } },
        { name: 'b', context: { cluster: 'b', user: 'a', namespace: 'chain' } },
      ],
    });
    expect(access({ kubeconfig })).to.include({ server: 'https://one.example:6443', namespace: 'default' });
    expect(access({ kubeconfig, context: 'b' })).to.include({ server: 'https://two.example', namespace: 'chain' });
    expect(refused({ kubeconfig, context: 'c' })).to.equal('The kubeconfig has no context c');
  });

  it('merges several files, in which the first value wins, as with kubectl', async () => {
    const first = write('first', { user: { token: 'first' } });
    const second = write('second', { user: { token: 'second' }, cluster: { server: 'https://two.example' } });
    const files = access({ env: { KUBECONFIG: `${first}:${second}` } });
    expect(files.server).to.equal('https://one.example:6443');
    expect((await files.credentials()).headers).to.deep.equal({ Authorization: 'Bearer first' });
    expect(access({ env: { KUBECONFIG: `${first}:${second}` }, context: 'second' }).server).to.contain('two.example');
    expect(access({ env: { KUBECONFIG: `${first}:${first}` } }).server).to.contain('one.example');
  });

  it('names a file that is not a kubeconfig', () => {
    const path = join(folder, 'text');
    writeFileSync(path, '{ - [');
    expect(refused({ kubeconfig: path })).to.contain(`${path} is not a valid kubeconfig: `);
    writeFileSync(path, '');
    expect(refused({ kubeconfig: path })).to.contain('The kubeconfig names no cluster');
    expect(refused({ kubeconfig: join(folder, 'missing') })).to.contain('not a valid kubeconfig: ENOENT');
    expect(refused({ kubeconfig: write('a', { clusters: [{ name: 'a' }] }) })).to.contain(
      'clusters[0].cluster is missing',
    );
  });

  it('uses a client certificate, inline or in files next to the kubeconfig', async () => {
    const cluster = { 'certificate-authority-data': base64('ca') };
    const inline = { 'client-certificate-data': base64('cert'), 'client-key-data': base64('key') };
    const wanted = { headers: {}, tls: { ca: 'ca', cert: 'cert', key: 'key' } };
    expect(await credentials(inline, cluster)).to.deep.equal(wanted);

    mkdirSync(join(folder, 'pki'));
    for (const name of ['ca', 'cert', 'key']) writeFileSync(join(folder, 'pki', name), name);
    const files = { 'client-certificate': 'pki/cert', 'client-key': join(folder, 'pki/key') };
    expect(await credentials(files, { 'certificate-authority': 'pki/ca' })).to.deep.equal(wanted);
    expect(
      await credentials({}, { ...cluster, 'tls-server-name': 'kubernetes', 'insecure-skip-tls-verify': true }),
    ).to.deep.equal({ headers: {}, tls: { ca: 'ca', servername: 'kubernetes', rejectUnauthorized: false } });
  });

  it('uses a token or a password, with impersonation if asked', async () => {
    const { headers } = await credentials({ token: 't', as: 'jane' });
    expect(headers).to.deep.equal({ 'Impersonate-User': 'jane', Authorization: 'Bearer t' });
    const password = await credentials({ username: 'u', password: 'p' });
    expect(password.headers).to.deep.equal({ Authorization: `Basic ${base64('u:p')}` });
  });

  it('uses the credentials of a plugin, and runs the plugin again when they were refused', async () => {
    const log = join(folder, 'calls');
    const status = {
      token: 'printed',
      clientCertificateData: 'cert',
      clientKeyData: 'key',
      expirationTimestamp: '2999-01-01T00:00:00Z',
    };
    const script = `echo call >> ${log}; echo "$ANSWER"`;
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: '/bin/sh',
      args: ['-c', script],
      env: [{ name: 'ANSWER', value: JSON.stringify({ status }) }],
    };
    const { credentials: ask } = access({ kubeconfig: write('a', { user: { exec } }) });
    for (const afresh of [false, false, true]) {
      expect(await ask(afresh)).to.deep.equal({
        headers: { Authorization: 'Bearer printed' },
        tls: { cert: 'cert', key: 'key' },
      });
    }
    expect(readFileSync(log, 'utf8')).to.equal('call\ncall\n');

    const failing = { ...exec, args: ['-c', 'echo log in first >&2; exit 1'] };
    const fault = await credentials({ exec: failing }).catch((error: Error) => error.message);
    expect(fault).to.equal('Could not read the credentials for the cluster: log in first');
  });

  it('uses the token of a provider: from a file, or by OpenID Connect', async () => {
    writeFileSync(join(folder, 'token'), 'of a file');
    const user = { 'auth-provider': { name: 'tokenFile', config: { tokenFile: join(folder, 'token') } } };
    expect((await credentials(user)).headers).to.deep.equal({ Authorization: 'Bearer of a file' });

    const token = `${base64('{}')}.${base64(JSON.stringify({ exp: 32503680000 }))}.c2ln`;
    const oidc = { 'auth-provider': { name: 'oidc', config: { 'id-token': token } } };
    expect((await credentials(oidc)).headers).to.deep.equal({ Authorization: `Bearer ${token}` });
  });
});
