import { expect } from 'chai';
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { makeAuthority } from '../support/authority.js';
import { describeWith } from '../support/kube-tools.js';
import { clusterIp, noRealNode, startRealNode } from '../support/real-node.js';
import type { RealNode } from '../support/real-node.js';
import { IMAGES } from '../support/test-images.js';
import { resourcesIn } from './support/resources.js';

const NAMESPACE = 'databases';

describeWith(noRealNode(), 'the database of a resource, with real containers', function () {
  // Longer than all waits of a test together, each of which says what it has waited for.
  this.timeout(1_200_000);
  let node: RealNode;
  const resources = resourcesIn(NAMESPACE, () => node);

  before(async () => {
    node = await startRealNode(NAMESPACE);
    resources.installOperator();
  });
  after(() => node?.stop());
  afterEach(function () {
    if (this.currentTest?.state === 'failed') process.stderr.write(resources.describe());
  });

  const { kubectl, apply, status, condition, inShort, until, eventually, well, answer } = resources;
  const resource = (name: string, database: object): object => resources.resource(name, { database });

  describe('for trials', () => {
    let place: string;

    before(() => {
      place = mkdtempSync(join(node.plane.folder, 'trial-'));
      chmodSync(place, 0o777);
      kubectl('label', 'namespace', NAMESPACE, 'pod-security.kubernetes.io/warn=restricted');
      apply({
        ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'trial' } },
        spec: {
          ...{ capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'by-hand' },
          hostPath: { path: place },
        },
      });
    });

    const trial = { image: IMAGES.postgres, storage: { size: '1Gi', storageClass: 'by-hand' } };
    const machine = (): string => node.plane.kubectl(['get', 'nodes', '-o', 'jsonpath={.items[0].metadata.name}']);

    it('is made with the resource, which serves from it', async () => {
      apply(resource('trial', { trial }));
      await well('trial');
      expect(await answer('trial')).to.equal(200);
      const pod = JSON.parse(kubectl('get', 'pod', 'trial-postgres-0', '-o', 'json')) as {
        spec: { containers: { securityContext: object }[]; automountServiceAccountToken: boolean };
      };
      expect(pod.spec.automountServiceAccountToken).to.equal(false);
      expect(pod.spec.containers[0]?.securityContext).to.include({ readOnlyRootFilesystem: true });
    });

    it('has a password that is only in its Secret', () => {
      const password = Buffer.from(
        kubectl('get', 'secret', 'trial-postgres', '-o', 'jsonpath={.data.password}'),
        'base64',
      ).toString();
      expect(password).to.have.length.above(20);
      const kinds = 'mdw,pods,jobs,deployments,statefulsets,configmaps,services,events';
      const logs = (namespace: string): string =>
        node.plane
          .kubectl(['-n', namespace, 'get', 'pods', '-o', 'name'])
          .split('\n')
          .filter((pod) => pod !== '')
          .map((pod) => node.plane.kubectl(['-n', namespace, 'logs', '--all-containers', pod]))
          .join('');
      const output = {
        objects: kubectl('get', kinds, '-o', 'yaml'),
        logs: logs(NAMESPACE),
        operator: logs('mdw-system'),
      };
      for (const [where, text] of Object.entries(output)) {
        expect(text, where).to.have.length.above(100);
        expect(text.includes(password), where).to.equal(false);
      }
    });

    it('is unavailable while its pod is, and has its data when the pod is back', async () => {
      const { databaseId } = status('trial');
      node.plane.kubectl(['cordon', machine()]);
      try {
        kubectl('delete', 'pod', 'trial-postgres-0', '--grace-period=1');
        await until('trial', 'Ready', /^False/);
        await until('trial', 'Degraded', /^True DatabaseUnreachable/);
        expect(await answer('trial')).to.be.oneOf([503, 'no connection']);
      } finally {
        node.plane.kubectl(['uncordon', machine()]);
      }
      await well('trial');
      expect(await answer('trial')).to.equal(200);
      expect(status('trial').databaseId).to.equal(databaseId);
    });

    it('keeps its data when the resource is deleted and created again', async () => {
      const { databaseId } = status('trial');
      kubectl('delete', 'mdw', 'trial', '--timeout=180s');
      await eventually(
        () => kubectl('get', 'statefulsets,pods', '-l', 'app.kubernetes.io/instance=trial', '-o', 'name'),
        (left) => left === '',
      );
      apply(resource('trial', { trial }));
      await well('trial');
      expect(status('trial').databaseId).to.equal(databaseId);
      kubectl('delete', 'mdw', 'trial', '--timeout=180s');
    });
  });

  describe('with TLS', () => {
    const names = 'DNS:secure';
    const [one, two] = [makeAuthority(names), makeAuthority(names)];
    const certificate = ({ ca }: { ca: string }): string => readFileSync(ca, 'utf8');
    after(() => {
      for (const authority of [one, two]) authority.remove();
    });

    /** Runs PostgreSQL with a certificate of this authority; the data stays. */
    const serve = ({ cert, key }: { cert: string; key: string }, which: string, place: string): void => {
      const files = { 'tls.crt': readFileSync(cert, 'utf8'), 'tls.key': readFileSync(key, 'utf8') };
      apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: `certificate-${which}` }, stringData: files });
      const settings = ['ssl=on', 'ssl_cert_file=/tls/tls.crt', 'ssl_key_file=/tls/tls.key'];
      apply({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'secure' },
        spec: {
          strategy: { type: 'Recreate' },
          selector: { matchLabels: { app: 'secure' } },
          template: {
            metadata: { labels: { app: 'secure' } },
            spec: {
              terminationGracePeriodSeconds: 1,
              // PostgreSQL accepts a key that root owns and its group may read.
              securityContext: { runAsUser: 70, runAsGroup: 70, fsGroup: 70 },
              containers: [
                {
                  name: 'main',
                  image: IMAGES.postgres,
                  args: settings.flatMap((setting) => ['-c', setting]),
                  env: [{ name: 'POSTGRES_PASSWORD', value: 'admin' }],
                  readinessProbe: { tcpSocket: { port: 5432 }, periodSeconds: 1 },
                  volumeMounts: [
                    { name: 'data', mountPath: '/data' },
                    { name: 'tls', mountPath: '/tls', readOnly: true },
                  ],
                },
              ],
              volumes: [
                { name: 'data', hostPath: { path: place } },
                { name: 'tls', secret: { secretName: `certificate-${which}`, defaultMode: 0o640 } },
              ],
            },
          },
        },
      });
      kubectl('rollout', 'status', 'deployment/secure', '--timeout=180s');
    };
    const trust = (...authorities: { ca: string }[]): void =>
      apply({
        ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'database-ca' } },
        data: { 'ca.crt': authorities.map(certificate).join('') },
      });
    const sql = async <Row extends object>(statement: string): Promise<Row[]> => {
      const address = await node.tunnel.to(clusterIp(node.plane, 'secure', NAMESPACE), 5432);
      const client = new pg.Client({ connectionString: `postgres://postgres:admin@${address}/postgres` });
      await client.connect();
      return client
        .query<Row>(statement)
        .then(({ rows }) => rows)
        .finally(() => client.end());
    };
    /** Whether connections of the middleware are encrypted: the distinct values. */
    const encrypted = async (): Promise<boolean[]> =>
      (
        await sql<{ ssl: boolean }>(
          `SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'mdw'`,
        )
      ).map(({ ssl }) => ssl);
    const pods = (): string[] => resources.pods('secured');
    /** Waits for the pods that trust these: what the conditions say may still be of the pods of before. */
    const trustIs = async (...authorities: { ca: string }[]): Promise<void> => {
      const before = pods();
      trust(...authorities);
      await eventually(pods, (now) => before.every((pod) => !now.includes(pod)));
      await well('secured');
    };
    /** Waits for an answer: the operator may not have noticed yet that the database was away. */
    const serves = (): Promise<void> =>
      eventually(
        () => answer('secured'),
        (said) => said === 200,
      );
    let place: string;

    before(async () => {
      place = mkdtempSync(join(node.plane.folder, 'secure-'));
      chmodSync(place, 0o777);
      apply({
        ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'secure' } },
        spec: { selector: { app: 'secure' }, ports: [{ port: 5432 }] },
      });
      serve(one, 'one', place);
      await eventually(
        () => sql('SELECT 1').then(String, String),
        (output) => !output.includes('rror'),
      );
      await sql(`CREATE ROLE mdw LOGIN PASSWORD 'first'`);
      await sql('CREATE DATABASE mdw OWNER mdw');
      const url = 'postgres://mdw:first@secure/mdw?sslmode=verify-full';
      kubectl('create', 'secret', 'generic', 'secured-db', `--from-literal=url=${url}`);
    });

    it('is verified with the authority of a ConfigMap, and each connection is encrypted', async () => {
      trust(one);
      apply(resource('secured', { secret: { name: 'secured-db' }, ca: { configMap: { name: 'database-ca' } } }));
      await well('secured');
      expect(await answer('secured')).to.equal(200);
      expect(await encrypted()).to.deep.equal([true]);
    });

    it('is not used when another authority is named: Stalled says why, and the old pods serve clients', async () => {
      const before = pods();
      trust(two);
      await until('secured', 'Stalled', /^True DatabaseUntrusted$/);
      expect(condition('secured', 'Stalled')?.message).to.contain('spec.database.ca');
      await until('secured', 'Degraded', /^True DatabaseUntrusted$/);
      expect(inShort('secured', 'Ready')).to.equal('True Serving');
      expect(await answer('secured')).to.equal(200);
      expect(pods()).to.deep.equal(before);
    });

    it('is used again as soon as the right authority is named', async () => {
      trust(one);
      await well('secured');
      expect(await answer('secured')).to.equal(200);
    });

    it('gets a certificate of another authority: both are named, then only the new one', async () => {
      await trustIs(one, two);
      serve(two, 'two', place);
      await serves();
      await trustIs(two);
      await serves();
      expect(await encrypted()).to.deep.equal([true]);
    });
  });
});
