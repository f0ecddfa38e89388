import { expect } from 'chai';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { manifests } from '../../scripts/manifests.js';
import { describeWith, run, tool } from '../support/kube-tools.js';
import type { Ran } from '../support/kube-tools.js';
import { noCluster, openCluster } from '../support/plane.js';

const CHART = fileURLToPath(new URL('../../charts/chain-middleware', import.meta.url));
const RELEASE = ['mdw', '--namespace', 'mdw-system'];
const DEFINITION = 'crd/middlewares.chain-middleware.io';

interface Hook {
  kind: string;
  metadata: { annotations: Record<string, string> };
  spec: {
    template: {
      spec: {
        serviceAccountName: string;
        containers: { command: string[]; args: string[]; env: { name: string; value: string }[] }[];
      };
    };
  };
}

interface Kubeconfig {
  clusters: { cluster: { server: string; 'certificate-authority-data': string } }[];
}

describeWith(noCluster, 'a release of the chart', () => {
  let plane: ReturnType<typeof openCluster>;
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'mdw-release-'));
    plane = openCluster();
    plane.kubectl(['create', 'namespace', 'data']);
  });
  after(() => {
    // The cluster may not be owned by the tests.
    plane.tryKubectl(['delete', DEFINITION, 'namespaces/data', 'namespaces/mdw-system', 'namespaces/chain-middleware']);
    plane.tryKubectl([
      'delete',
      'clusterroles,clusterrolebindings',
      '-l',
      'app.kubernetes.io/instance=chain-middleware',
    ]);
    plane.stop();
    rmSync(folder, { recursive: true });
  });

  /**
   * The chart as an earlier version: without one field of the resource and without one value. The first published
   * version has no other predecessor.
   */
  const previous = (): string => {
    const chart = join(folder, 'previous');
    cpSync(CHART, chart, { recursive: true });
    const edit = (file: string, from: RegExp, to: string): void => {
      const text = readFileSync(join(chart, file), 'utf8');
      expect(text, file).to.match(from);
      writeFileSync(join(chart, file), text.replace(from, to));
    };
    edit('Chart.yaml', /^version: .*$/m, 'version: 0.0.9');
    edit('templates/crds.yaml', /^ {16}paused:\n( {18}.*\n)+/m, '');
    edit('values.yaml', /^test:\n(.*\n)+/m, '');
    edit('templates/tests/query.yaml', /\(\.Values\.test\)\.timeoutSeconds/, '120');
    return chart;
  };

  const resource = (name: string, ...more: string[]): string =>
    [
      'apiVersion: chain-middleware.io/v1alpha1',
      'kind: Middleware',
      `metadata: {name: ${name}, namespace: data}`,
      'spec:',
      "  node: {urls: ['http://node:3013']}",
      '  database: {secret: {name: some-db}}',
      ...more,
    ].join('\n');
  const uidOf = (name: string): string =>
    plane.kubectl(['-n', 'data', 'get', 'mdw', name, '-o', 'jsonpath={.metadata.uid}']);

  const pausedOf = (name: string): string =>
    plane.kubectl(['-n', 'data', 'get', 'mdw', name, '-o', 'jsonpath={.spec.paused}']);

  const values = (): string[] => ['--values', join(folder, 'values.yaml')];
  const writeValues = (database: object = {}, more: object = {}): void => {
    const spec = {
      node: { urls: ['http://node:3013'] },
      database: { secret: { name: 'own-db' }, ...database },
      ...more,
    };
    const middlewares = [{ name: 'own', namespace: 'data', spec }];
    writeFileSync(
      join(folder, 'values.yaml'),
      JSON.stringify({ middlewares, operator: { replicas: 0, concurrency: 7 } }),
    );
  };
  /** The cluster may lack the image. */
  const idle = ['--set', 'operator.replicas=0'];
  const alone = ['--no-hooks', '--wait', '--timeout', '60s'];
  const uids: Record<string, string> = {};

  /** Runs the script that Helm runs in a pod after an installation or upgrade, with the same rights. */
  const applyResources = (): Ran => {
    const hooks = parseAllDocuments(plane.helm(['get', 'hooks', ...RELEASE])).map((hook) => hook.toJS() as Hook);
    const isTest = ({ metadata }: Hook): boolean => metadata.annotations['helm.sh/hook'] === 'test';
    const job = hooks.find(({ kind }) => kind === 'Job')!;
    for (const hook of hooks) {
      if (hook !== job && !isTest(hook)) plane.kubectl(['apply', '-f', '-'], JSON.stringify(hook));
    }
    const { serviceAccountName, containers } = job.spec.template.spec;
    const { command, args, env } = containers[0]!;
    const config = plane.kubectl(['config', 'view', '--minify', '--flatten', '--raw', '-o', 'json']);
    const { cluster } = (JSON.parse(config) as Kubeconfig).clusters[0]!;
    const files = { ca: join(folder, 'ca.crt'), token: join(folder, 'token') };
    writeFileSync(files.ca, Buffer.from(cluster['certificate-authority-data'], 'base64'));
    writeFileSync(files.token, plane.kubectl(['-n', 'mdw-system', 'create', 'token', serviceAccountName]).trim());
    const ran = run(process.execPath, [...command.slice(1), ...args], {
      env: {
        ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
        API_SERVER: cluster.server,
        TOKEN_FILE: files.token,
        NODE_EXTRA_CA_CERTS: files.ca,
      },
    });
    for (const namespace of ['data', 'mdw-system']) {
      const label = 'app.kubernetes.io/name=chain-middleware-apply';
      plane.kubectl(['-n', namespace, 'delete', 'serviceaccounts,roles,rolebindings', '-l', label]);
    }
    return ran;
  };
  const applyOwn = (): void => {
    expect(applyResources()).to.include({ stderr: '', stdout: 'Middleware data/own applied\n', status: 0 });
  };

  it('installs the definition and a resource of its kind in one step, and accepts a resource made by hand', () => {
    writeValues();
    plane.helm(['install', ...RELEASE, previous(), '--create-namespace', ...values(), ...alone]);
    applyOwn();
    plane.kubectl(['apply', '-f', '-'], resource('by-hand'));

    for (const name of ['own', 'by-hand']) uids[name] = uidOf(name);
    expect(plane.kubectl(['-n', 'mdw-system', 'get', 'deployment', '-o', 'name'])).to.contain('operator');
  });

  it('updates the definition on upgrade with the old values, and keeps the resources', () => {
    const before = plane.tryKubectl(['apply', '-f', '-'], resource('newer', '  paused: true'));
    expect(before.stderr).to.contain('unknown field "spec.paused"');

    writeValues({}, { paused: true });
    plane.helm(['upgrade', ...RELEASE, CHART, '--reuse-values', ...values(), ...alone]);
    applyOwn();
    plane.kubectl(['apply', '-f', '-'], resource('newer', '  paused: true'));

    for (const name of ['own', 'newer']) expect(pausedOf(name)).to.equal('true');
    for (const name of ['own', 'by-hand']) expect(uidOf(name)).to.equal(uids[name]);
    const deployment = plane.kubectl(['-n', 'mdw-system', 'get', 'deployment', '-o', 'yaml']);
    expect(deployment).to.match(/name: CONCURRENCY\n +value: "7"/);
  });

  it('keeps only definition and resources when it is uninstalled', () => {
    plane.helm(['uninstall', ...RELEASE, '--wait', '--timeout', '60s']);

    for (const name of ['own', 'by-hand']) expect(uidOf(name)).to.equal(uids[name]);
    plane.kubectl(['get', DEFINITION]);
    const label = 'app.kubernetes.io/instance=mdw';
    const kinds = 'all,serviceaccounts,roles,rolebindings,clusterroles,clusterrolebindings,networkpolicies,configmaps';
    expect(plane.kubectl(['get', kinds, '-A', '-l', label, '-o', 'name'])).to.equal('');
  });

  it('adopts them when it is installed again', () => {
    writeValues();
    plane.helm(['install', ...RELEASE, CHART, ...values(), ...alone]);
    applyOwn();

    // The new values replace the fields of the old ones.
    expect(pausedOf('own')).to.equal('false');
    for (const name of ['own', 'by-hand']) expect(uidOf(name)).to.equal(uids[name]);
  });

  it('reports why the API server refuses a resource of the release', () => {
    // The schema of the values does not know the previous state of the resource.
    writeValues({ schema: 'another' });
    plane.helm(['upgrade', ...RELEASE, CHART, ...values(), ...alone]);

    const { status, stderr } = applyResources();

    expect(status).to.equal(1);
    expect(stderr).to.match(
      /^Middleware data\/own: .*database\.schema cannot be changed; make another resource for another copy/s,
    );
  });

  it('adopts nothing of a release with another name', () => {
    const other = ['other', '--namespace', 'mdw-system'];

    expect(() => plane.helm(['install', ...other, CHART, ...idle, '--wait', '--timeout', '60s'])).to.throw(
      /exists and cannot be imported into the current release/,
    );
    plane.helm(['install', ...other, CHART, ...idle, '--set', 'crds.install=false', '--wait', '--timeout', '60s']);
    plane.helm(['uninstall', ...other, '--wait', '--timeout', '60s']);
  });

  it('can be installed without Helm: the manifests apply unchanged', () => {
    plane.helm(['uninstall', ...RELEASE, '--wait', '--timeout', '60s']);
    const text = manifests(tool('helm')!);

    expect(text).not.to.match(/helm/i);
    plane.kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], text);
    plane.kubectl(['-n', 'chain-middleware', 'get', 'deployment/chain-middleware-operator']);
    for (const name of ['own', 'by-hand']) expect(uidOf(name)).to.equal(uids[name]);
  });

  it('is refused a resource that breaks a rule, with a message that names the field', () => {
    const { status, stderr } = plane.tryKubectl(
      ['apply', '-f', '-'],
      resource('bad', '  server: {replicas: 3, autoscaling: {minReplicas: 1, maxReplicas: 2}}'),
    );

    expect(status).to.equal(1);
    expect(stderr).to.match(/spec\.server.*(replicas|autoscaling)/);
  });
});
