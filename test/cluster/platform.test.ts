import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { makeAuthority } from '../support/authority.js';
import { describeWith } from '../support/kube-tools.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { NEW_PODS, setPolicy } from './support/policy.js';
import { IMAGE, openScene, templateOf } from './support/scene.js';
import type { Deployment, Job, Scene } from './support/scene.js';
import { passes, startNoted } from './support/passes.js';

/** Fields of pods that the policy restricted-v2 of OpenShift refuses: it sets users and groups itself, from a range of the namespace. */
const RESTRICTED_V2 = [
  '!has(object.spec.securityContext.runAsUser) && !has(object.spec.securityContext.runAsGroup)',
  '!has(object.spec.securityContext.fsGroup) && !has(object.spec.securityContext.supplementalGroups)',
  'object.spec.containers.all(one, !has(one.securityContext.runAsUser) && !has(one.securityContext.runAsGroup))',
  'object.spec.containers.all(one, one.securityContext.allowPrivilegeEscalation == false)',
  "object.spec.containers.all(one, one.securityContext.capabilities.drop.exists(name, name == 'ALL'))",
  "object.spec.securityContext.seccompProfile.type == 'RuntimeDefault'",
  '!has(object.spec.volumes) || object.spec.volumes.all(one, !has(one.hostPath) && !has(one.nfs))',
  '!has(object.spec.hostNetwork) && !has(object.spec.hostPID) && !has(object.spec.hostIPC)',
];

describeWith(missingPlane, 'a resource under a policy like restricted-v2 of OpenShift', () => {
  let scene: Scene;
  let endPolicy: () => void;

  before(async () => {
    scene = await openScene();
    endPolicy = setPolicy(scene, NEW_PODS, RESTRICTED_V2);
    // The API server needs a moment to apply a new policy.
    await eventually(() => {
      const { status, stderr } = scene.plane.tryKubectl(
        ...['-n', scene.namespace, 'run', 'probe', '--image=x', '--dry-run=server'],
      );
      expect(stderr).to.contain(scene.namespace);
      expect(status).to.not.equal(0);
    });
    await scene.secret();
    scene.operator();
  });
  after(async () => {
    endPolicy();
    await scene.close();
  });

  it('runs: its pods set no user and no group, and any user can read their secrets', async () => {
    await scene.create('a', { server: { replicas: 1 } });
    await scene.settled('a');

    const deployments = await scene.list<Deployment>('Deployment');
    const [job] = await scene.list<Job>('Job');
    const pods = [...deployments.map(templateOf), (job?.spec as Deployment['spec']).template.spec];
    expect(pods).to.have.lengthOf(3);
    for (const pod of pods) {
      expect(pod['securityContext']).to.deep.equal({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      const volumes = pod['volumes'] as { secret?: { defaultMode: number } }[];
      expect(volumes.flatMap(({ secret }) => secret?.defaultMode ?? [])).to.deep.equal([0o444]);
    }
  });
});

describeWith(missingPlane, 'a pod template', () => {
  let scene: Scene;
  let operator: ReturnType<typeof startNoted>;

  before(async () => {
    scene = await openScene();
    await scene.secret();
    operator = startNoted(scene);
  });
  after(() => scene.close());

  it('is merged into the pods of its role, and is written once', async () => {
    const proxy = {
      ...{ name: 'proxy', image: 'example.test/proxy:1', restartPolicy: 'Always' },
      ports: [{ containerPort: 6432 }],
      resources: { limits: { memory: '1024Mi', cpu: 0.5 } },
    };
    const mdw = {
      name: 'mdw',
      env: [
        { name: 'RATE_LIMIT_PER_SECOND', valueFrom: { secretKeyRef: { name: 'db', key: 'rate', optional: true } } },
      ],
      envFrom: [{ secretRef: { name: 'more', optional: true } }],
      volumeMounts: [{ name: 'data', mountPath: '/data' }],
      securityContext: { runAsUser: 1000 },
    };
    const podTemplate = {
      metadata: { labels: { team: 'chain' }, annotations: { 'example.test/scrape': 'no' } },
      spec: {
        initContainers: [proxy],
        containers: [mdw, { name: 'logs', image: 'example.test/logs:1' }],
        volumes: [{ name: 'data', projected: { sources: [{ configMap: { name: 'data', optional: true } }] } }],
        securityContext: { fsGroup: 2000, fsGroupChangePolicy: 'OnRootMismatch' },
        dnsConfig: { options: [{ name: 'ndots', value: '2' }] },
        topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'rack', whenUnsatisfiable: 'ScheduleAnyway' }],
        hostAliases: [{ ip: '10.0.0.1', hostnames: ['node'] }],
      },
    };
    await scene.create('a', { server: { podTemplate } });
    await scene.settled('a');

    const servers = await scene.get<Deployment>('Deployment', 'a-server-blue');
    expect(servers?.spec.template.metadata?.labels).to.include({ team: 'chain' });
    const pod = templateOf(servers);
    expect(pod['securityContext']).to.include({ fsGroup: 2000, runAsNonRoot: true });
    expect(pod['initContainers']).to.have.nested.property('[0].name', 'proxy');
    expect(pod.containers.map(({ name }) => name)).to.deep.equal(['mdw', 'logs']);
    expect(pod.containers[0]).to.include({ image: IMAGE }).and.to.have.nested.property('volumeMounts[2].name', 'data');
    expect(pod.containers[0]?.['securityContext']).to.include({ runAsUser: 1000, readOnlyRootFilesystem: true });
    const populator = templateOf(await scene.get<Deployment>('Deployment', 'a-populator-blue'));
    expect(populator.containers).to.have.lengthOf(1);
    expect((await scene.status('a')).image).to.equal(IMAGE);

    const before = operator.written.length;
    await passes(operator.metrics, 5);
    expect(operator.written.slice(before)).to.deep.equal([]);
    await scene.remove('Middleware', 'a');
  });

  it('with fields of the operator is refused, and pods stay unchanged until it is corrected', async () => {
    await scene.create('b', { database: { secret: { name: 'db' }, schema: 'b' } });
    await scene.settled('b');
    const before = (await scene.get('Deployment', 'b-server-blue'))?.metadata.generation;

    const spec = { containers: [{ name: 'mdw', image: 'example.test/other:1' }] };
    await scene.change('b', { server: { podTemplate: { spec } } });
    const { message } = await scene.condition('b', 'Stalled', 'True', 'PodTemplateInvalid');
    expect(message).to.contain(
      'spec.server.podTemplate.spec.containers[mdw].image belongs to the operator: use spec.image',
    );
    await scene.condition('b', 'Ready', 'True');
    expect((await scene.get('Deployment', 'b-server-blue'))?.metadata.generation).to.equal(before);

    await scene.change('b', { server: { podTemplate: null } });
    await scene.settled('b');
  });

  const UNFIT: [string, string, Record<string, unknown>, string][] = [
    ['of another type', 'server', { dnsConfig: { nameservers: 'none' } }, 'dnsConfig.nameservers'],
    ['that no pod has', 'migration', { sidecars: [] }, 'sidecars'],
    [
      'of another type in a container',
      'populator',
      { containers: [{ name: 'x.y', image: 7 }] },
      'containers[x.y].image',
    ],
    [
      'that names no volume',
      'populator',
      { containers: [{ name: 'mdw', volumeMounts: [{ name: 'none', mountPath: '/x' }] }] },
      'containers[mdw].volumeMounts[/x].name',
    ],
    ['that is missing', 'server', { initContainers: [{ name: 'x' }] }, 'initContainers[x].image'],
  ];
  for (const [i, [what, role, spec, field]] of UNFIT.entries()) {
    it(`is reported in Stalled within 5 s by a field ${what}`, async () => {
      const name = `unfit-${i}`;
      const database = { secret: { name: 'db' }, schema: `u${i}` };
      await scene.create(name, { database, [role]: { podTemplate: { spec } } });
      const { message } = await scene.condition(name, 'Stalled', 'True', 'WriteRefused');
      expect(message).to.contain(`(spec.${role}.podTemplate.spec.${field})`);
      await scene.change(name, { [role]: { podTemplate: null } });
      await scene.settled(name);
      await scene.remove('Middleware', name);
    });
  }

  it('whose pods the API server refuses is reported in Stalled, and the old pods continue to serve', async () => {
    await scene.change('b', { server: { podTemplate: { spec: { runtimeClassName: 'no-such-class' } } } });
    const { message } = await scene.condition('b', 'Stalled', 'True', 'PodsRefused');
    expect(message).to.contain('Deployment b-server-blue').and.to.contain('no-such-class');
    await scene.condition('b', 'Ready', 'True');
    await scene.change('b', { server: { podTemplate: null } });
    await scene.settled('b');
  });
});

describeWith(missingPlane, 'the authorities of a resource', () => {
  let scene: Scene;
  const [one, two] = [makeAuthority(), makeAuthority()];

  before(async () => {
    scene = await openScene();
    await scene.secret();
    scene.operator();
  });
  after(async () => {
    for (const authority of [one, two]) authority.remove();
    await scene.close();
  });

  const apply = (kind: string, name: string, text: string) =>
    scene.plane.apply({
      ...{ apiVersion: 'v1', kind, metadata: { name, namespace: scene.namespace } },
      [kind === 'Secret' ? 'stringData' : 'data']: { 'ca.crt': text },
    });
  const certificate = ({ ca }: { ca: string }): string => readFileSync(ca, 'utf8');
  const podsOf = async (component: string): Promise<string[]> =>
    (await scene.list('Pod', `app.kubernetes.io/instance=a,app.kubernetes.io/component=${component}`)).map(
      ({ metadata }) => metadata.uid ?? '',
    );

  it('are files in its pods, from a Secret or a ConfigMap, which must exist', async () => {
    await scene.create('a', {
      node: { urls: ['https://node:3013'], ca: { configMap: { name: 'node-ca' } } },
      database: { secret: { name: 'db' }, ca: { secret: { name: 'database-ca' } } },
      compiler: { urls: ['https://compiler'], ca: { configMap: { name: 'node-ca', key: 'other.crt' } } },
    });
    const missing = await scene.condition('a', 'Stalled', 'True', 'AuthorityMissing');
    expect(missing.message).to.match(/^spec\.database\.ca: Secret database-ca does not exist: create it in namespace/);
    apply('Secret', 'database-ca', 'none');
    const invalid = await scene.condition('a', 'Stalled', 'True', 'AuthorityInvalid');
    expect(invalid.message).to.contain('Key ca.crt of Secret database-ca has no PEM certificates');
    apply('Secret', 'database-ca', certificate(one));
    apply('ConfigMap', 'node-ca', certificate(one));
    const without = await scene.condition('a', 'Stalled', 'True', 'AuthorityKeyMissing');
    expect(without.message).to.contain('spec.compiler.ca: ConfigMap node-ca has no key other.crt');
    await scene.change('a', { compiler: { ca: { configMap: { key: 'ca.crt' } } } });
    await scene.settled('a');

    const [job] = await scene.list<Job>('Job');
    const templates = [
      templateOf(await scene.get('Deployment', 'a-server-blue')),
      templateOf(await scene.get('Deployment', 'a-populator-blue')),
      (job?.spec as Deployment['spec']).template.spec,
    ];
    for (const pod of templates) {
      const { env, volumeMounts } = pod.containers[0] as unknown as {
        env: { name: string; value: string }[];
        volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
      };
      const files = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      expect(files).to.include({
        DATABASE_CA_FILE: '/var/run/mdw/database-ca/ca.crt',
        NODE_CA_FILE: '/var/run/mdw/node-ca/ca.crt',
        COMPILER_CA_FILE: '/var/run/mdw/compiler-ca/ca.crt',
      });
      expect(volumeMounts).to.deep.include({
        name: 'node-ca',
        mountPath: '/var/run/mdw/node-ca',
        readOnly: true,
      });
      const items = [{ key: 'ca.crt', path: 'ca.crt' }];
      expect(pod['volumes']).to.deep.include({
        name: 'node-ca',
        configMap: { name: 'node-ca', items, defaultMode: 0o444 },
      });
      expect(pod['volumes']).to.deep.include({
        name: 'database-ca',
        secret: { secretName: 'database-ca', items, defaultMode: 0o444 },
      });
    }
  });

  for (const [kind, name] of [
    ['Secret', 'database-ca'],
    ['ConfigMap', 'node-ca'],
  ] as const) {
    it(`cause new pods when the ${kind} has other certificates, but not when only its labels change`, async () => {
      const before = [...(await podsOf('server')), ...(await podsOf('populator'))];
      scene.plane.kubectl('-n', scene.namespace, 'label', kind, name, 'team=chain');
      await scene.change('a', { server: { podAnnotations: { marker: name } } });
      await eventually(async () => expect(await podsOf('server')).to.not.include.members([before[0]]));
      await scene.settled('a');
      expect(before).to.include.members(await podsOf('populator'));

      apply(kind, name, certificate(two));
      await eventually(async () => expect(before).to.not.include.members(await podsOf('populator')));
      await scene.settled('a');
    });
  }
});
