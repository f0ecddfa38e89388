/** The bundle for the Operator Lifecycle Manager: its rules, and whether an API server accepts its objects. */
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import { manifests } from '../../scripts/manifests.js';
import { bundleFiles } from '../../scripts/release/bundle.js';
import { version } from '../../src/observe/version.js';
import { describeWith, missingTools, tool } from '../support/kube-tools.js';
import { noCluster, openCluster } from '../support/plane.js';

const IMAGE = 'registry.example/team/chain-middleware:1.2.3';
const NAMESPACE = 'bundle';

interface KubeObject {
  kind: string;
  metadata: { name: string; namespace?: string };
  rules?: object[];
}

interface Definition extends KubeObject {
  spec: { versions: { name: string }[] };
}

interface ServiceVersion extends KubeObject {
  metadata: { name: string; annotations: Record<string, string> };
  spec: {
    version: string;
    icon: { base64data: string; mediatype: string }[];
    installModes: { type: string; supported: boolean }[];
    customresourcedefinitions: { owned: { name: string; version: string; kind: string; description: string }[] };
    install: {
      spec: {
        permissions: { serviceAccountName: string; rules: object[] }[];
        deployments: { name: string; label: object; spec: Deployment }[];
      };
    };
  };
}

interface Deployment {
  template: {
    metadata: { annotations?: Record<string, string> };
    spec: {
      serviceAccountName: string;
      containers: { image: string; env: { name: string; value?: string; valueFrom?: object }[] }[];
    };
  };
}

describeWith(missingTools('helm'), 'the bundle', () => {
  let files: Record<string, string>;
  let rendered: KubeObject[];
  let service: ServiceVersion;

  before(() => {
    const text = manifests(tool('helm')!, IMAGE);
    files = bundleFiles(text, IMAGE);
    rendered = parseAllDocuments(text).flatMap((one) => (one.toJS() as KubeObject | null) ?? []);
    service = parse(files['manifests/chain-middleware.clusterserviceversion.yaml']!) as ServiceVersion;
  });

  const objects = (): KubeObject[] =>
    Object.entries(files)
      .filter(([path]) => path.startsWith('manifests/') && !path.includes('clusterserviceversion'))
      .map(([, text]) => parse(text) as KubeObject);

  it('has the metadata for the catalogue, in a file and in the labels of its image', () => {
    const { annotations } = parse(files['metadata/annotations.yaml']!) as { annotations: Record<string, string> };
    const labels = [...files['bundle.Dockerfile']!.matchAll(/^LABEL (\S+?)=(.*)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]);
    const prefix = 'operators.operatorframework.io.bundle';

    expect(annotations).to.deep.equal({
      [`${prefix}.mediatype.v1`]: 'registry+v1',
      [`${prefix}.manifests.v1`]: 'manifests/',
      [`${prefix}.metadata.v1`]: 'metadata/',
      [`${prefix}.package.v1`]: 'chain-middleware',
      [`${prefix}.channels.v1`]: 'candidate',
      [`${prefix}.channel.default.v1`]: 'candidate',
    });
    expect(Object.fromEntries(labels)).to.deep.equal(annotations);
    expect([service.metadata.name, service.spec.version]).to.deep.equal([`chain-middleware.v${version}`, version]);
    expect(Buffer.from(service.spec.icon[0]!.base64data, 'base64').toString()).to.match(/^<svg /);
  });

  it('lists each version of its definition as owned, with an example of each', () => {
    const definition = objects().find(({ kind }) => kind === 'CustomResourceDefinition') as Definition;
    const { owned } = service.spec.customresourcedefinitions;
    const examples = JSON.parse(service.metadata.annotations['alm-examples']!) as { apiVersion: string }[];

    expect(owned.map(({ name }) => name)).to.deep.equal(owned.map(() => definition.metadata.name));
    expect(owned.map((one) => one.version)).to.deep.equal(definition.spec.versions.map(({ name }) => name));
    expect(examples.map(({ apiVersion }) => apiVersion)).to.deep.equal(
      owned.map((one) => `chain-middleware.io/${one.version}`),
    );
    for (const { description } of owned) expect(description).to.match(/^\w/);
  });

  it('gives the operator and users the same rights as the chart', () => {
    const rulesOf = (suffix: RegExp): object[] =>
      rendered
        .filter(({ kind, metadata }) => kind.endsWith('Role') && suffix.test(metadata.name))
        .flatMap(({ rules }) => rules!);
    const [given, ...more] = service.spec.install.spec.permissions;

    expect(more).to.deep.equal([]);
    expect(given!.rules).to.have.deep.members(rulesOf(/-operator(-leader)?$/));
    expect(objects().flatMap(({ rules }) => rules ?? [])).to.have.deep.members(rulesOf(/-(view|edit)$/));
  });

  it('does not contain what the manager creates: namespaces, the account of the operator and its bindings', () => {
    expect(objects().map(({ kind }) => kind)).to.have.members([
      'CustomResourceDefinition',
      'ClusterRole',
      'ClusterRole',
      'Service',
    ]);
    expect(objects().filter(({ metadata }) => metadata.namespace !== undefined)).to.deep.equal([]);
  });

  it('watches the namespaces that the manager names', () => {
    const [container] = service.spec.install.spec.deployments[0]!.spec.template.spec.containers;
    const env = new Map(container!.env.map((one) => [one.name, one]));

    expect(service.spec.installModes.filter(({ supported }) => supported)).to.have.length(4);
    expect(env.get('OPERATOR_NAMESPACES')).to.deep.equal({
      name: 'OPERATOR_NAMESPACES',
      valueFrom: { fieldRef: { fieldPath: "metadata.annotations['olm.targetNamespaces']" } },
    });
    expect(env.get('MIDDLEWARE_IMAGE')!.value).to.equal(IMAGE);
    expect(container!.image).to.equal(IMAGE);
  });

  describeWith(noCluster, 'on an API server', () => {
    let plane: ReturnType<typeof openCluster>;

    before(() => {
      plane = openCluster();
      plane.kubectl(['create', 'namespace', NAMESPACE]);
    });
    after(() => {
      plane.tryKubectl(['delete', 'namespace', NAMESPACE]);
      for (const { kind, metadata } of objects()) plane.tryKubectl(['delete', kind, metadata.name]);
      plane.stop();
    });

    const apply = (object: object): string =>
      plane.kubectl(
        ['-n', NAMESPACE, 'apply', '--server-side', '--validate=strict', '-f', '-'],
        JSON.stringify(object),
      );

    it('is accepted without a warning or an unknown field, and its operator runs with its rights', () => {
      for (const object of objects()) apply(object);
      plane.kubectl(['wait', '--for=condition=Established', 'crd/middlewares.chain-middleware.io', '--timeout=60s']);
      const [{ serviceAccountName, rules }] = service.spec.install.spec.permissions as [
        { serviceAccountName: string; rules: object[] },
      ];
      const api = 'rbac.authorization.k8s.io';
      const metadata = { name: serviceAccountName };
      apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata });
      apply({ apiVersion: `${api}/v1`, kind: 'Role', metadata, rules });
      apply({
        apiVersion: `${api}/v1`,
        kind: 'RoleBinding',
        metadata,
        roleRef: { apiGroup: api, kind: 'Role', name: serviceAccountName },
        subjects: [{ kind: 'ServiceAccount', name: serviceAccountName, namespace: NAMESPACE }],
      });
      for (const { name, label, spec } of service.spec.install.spec.deployments) {
        const template = { ...spec.template };
        template.metadata = { ...template.metadata, annotations: { 'olm.targetNamespaces': NAMESPACE } };
        apply({
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name, labels: label },
          spec: { ...spec, template },
        });
        plane.kubectl(['-n', NAMESPACE, 'rollout', 'status', `deployment/${name}`, '--timeout=60s']);
      }

      const account = `system:serviceaccount:${NAMESPACE}:${serviceAccountName}`;
      const may = (...question: string[]): string =>
        plane.tryKubectl(['-n', NAMESPACE, 'auth', 'can-i', ...question, '--as', account]).stdout.trim();
      expect(may('watch', 'middlewares.chain-middleware.io')).to.equal('yes');
      expect(may('update', `leases.coordination.k8s.io/chain-middleware-operator`)).to.equal('yes');
      expect(may('delete', 'services')).to.equal('no');
    });

    it('has examples that the API server accepts', () => {
      const examples = JSON.parse(service.metadata.annotations['alm-examples']!) as object[];
      for (const example of examples) {
        const output = plane.kubectl(
          ['-n', NAMESPACE, 'create', '--dry-run=server', '--validate=strict', '-f', '-'],
          JSON.stringify(example),
        );
        expect(output).to.contain('created (server dry run)');
      }
    });
  });
});
