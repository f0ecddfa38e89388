import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { KubeError } from '../../src/operator/kube/errors.js';
import { OPTIONAL_KINDS } from '../../src/operator/kube/kinds.js';
import type { Operator } from '../../src/operator/loop/operator.js';
import { describeWith } from '../support/kube-tools.js';
import { startMdw } from '../support/mdw.js';
import { skipFor } from '../support/skip.js';
import { DEFINITIONS, definitionOf, definitionOfCloudNativePG, removeDefinitions } from './support/definitions.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { IMAGE, openScene } from './support/scene.js';
import type { Scene } from './support/scene.js';
import { tampered } from './support/tamper.js';

/** The blocks of docs/kubernetes.md that make PostgreSQL by CloudNativePG. */
const DOCUMENTED = [...readFileSync('docs/kubernetes.md', 'utf8').matchAll(/^```yaml\n(.*?)^```$/gms)].map(
  ([, text]) => parse(text!) as Documented,
);
interface Documented {
  kind?: string;
  metadata?: { name: string };
  database?: {
    cluster?: { name: string; create: true; spec: Record<string, unknown>; backups?: { schedule: string } };
  };
}

describeWith(missingPlane, 'kinds that other operators bring', () => {
  let scene: Scene;
  let operator: Operator;
  const made: string[] = [];
  const isCheck = (path: string): boolean => OPTIONAL_KINDS.some(({ apiVersion }) => path === `/apis/${apiVersion}`);

  before(async function () {
    scene = await openScene();
    for (const kind of OPTIONAL_KINDS) {
      const { name } = definitionOf(kind).metadata;
      const there = await scene.plane.request(`${DEFINITIONS}/${name}`).then(
        () => true,
        () => false,
      );
      // A cluster that has the kinds may be in use: its definitions must not be touched.
      if (there) skipFor('the cluster has these kinds already', this);
    }
    await scene.secret();
    let checks = 0;
    operator = scene.operator({
      discoveryMs: 500,
      runbookBase: 'https://docs.example/pages/',
      through: (client) =>
        tampered(client, {
          before(path) {
            if (isCheck(path) && ++checks % 2 === 0) throw new KubeError(500, 'InternalError', 'tampered');
          },
        }),
    });
  });
  after(async () => {
    await scene.close();
    await removeDefinitions(scene.plane, made);
  });

  it('are not needed, except by resources that use them, although every second check fails', async () => {
    await scene.create('a');
    await scene.create('b', { database: { cluster: { name: 'pg', create: true } } });
    await scene.settled('a');
    await scene.condition('b', 'Stalled', 'True', 'CloudNativePGMissing');
  });

  it('are used as soon as they exist', async () => {
    for (const kind of OPTIONAL_KINDS) {
      made.push(definitionOf(kind).metadata.name);
      scene.plane.apply(definitionOf(kind));
    }
    for (const kind of ['ServiceMonitor', 'PrometheusRule']) {
      await eventually(async () => expect(await scene.get(kind, 'a'), kind).to.not.equal(undefined));
    }
    const rules = JSON.stringify((await scene.get('PrometheusRule', 'a'))!);
    expect(rules, 'links of the operator').to.contain('"runbook_url":"https://docs.example/pages/');
    await scene.change('a', { monitoring: { kind: 'PodMonitor', rules: false, labels: { release: 'prometheus' } } });
    await eventually(async () => {
      expect((await scene.get('PodMonitor', 'a'))?.metadata.labels).to.include({ release: 'prometheus' });
      expect(await scene.get('ServiceMonitor', 'a')).to.equal(undefined);
      expect(await scene.get('PrometheusRule', 'a')).to.equal(undefined);
    });
    await scene.settled('a');
  });

  it('run PostgreSQL as the resource asks, with backups, until the resource removes them', async () => {
    const backup = { retentionPolicy: '30d', barmanObjectStore: { destinationPath: 's3://backups/' } };
    const cluster = {
      ...{ name: 'more', create: true, instances: 3, storage: { size: '10Gi', storageClass: 'fast' } },
      spec: { resources: { requests: { memory: '8Gi' } }, postgresql: { parameters: { work_mem: '64MB' } }, backup },
      backups: { schedule: '0 0 2 * * *' },
    };
    await scene.create('more', { database: { cluster } });
    await eventually(async () => {
      expect((await scene.get('Cluster', 'more'))?.spec).to.containSubset({
        ...cluster.spec,
        ...{ instances: 3, storage: { size: '10Gi', storageClass: 'fast' } },
        bootstrap: { initdb: { database: 'mdw', owner: 'mdw', encoding: 'UTF8' } },
      });
      expect((await scene.get('ScheduledBackup', 'more'))?.spec).to.containSubset({
        ...{ schedule: '0 0 2 * * *', immediate: true },
        ...{ cluster: { name: 'more' }, backupOwnerReference: 'cluster' },
      });
    });
    await scene.change('more', { database: { cluster: { spec: { instances: 5 } } } });
    const { message } = await scene.condition('more', 'Stalled', 'True', 'ClusterInvalid');
    expect(message).to.contain('set spec.database.cluster.instances');
    await scene.change('more', { database: { cluster: { spec: { instances: null }, backups: null } } });
    await eventually(async () => expect(await scene.get('ScheduledBackup', 'more')).to.equal(undefined));
    expect(await scene.get('Cluster', 'more')).to.not.equal(undefined);
  });

  it('accept what docs/kubernetes.md says about databases and backups', async () => {
    const clusters = DOCUMENTED.flatMap(({ database }) =>
      database?.cluster?.create === true ? [database.cluster] : [],
    );
    expect(clusters).to.have.length(2);
    for (const cluster of clusters) {
      await scene.create(cluster.name, { database: { cluster } });
      await eventually(async () => {
        expect((await scene.get('Cluster', cluster.name))?.spec).to.containSubset(cluster.spec);
        if (cluster.backups !== undefined)
          expect((await scene.get('ScheduledBackup', cluster.name))?.spec).to.containSubset(cluster.backups);
      });
    }
    const backups = definitionOfCloudNativePG('backups');
    made.push(backups.metadata.name);
    scene.plane.apply(backups);
    const [backup, ...others] = DOCUMENTED.filter(({ kind }) => kind === 'Backup');
    expect(others).to.deep.equal([]);
    await eventually(() =>
      scene.plane.request(`/apis/postgresql.cnpg.io/v1/namespaces/${scene.namespace}/backups`, {
        method: 'POST',
        query: { fieldValidation: 'Strict' },
        body: backup,
      }),
    );
  });

  it('refuse a field that a Cluster does not have, and the resource says which', async () => {
    const cluster = { name: 'odd', create: true, spec: { instancez: 1 } };
    await scene.create('odd', { database: { cluster } });
    await eventually(async () => {
      const { conditions = [] } = await scene.status('odd');
      expect(conditions.map(({ message }) => message).join('\n')).to.contain('instancez');
    });
  });

  it('run PostgreSQL: the Cluster is created, the resource waits for its Secret, and the Cluster outlives the resource', async () => {
    await scene.condition('b', 'Stalled', 'True', 'SecretMissing');
    const cluster = await eventually(async () => {
      const object = await scene.get('Cluster', 'pg');
      expect(object?.spec).to.containSubset({ instances: 2, storage: { size: '100Gi' } });
      return object;
    });
    expect(cluster?.metadata.ownerReferences).to.equal(undefined);
    await scene.plane.request(`/api/v1/namespaces/${scene.namespace}/secrets`, {
      method: 'POST',
      body: { metadata: { name: 'pg-app' }, stringData: { uri: 'postgres://mdw:x@pg-rw/mdw' } },
    });
    await scene.settled('b');

    await scene.remove('Middleware', 'b');
    await eventually(async () => {
      expect(await scene.list('Deployment', 'app.kubernetes.io/instance=b')).to.deep.equal([]);
    });
    expect(await scene.get('Cluster', 'pg')).to.not.equal(undefined);
  });

  it('have alerts with links to the pages that --runbook-base names, when the program is started with it', async () => {
    await operator.stop();
    const base = 'https://pages.example/of/';
    const program = startMdw(['operator', '--runbook-base', base, '--metrics-address', '127.0.0.1:0'], {
      KUBECONFIG: scene.plane.kubeconfig,
      OPERATOR_NAMESPACES: scene.namespace,
      POD_NAMESPACE: scene.namespace,
      LEASE_NAME: 'operator',
      MIDDLEWARE_IMAGE: IMAGE,
    });
    try {
      await program.saw(/"Acquired the lease"/);
      await scene.change('a', { monitoring: null });
      await eventually(async () => {
        const rules = JSON.stringify((await scene.get('PrometheusRule', 'a'))?.spec ?? {});
        expect(rules).to.contain(`"runbook_url":"${base}docs/runbooks/MiddlewareNoWriter.md"`);
      });
    } finally {
      program.process.kill('SIGTERM');
      await program.ended;
    }
  });
});
