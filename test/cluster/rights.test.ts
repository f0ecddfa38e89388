import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { manifests } from '../../scripts/manifests.js';
import { createKubeClient } from '../../src/operator/kube/client.js';
import { isNotFound } from '../../src/operator/kube/errors.js';
import { MIDDLEWARE, OPTIONAL_KINDS, pathOf } from '../../src/operator/kube/kinds.js';
import { findAccess } from '../../src/operator/kube/kubeconfig.js';
import { describeWith, missingTools, output, tool } from '../support/kube-tools.js';
import { skipFor } from '../support/skip.js';
import { DEFINITIONS, definitionOf, removeDefinitions } from './support/definitions.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { given, noting } from './support/rights.js';
import type { Rule } from './support/rights.js';
import { openScene } from './support/scene.js';
import type { KubeObject, Scene, Service } from './support/scene.js';

const CHART = fileURLToPath(new URL('../../charts/chain-middleware', import.meta.url));

interface Role extends KubeObject {
  rules?: Rule[];
}

/** Rights that no request of the operator needs. */
const WITHOUT_REQUEST = [
  // An admission plugin, enabled in OpenShift, requires it for an owner reference that blocks the deletion of its owner.
  'update chain-middleware.io/middlewares/finalizers',
];

const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const INSTANCE = 'app.kubernetes.io/instance';

const documents = (text: string): Role[] =>
  parseAllDocuments(text).flatMap((document) => (document.toJS() as Role | null) ?? []);
const isOfOperator = ({ kind, metadata }: Role): boolean =>
  kind.endsWith('Role') && /-operator(-leader)?$/.test(metadata.name);
const rulesOf = (text: string): Rule[] =>
  documents(text).flatMap((one) => (isOfOperator(one) ? (one.rules ?? []) : []));

describeWith(missingPlane || missingTools('helm'), 'the rights of the operator', () => {
  let scene: Scene;
  const made: string[] = [];

  before(async function () {
    scene = await openScene();
    // An operator of all namespaces would also act on resources of other users.
    if (scene.plane.apiServer === undefined) skipFor('the cluster was not started here', this);
    for (const kind of OPTIONAL_KINDS) {
      await scene.plane.request(DEFINITIONS, { method: 'POST', body: definitionOf(kind) });
      made.push(definitionOf(kind).metadata.name);
    }
  });
  after(async () => {
    scene.plane.tryKubectl(
      'delete',
      'clusterrole,clusterrolebinding',
      '-l',
      `app.kubernetes.io/instance=${scene.namespace}`,
    );
    await scene.close();
    await removeDefinitions(scene.plane, made);
  });

  const render = (...args: string[]): string =>
    output(tool('helm')!, [
      ...['template', scene.namespace, CHART, '--namespace', scene.namespace, '--set', 'rbac.aggregate=false'],
      ...['--show-only', 'templates/rbac.yaml', '--show-only', 'templates/serviceaccount.yaml'],
      ...['--set', 'trial.enabled=true', ...args],
    ]);

  /** An operator with the account of the chart. Its requests and refusals are recorded. */
  const operate = async (rendered: string, namespaces: string[] | undefined) => {
    const account = documents(rendered).find(({ kind }) => kind === 'ServiceAccount')!.metadata.name;
    const path = `/api/v1/namespaces/${scene.namespace}/serviceaccounts/${account}/token`;
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const { status } = await scene.plane.request<{ status: { token: string } }>(path, { method: 'POST', body });
    const admin = findAccess({ kubeconfig: scene.plane.kubeconfig, env: {} });
    const { ca } = (await admin.credentials()).tls;
    const headers = { authorization: `Bearer ${status.token}` };
    let refused = 0;
    const client = createKubeClient(
      { ...admin, credentials: () => Promise.resolve({ headers, tls: { ca } }) },
      (_verb, code) => {
        if (code === 403) refused++;
      },
    );
    // The API server applies new roles a moment after their creation.
    for (const { metadata, rules } of documents(rendered).filter(isOfOperator)) {
      const [rule] = rules!;
      const { apiGroups, resources, resourceNames, verbs } = rule!;
      const spec = {
        resourceAttributes: {
          namespace: metadata.namespace ?? scene.namespace,
          ...{ verb: verbs[0], group: apiGroups[0], resource: resources[0], name: resourceNames?.[0] },
        },
      };
      const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec };
      await eventually(async () => {
        const answer = await client.request<{ status: { allowed: boolean } }>(REVIEWS, {
          method: 'POST',
          body: review,
        });
        expect(answer.status.allowed).to.equal(true);
      });
    }
    const used = new Set<string>();
    const outside = new Set<string>();
    const name = documents(rendered).find(({ metadata }) => metadata.name.endsWith('-leader'))!.metadata.name;
    const operator = scene.operator({
      lease: { namespace: scene.namespace, name: name.replace(/-leader$/, ''), identity: 'one' },
      namespaces,
      discoveryMs: 200,
      through: () =>
        noting(scene.database.behind(client), async ({ verb, resource, namespace }, at) => {
          // Apply creates a missing object, which is another right. A status is not created.
          const mayMake = verb === 'patch' && !resource.endsWith('/status');
          const isNew = mayMake && (await scene.plane.request(at).then(() => false, isNotFound));
          for (const one of isNew ? [verb, 'create'] : [verb]) used.add(`${one} ${resource}`);
          if (namespace !== scene.namespace) outside.add(`${verb} ${resource}`);
        }),
    });
    const stop = async (): Promise<void> => {
      await operator.stop();
      await client.close();
    };
    return { used, outside, refused: () => refused, stop };
  };

  /** A resource with all features, from its creation to its deletion. */
  const useAll = async (name: string): Promise<void> => {
    const has = (kind: string) => async () =>
      expect(await scene.list(kind, `${INSTANCE}=${name}`)).to.not.deep.equal([]);
    const hasNo = (kind: string) => async () => expect(await scene.list(kind, `${INSTANCE}=${name}`)).to.deep.equal([]);
    await scene.create(name, {
      database: { secret: { name: 'db' }, schema: name },
      ingress: { host: 'a.example' },
      httpRoute: { parentRefs: [{ name: 'public' }] },
      networkPolicy: { enabled: true },
      server: { autoscaling: { minReplicas: 2, maxReplicas: 3 } },
      retention: { jobs: '1s' },
    });
    await scene.create(`${name}-pg`, {
      database: {
        cluster: { name: `${name}-pg`, create: true, backups: { schedule: '0 0 2 * * *' } },
      },
    });
    await scene.create(`${name}-trial`, { database: { trial: {} } });
    await scene.settled(name);
    await eventually(has('ServiceMonitor'));
    await eventually(async () =>
      expect(await scene.get('StatefulSet', `${name}-trial-postgres`)).to.not.equal(undefined),
    );
    const tryAgain = (): Promise<unknown> =>
      scene.patch('Middleware', name, {
        metadata: { annotations: { 'chain-middleware.io/retry': String(Math.random()) } },
      });
    // What was created is changed once, each of its kinds.
    const labelled = async (resource: string, team: string, ...kinds: string[]): Promise<void> => {
      await scene.change(resource, { labels: { team } });
      for (const kind of kinds) {
        await eventually(async () => {
          const objects = await scene.list(kind, `${INSTANCE}=${resource}`);
          expect(objects.filter(({ metadata }) => metadata.labels?.['team'] === team)).to.not.deep.equal([]);
        });
      }
    };
    const workloads = ['Deployment', 'HorizontalPodAutoscaler', 'PodDisruptionBudget'];
    const network = ['ServiceAccount', 'Service', 'Ingress', 'HTTPRoute', 'NetworkPolicy'];
    await labelled(name, 'one', 'ConfigMap', ...workloads, ...network, 'ServiceMonitor', 'PrometheusRule');
    // The second time within minutes is counted in the Event of the first.
    for (let times = 1; times <= 2; times++) {
      await scene.patch('Service', name, { spec: { selector: { nobody: 'there' } } });
      await eventually(async () =>
        expect((await scene.get<Service>('Service', name))!.spec.selector).to.not.have.property('nobody'),
      );
    }
    await eventually(() => expect(used()).to.include('patch events.k8s.io/events'));
    await labelled(`${name}-trial`, 'one', 'StatefulSet');
    await scene.remove('Middleware', `${name}-trial`);
    await eventually(async () => expect(await scene.get('Cluster', `${name}-pg`)).to.not.equal(undefined));
    await eventually(async () => expect(await scene.get('ScheduledBackup', `${name}-pg`)).to.not.equal(undefined));
    await labelled(`${name}-pg`, 'one', 'Cluster', 'ScheduledBackup');
    await scene.change(`${name}-pg`, { database: { cluster: { backups: null } } });
    await eventually(async () => expect(await scene.get('ScheduledBackup', `${name}-pg`)).to.equal(undefined));
    await scene.remove('Middleware', `${name}-pg`);
    await scene.change(name, { monitoring: { kind: 'PodMonitor' } });
    await eventually(has('PodMonitor'));
    await labelled(name, 'two', 'PodMonitor');
    // Without this label, the operator finds the Job only by its name. Those of an earlier change are not wanted.
    await eventually(async () => {
      const jobs = await scene.list('Job', `${INSTANCE}=${name}`);
      const labels = { 'app.kubernetes.io/managed-by': null };
      // They may have been removed at the end of their retention.
      if (jobs.length === 0) await tryAgain();
      for (const { metadata } of jobs) await scene.patch('Job', metadata.name, { metadata: { labels } });
      expect(used()).to.include('get batch/jobs');
    });
    await scene.change(name, {
      ...{
        ingress: null,
        httpRoute: null,
        networkPolicy: null,
        populator: { enabled: false },
        monitoring: { enabled: false },
      },
      server: { autoscaling: null, disruptionBudget: { enabled: false } },
      logLevel: 'debug',
    });
    const gone = [
      'Ingress',
      'HorizontalPodAutoscaler',
      'PodDisruptionBudget',
      'ServiceMonitor',
      'PodMonitor',
      'HTTPRoute',
    ];
    for (const kind of [...gone, 'PrometheusRule', 'NetworkPolicy']) await eventually(hasNo(kind));
    await scene.settled(name);
    await eventually(async () => expect(await scene.list('Deployment', `${INSTANCE}=${name}`)).to.have.lengthOf(1));
    await eventually(async () => {
      await tryAgain();
      expect(used()).to.include('delete batch/jobs');
    });
  };
  /** Waits for the end of earlier suites: an operator of all namespaces is refused in namespaces that are being deleted. */
  const noneElsewhere = async (): Promise<void> => {
    const { items } = await scene.plane.request<{ items: KubeObject[] }>(pathOf(MIDDLEWARE));
    const others = items.filter(({ metadata }) => metadata.namespace !== scene.namespace);
    expect(others.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).to.deep.equal([]);
  };
  let used: () => string[] = () => [];

  for (const [scope, watched] of [
    ['all namespaces', false],
    ['the namespaces that are named', true],
  ] as const) {
    it(`are those that it uses, and no others, in ${scope}`, async () => {
      const rendered = render(...(watched ? ['--set', `operator.namespaces={${scene.namespace}}`] : []));
      for (const document of documents(rendered)) scene.plane.apply(document);
      await scene.secret();
      if (!watched) await eventually(noneElsewhere);
      const operator = await operate(rendered, watched ? [scene.namespace] : undefined);
      used = () => [...operator.used];
      await useAll(watched ? 'one' : 'all');
      await operator.stop();
      scene.plane.kubectl('-n', scene.namespace, 'delete', 'lease', '--all');

      expect(operator.refused(), 'requests that were refused').to.equal(0);
      if (watched) expect([...operator.outside]).to.deep.equal([]);
      const rights = given(rulesOf(rendered)).filter((one) => !WITHOUT_REQUEST.includes(one));
      expect([...operator.used].sort()).to.deep.equal([...new Set(rights)].sort());
      scene.plane.kubectl(
        'delete',
        '--ignore-not-found',
        'clusterrole,clusterrolebinding',
        '-l',
        `app.kubernetes.io/instance=${scene.namespace}`,
      );
      for (const { metadata } of await scene.list('Middleware')) await scene.remove('Middleware', metadata.name);
    });
  }

  it('let a resource continue whose old objects the operator may not delete, and the resource reports that', async () => {
    const rendered = render('--set', `operator.namespaces={${scene.namespace}}`);
    for (const document of documents(rendered)) scene.plane.apply(document);
    await scene.secret();
    await scene.create('left', { database: { secret: { name: 'db' }, schema: 'left' } });
    const { uid } = (await scene.get('Middleware', 'left'))!.metadata;
    const owner = {
      apiVersion: 'chain-middleware.io/v1alpha1',
      kind: 'Middleware',
      name: 'left',
      uid,
      controller: true,
    };
    const labels = { [INSTANCE]: 'left', 'app.kubernetes.io/managed-by': 'chain-middleware-operator' };
    scene.plane.apply({
      ...{ apiVersion: 'v1', kind: 'Service' },
      metadata: { name: 'left-of-before', namespace: scene.namespace, labels, ownerReferences: [owner] },
      spec: { ports: [{ port: 80 }] },
    });
    const operator = await operate(rendered, [scene.namespace]);

    const { message } = await scene.condition('left', 'Stalled', 'True', 'WriteRefused');
    expect(message).to.contain('Service/left-of-before').and.to.contain('grant the operator the right');
    await scene.condition('left', 'Ready', 'True');
    await operator.stop();
  });

  it('are the same in the manifests without Helm', () => {
    const values = ['--set', 'trial.enabled=false'];
    expect(given(rulesOf(manifests(tool('helm')!)))).to.deep.equal(given(rulesOf(render(...values))));
  });
});
