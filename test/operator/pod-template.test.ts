import { expect } from 'chai';
import { decide } from '../../src/operator/decide/decide.js';
import { merged } from '../../src/operator/desired/merge.js';
import { migrationJob, migrationOf } from '../../src/operator/desired/migration.js';
import { populatorDeployment, serverDeployment } from '../../src/operator/desired/workloads.js';
import type { Basis, CopyPlan, PodTemplate } from '../../src/operator/types.js';
import { OperatorModel } from '../support/operator-model.js';

const COPY: CopyPlan = { color: 'blue', schema: 'mdw', populates: true, servers: 2 };

interface Named {
  name: string;
  [field: string]: unknown;
}

interface PodSpec {
  containers: (Named & { env: Named[]; envFrom: unknown[]; volumeMounts: (Named & { mountPath: string })[] })[];
  volumes: Named[];
  [field: string]: unknown;
}

const world = (spec: Record<string, unknown>): Basis => new OperatorModel({ spec }).basis();
const specOf = ({ spec }: PodTemplate) => spec as unknown as PodSpec;
const serverOf = (server: object, more: object = {}): PodTemplate =>
  serverDeployment(world({ server, ...more }), COPY).spec.template;

describe('A pod template', () => {
  const bare = specOf(serverOf({}));

  it('adds volumes, mounts, variables, sidecars and init containers to those of the operator', () => {
    const sidecar = { name: 'proxy', image: 'example.test/proxy:1', restartPolicy: 'Always' };
    const pod = specOf(
      serverOf({
        podTemplate: {
          spec: {
            initContainers: [sidecar],
            containers: [
              { name: 'logs', image: 'example.test/logs:1' },
              {
                name: 'mdw',
                env: [{ name: 'RATE_LIMIT_PER_SECOND', valueFrom: { secretKeyRef: { name: 'limits', key: 'rate' } } }],
                envFrom: [{ secretRef: { name: 'more' } }],
                volumeMounts: [{ name: 'data', mountPath: '/data' }],
              },
            ],
            volumes: [{ name: 'data', emptyDir: {} }],
            dnsPolicy: 'None',
            runtimeClassName: 'gvisor',
          },
        },
      }),
    );

    expect(pod).to.deep.include({ initContainers: [sidecar], dnsPolicy: 'None', runtimeClassName: 'gvisor' });
    const [mdw, logs] = pod.containers;
    expect(logs).to.deep.equal({ name: 'logs', image: 'example.test/logs:1' });
    expect(mdw?.image).to.equal('mdw:1');
    expect(mdw?.env.map(({ name }) => name)).to.deep.equal([
      ...bare.containers[0]!.env.map(({ name }) => name),
      'RATE_LIMIT_PER_SECOND',
    ]);
    // Of two sources the last one wins.
    expect(mdw?.envFrom).to.deep.equal([{ secretRef: { name: 'more' } }, ...bare.containers[0]!.envFrom]);
    expect(mdw?.volumeMounts.map(({ mountPath }) => mountPath)).to.deep.equal([
      '/var/run/secrets/mdw/database',
      '/tmp',
      '/data',
    ]);
    expect(pod.volumes.map(({ name }) => name)).to.deep.equal(['database', 'tmp', 'data']);
  });

  it('wins over defaults, but not over other fields of the resource', () => {
    const securityContext = { fsGroup: 2000, seccompProfile: { type: 'Localhost', localhostProfile: 'p.json' } };
    const given = {
      metadata: { labels: { team: 'a', tier: 'b' }, annotations: { note: 'x' } },
      spec: {
        securityContext,
        containers: [{ name: 'mdw', securityContext: { readOnlyRootFilesystem: false } }],
        priorityClassName: 'low',
        nodeSelector: { disk: 'ssd', zone: 'a' },
        tolerations: [{ key: 'template' }],
        topologySpreadConstraints: [{ topologyKey: 'rack' }],
        imagePullSecrets: [{ name: 'two' }],
      },
    };
    const fields = { podLabels: { team: 'c' }, nodeSelector: { zone: 'b' }, tolerations: [{ key: 'field' }] };
    const template = serverOf(
      { podTemplate: given, ...fields, priorityClassName: 'high' },
      { imagePullSecrets: [{ name: 'one' }] },
    );

    expect(template.metadata?.labels).to.include({
      team: 'c',
      tier: 'b',
      'app.kubernetes.io/name': 'chain-middleware',
    });
    expect(template.metadata?.annotations).to.include({ note: 'x' });
    const pod = specOf(template);
    expect(pod).to.deep.include({
      securityContext: { ...securityContext, runAsNonRoot: true, seccompProfile: securityContext.seccompProfile },
      priorityClassName: 'high',
      nodeSelector: { disk: 'ssd', zone: 'b' },
      tolerations: [{ key: 'field' }],
      topologySpreadConstraints: [{ topologyKey: 'rack' }],
      imagePullSecrets: [{ name: 'one' }, { name: 'two' }],
    });
    expect(pod.containers[0]?.['securityContext']).to.deep.equal({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: false,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('applies to one role: populator, servers, or all Jobs', () => {
    const volumes = (name: string) => ({ podTemplate: { spec: { volumes: [{ name, emptyDir: {} }] } } });
    const at = world({ populator: volumes('p'), server: volumes('s'), migration: volumes('j') });
    const job = migrationJob(at, COPY, migrationOf(at, COPY)).spec as { template: PodTemplate };
    const templates = [populatorDeployment(at, COPY).spec.template, serverDeployment(at, COPY).spec.template];
    const names = [...templates, job.template].map((one) => specOf(one).volumes.map(({ name }) => name));
    expect(names).to.deep.equal([
      ['database', 'tmp', 'p'],
      ['database', 'tmp', 's'],
      ['database', 'tmp', 'j'],
    ]);
  });

  const mdw = (fields: object) => ({ spec: { containers: [{ name: 'mdw', ...fields }] } });
  const REFUSED: [string, string, object, string][] = [
    ['an image', 'server', mdw({ image: 'x' }), 'spec.containers[mdw].image belongs to the operator: use spec.image'],
    ['arguments', 'populator', mdw({ args: ['-s'] }), 'spec.containers[mdw].args belongs'],
    ['a command', 'migration', mdw({ command: ['sh'] }), 'spec.containers[mdw].command belongs'],
    ['a probe', 'server', mdw({ readinessProbe: {} }), 'spec.containers[mdw].readinessProbe belongs'],
    ['ports', 'server', mdw({ ports: [{ containerPort: 1 }] }), 'spec.containers[mdw].ports belongs'],
    [
      'resources',
      'populator',
      mdw({ resources: { limits: {} } }),
      'spec.containers[mdw].resources belongs to the operator: use spec.populator.resources',
    ],
    [
      'a variable of the operator',
      'server',
      mdw({ env: [{ name: 'DATABASE_URL_FILE', value: '/x' }] }),
      'spec.containers[mdw].env[DATABASE_URL_FILE] belongs',
    ],
    [
      'a variable that has a field',
      'populator',
      mdw({ env: [{ name: 'PROOF', value: 'off' }] }),
      'spec.containers[mdw].env[PROOF] belongs to the operator: use spec.populator.proof',
    ],
    [
      'a variable that settings have',
      'server',
      mdw({ env: [{ name: 'LIMIT_CAP', value: '7' }] }),
      'spec.containers[mdw].env[LIMIT_CAP] belongs to the operator: use its field of the resource, or spec.settings',
    ],
    [
      'a mount over one of the operator',
      'server',
      mdw({ volumeMounts: [{ name: 'x', mountPath: '/tmp/' }] }),
      'spec.containers[mdw].volumeMounts[/tmp] belongs',
    ],
    ['a volume of the operator', 'server', { spec: { volumes: [{ name: 'database' }] } }, 'spec.volumes[database] bel'],
    ['another account', 'server', { spec: { serviceAccountName: 'x' } }, 'spec.serviceAccountName belongs'],
    ['an end of Jobs', 'migration', { spec: { restartPolicy: 'Always' } }, 'spec.restartPolicy belongs'],
    [
      'a label of the selector',
      'server',
      { metadata: { labels: { 'app.kubernetes.io/component': 'x' } } },
      'metadata.labels[app.kubernetes.io/component] belongs',
    ],
    ['what is no list', 'server', { spec: { containers: 'none' } }, 'spec.containers must be a list'],
    ['what has no name', 'server', { spec: { volumes: [{ emptyDir: {} }] } }, 'spec.volumes[0] must have a name'],
    ['variables that are no list', 'server', mdw({ envFrom: {} }), 'spec.containers[mdw].envFrom must be a list'],
  ];
  for (const [what, role, podTemplate, words] of REFUSED) {
    it(`is refused with ${what}, with a message that names the field`, () => {
      const spec = { settings: { LIMIT_CAP: '5' }, [role]: { podTemplate } };
      const { status, want } = decide(world(spec));
      const stalled = status.conditions?.find(({ type }) => type === 'Stalled');
      expect(stalled).to.include({ status: 'True', reason: 'PodTemplateInvalid' });
      expect(stalled?.message).to.contain(`spec.${role}.podTemplate.${words}`);
      expect(want.filter(({ kind }) => kind === 'Job' || kind === 'Deployment')).to.deep.equal([]);
    });
  }

  it('with all other fields is not refused', () => {
    const podTemplate = {
      metadata: { labels: { a: 'b' } },
      spec: { hostNetwork: false, containers: [{ name: 'mdw', workingDir: '/', env: [{ name: 'TZ', value: 'UTC' }] }] },
    };
    const { status } = decide(world({ server: { podTemplate } }));
    expect(status.conditions?.find(({ type }) => type === 'Stalled')).to.include({ status: 'False' });
  });
});

describe('Merging', () => {
  it('merges list items by name, replaces other lists as a whole, and ignores null', () => {
    const under = { env: [{ name: 'A', value: '1' }, { name: 'B' }], args: ['x'], keep: 1, none: null };
    const over = { env: [{ name: 'C' }, { name: 'A', value: '2' }], args: ['y'], keep: null };
    expect(merged(under, over)).to.deep.equal({
      env: [{ name: 'C' }, { name: 'A', value: '2' }, { name: 'B' }],
      args: ['y'],
      keep: 1,
      none: null,
    });
  });
});
