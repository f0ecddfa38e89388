import { expect } from 'chai';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { manifests } from '../../scripts/manifests.js';
import { image } from '../../src/observe/version.js';
import { CHILD_KINDS, OPTIONAL_KINDS } from '../../src/operator/kube/kinds.js';
import type { Kind } from '../../src/operator/kube/kinds.js';
import { expectTable } from '../support/refusals-page.js';
import type { Refusal } from '../support/refusals-page.js';
import { describeWith, missingTools, output, planeFolder, run, tool } from '../support/kube-tools.js';

const CHART = fileURLToPath(new URL('../../charts/chain-middleware', import.meta.url));
const GOLDEN = fileURLToPath(new URL('golden', import.meta.url));
const CI = readdirSync(join(CHART, 'ci'));

interface Resource {
  kind: string;
  metadata: { name: string; namespace?: string; annotations?: Record<string, string> };
  rules?: { apiGroups: string[]; resources: string[]; verbs: string[] }[];
  spec?: Record<string, unknown>;
}

const helm = tool('helm');
const kubeconform = tool('kubeconform');
const conform = planeFolder === undefined ? it.skip : it;

/** Kinds besides the children. test/cluster/rights.test.ts checks the rights on each. */
const OTHERS = [
  ...['chain-middleware.io/middlewares', 'chain-middleware.io/middlewares/status'],
  ...['chain-middleware.io/middlewares/finalizers', '/secrets', '/pods', 'events.k8s.io/events'],
  'coordination.k8s.io/leases',
];

const render = (...args: string[]): string =>
  output(helm!, ['template', 'mdw', CHART, '--namespace', 'mdw-system', ...args]);
const resources = (text: string): Resource[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Resource | null)
    .filter((resource) => resource !== null);

describeWith(missingTools('helm', 'kubeconform'), 'the chart, rendered', () => {
  let folder: string;

  before(() => (folder = mkdtempSync(join(tmpdir(), 'mdw-chart-'))));
  after(() => rmSync(folder, { recursive: true }));

  const values = (content: object): string => {
    const file = join(folder, 'values.yaml');
    writeFileSync(file, stringify(content));
    return file;
  };

  it('passes helm lint --strict with every file in ci', () => {
    for (const file of CI) output(helm!, ['lint', '--strict', CHART, '--values', join(CHART, 'ci', file)]);
  });

  for (const file of CI) {
    it(`renders ci/${file} as the golden file has it (GOLDEN=write writes the files)`, () => {
      const golden = join(GOLDEN, file.replace('-values', ''));
      // Definition, alerts and dashboards are generated from the source, and have their own tests.
      const rendered = render('--values', join(CHART, 'ci', file)).replace(
        /---\n# Source: chain-middleware\/templates\/(crds|dashboards|prometheusrule).yaml\n[^]*?(?=---\n)/g,
        '',
      );

      if (process.env.GOLDEN === 'write') {
        mkdirSync(GOLDEN, { recursive: true });
        writeFileSync(golden, rendered);
      }
      expect(rendered).to.equal(readFileSync(golden, 'utf8'));
    });

    conform(`renders ci/${file} to what the API's schemas allow, strictly`, () => {
      const schemas = join(folder, 'schemas');
      output('tar', ['-xJf', join(planeFolder!, 'schemas.tar.xz'), '-C', folder]);
      const manifest = join(folder, 'manifest.yaml');
      writeFileSync(manifest, render('--values', join(CHART, 'ci', file)));

      // There are no schemas for kinds of the Prometheus operator.
      const { status, stdout } = run(kubeconform!, [
        ...['-strict', '-summary', '-skip', 'ServiceMonitor,PrometheusRule'],
        ...['-schema-location', `${schemas}/{{.ResourceKind}}{{.KindSuffix}}.json`, manifest],
      ]);

      expect(status, stdout).to.equal(0);
      expect(stdout).to.match(/Invalid: 0, Errors: 0/);
    });
  }

  it('has links of alerts where alerts.runbookBase says that the pages are, and none without it', () => {
    const links = (...values: string[]): string[] =>
      render('--set', ['alerts.enabled=true', 'alerts.middlewares=true', ...values].join(',')).match(
        /runbook_url: .*/g,
      ) ?? [];
    expect(links()).to.deep.equal([]);
    expect(links('alerts.runbookBase=https://docs.example/'))
      .to.include('runbook_url: https://docs.example/docs/runbooks/MiddlewareCrashing.md')
      .and.to.include('runbook_url: https://docs.example/docs/runbooks/MiddlewareRowsDiffer.md');
  });

  const some = { node: { urls: ['http://node:3013'] }, database: { secret: { name: 'db' } } };
  const refusals: Refusal[] = [];
  after(() => expectTable('helm', refusals));

  const UNKNOWN: [string, object, RegExp][] = [
    ['at the top', { replicas: 3 }, /additional properties 'replicas' not allowed/],
    ['of the operator', { operator: { replica: 3 } }, /additional properties 'replica' not allowed/],
    [
      'of a resource',
      { middlewares: [{ name: 'a', spec: { node: { url: 'http://node' }, database: { secret: { name: 'b' } } } }] },
      /additional properties 'url' not allowed/,
    ],
    [
      'that names a schema which is not its own',
      {
        middlewares: [
          {
            name: 'a',
            spec: { node: { urls: ['http://node'] }, database: { secret: { name: 'b' }, schema: 'public' } },
          },
        ],
      },
      /spec\/database\/schema.*'not' failed/,
    ],
    ['of the wrong type', { operator: { replicas: 'two' } }, /got string, want integer/],
    ['outside of its set', { operator: { logLevel: 'loud' } }, /must be one of/],
    ['that is too many', { operator: { replicas: 10 } }, /operator\/replicas.*maximum: got 10, want 9/],
    ['that is none', { operator: { concurrency: 0 } }, /operator\/concurrency.*minimum: got 0, want 1/],
    [
      'that is twice there',
      { operator: { namespaces: ['a', 'a'] } },
      /operator\/namespaces.*items at 0 and 1 are equal/,
    ],
    [
      'that is no name of a namespace',
      { operator: { namespaces: ['My Team'] } },
      /operator\/namespaces\/0.*does not match pattern/,
    ],
    ['that is text for yes or no', { rbac: { create: 'always' } }, /rbac\/create.*got string, want boolean/],
    ['of a digest without its algorithm', { image: { digest: '0123' } }, /image\/digest.*does not match pattern/],
    ['of the image that is no policy', { image: { pullPolicy: 'Sometimes' } }, /image\/pullPolicy.*must be one of/],
    ['of a port that there is not', { networkPolicy: { apiServerPorts: [70000] } }, /apiServerPorts\/0.*maximum/],
    ['of a time without unit', { metrics: { serviceMonitor: { interval: '30' } } }, /interval.*does not match pattern/],
    ['of a timeout that is text', { test: { timeoutSeconds: '5m' } }, /test\/timeoutSeconds.*got string, want integer/],
    ['of a resource without a name', { middlewares: [{ spec: some }] }, /middlewares\/0.*missing property 'name'/],
    [
      'of a resource without a node',
      { middlewares: [{ name: 'a', spec: { database: some.database } }] },
      /missing property 'node'/,
    ],
    [
      'of a node that is no address',
      { middlewares: [{ name: 'a', spec: { ...some, node: { urls: ['node:3013'] } } }] },
      /spec\/node\/urls\/0.*does not match pattern/,
    ],
    [
      'of a resource that is no time',
      { middlewares: [{ name: 'a', spec: { ...some, reload: { retain: '1 hour' } } }] },
      /spec\/reload\/retain.*does not match pattern/,
    ],
  ];
  for (const [where, content, message] of UNKNOWN) {
    it(`refuses a value ${where}, by name`, () => {
      const { status, stderr } = run(helm!, ['template', 'mdw', CHART, '--values', values(content)]);

      expect(status).to.equal(1);
      expect(stderr).to.match(message);
      refusals.push({ written: content, read: stderr });
    });
  }

  it('uses the image that make image writes', () => {
    const asked = [...render().matchAll(/^ +(?:image|value): (\S*chain-middleware:\S*)$/gm)].map(([, name]) => name);

    expect(asked).to.deep.equal([image, image, image]);
  });

  it('uses another image if the manifests are made for one', () => {
    const text = manifests(helm!, 'registry.example:5000/team/mdw:2');

    expect(text.match(/registry\.example:5000\/team\/mdw:2\n/g)).to.have.length(2);
    expect(text).not.to.contain(image);
    expect(() => manifests(helm!, 'registry.example/mdw')).to.throw('HOST/REPOSITORY:TAG is needed');
  });

  it('limits what resources may ask for as the values say, also without Helm', () => {
    const values = join(CHART, 'ci', 'everything-values.yaml');
    for (const text of [render('--values', values), manifests(helm!, undefined, values)]) {
      const env = (name: string) => new RegExp(`name: ${name}\n +value: (.*)\n`).exec(text)?.[1];
      expect(env('ALLOWED_INGRESS_ANNOTATIONS')).to.equal(
        '"cert-manager.io/*,nginx.ingress.kubernetes.io/proxy-read-timeout"',
      );
      expect(env('ALLOWED_SERVICE_TYPES')).to.equal('"ClusterIP,NodePort"');
      expect(env('ALLOWED_IMAGES')).to.equal('"registry.example/chain/"');
      expect(env('ALLOWED_INGRESS_CLASSES')).to.equal('"nginx"');
      expect(env('ALLOWED_STORAGE_CLASSES')).to.equal('"fast"');
      expect(env('OPERATOR_TRIAL')).to.equal('"true"');
    }
  });

  it('gives the right to create Secrets and StatefulSets only with trial.enabled', () => {
    const createdWith = (...args: string[]): string[] =>
      resources(render(...args))
        .flatMap(({ rules = [] }) => rules)
        .filter(({ verbs }) => verbs.includes('create'))
        .flatMap(({ resources: kinds }) => kinds);
    const kinds = ['secrets', 'statefulsets'];

    expect(createdWith()).to.include('deployments').and.not.include.any.members(kinds);
    expect(createdWith('--set', 'trial.enabled=true')).to.include.members(kinds);
  });

  it('gives rights by resource and verb, without wildcards, none to change Secrets and none to write pods', () => {
    for (const { metadata, rules } of resources(render()).filter((resource) => resource.rules !== undefined)) {
      for (const { apiGroups, resources: kinds, verbs } of rules!) {
        expect([...apiGroups, ...kinds, ...verbs].join(' '), metadata.name).not.to.contain('*');
        const read = ['get', 'list', 'watch'];
        if (kinds.includes('secrets')) expect(read).to.include.members(verbs);
        if (kinds.includes('pods')) expect(read).to.include.members(verbs);
      }
    }
  });

  it('gives rights to the kinds in the source of the operator, and to no others', () => {
    const group = ({ apiVersion }: Kind): string => (apiVersion.includes('/') ? apiVersion.split('/')[0]! : '');
    const role = resources(render()).find(
      ({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'mdw-chain-middleware-operator',
    );

    const given = role!.rules!.flatMap(({ apiGroups, resources: kinds }) =>
      kinds.map((kind) => `${apiGroups[0]}/${kind}`),
    );

    const children = [...CHILD_KINDS, ...OPTIONAL_KINDS].map((kind) => `${group(kind)}/${kind.plural}`);
    expect(given).to.have.members([...children, ...OTHERS]);
  });

  it('gives rights only in the named namespaces, if some are named', () => {
    const rendered = resources(render('--set', 'operator.namespaces={a,b}', '--set', 'rbac.aggregate=false'));
    const rights = rendered.filter(({ kind }) => kind.endsWith('Role'));

    expect(rights.map(({ kind, metadata }) => `${kind} ${metadata.namespace}`)).to.have.members([
      'Role a',
      'Role b',
      'Role mdw-system',
    ]);
  });

  it('keeps definition and resources on uninstall, unless crds.keep is false', () => {
    const policy = (kind: string, ...args: string[]): unknown =>
      resources(render(...args)).find((resource) => resource.kind === kind)?.metadata.annotations?.[
        'helm.sh/resource-policy'
      ];
    const some = resources(render('--values', join(CHART, 'ci', 'middlewares-values.yaml')));

    expect(policy('CustomResourceDefinition')).to.equal('keep');
    expect(policy('CustomResourceDefinition', '--set', 'crds.keep=false')).to.equal(undefined);
    // A Job applies them, so that they do not belong to the release.
    expect(some.map(({ kind }) => kind))
      .to.include('Job')
      .and.not.include('Middleware');
  });

  it('renders the same definition of the resource as in crds', () => {
    const definition = parse(
      readFileSync(join(CHART, '../../crds/middlewares.chain-middleware.io.yaml'), 'utf8'),
    ) as Resource;
    const rendered = resources(render()).find(({ kind }) => kind === 'CustomResourceDefinition');

    expect(rendered?.spec).to.deep.equal(definition.spec);
  });
});

describe('the chart', () => {
  it('has the version of the program, and the matching example and image for Artifact Hub', () => {
    const read = (file: string): string => readFileSync(join(CHART, file), 'utf8');
    const { version } = JSON.parse(read('../../package.json')) as { version: string };
    const chart = parse(read('Chart.yaml')) as { appVersion: string; annotations: Record<string, string> };

    expect(chart.appVersion).to.equal(version);
    expect(chart.annotations['artifacthub.io/images']).to.contain(`image: ${image}\n`);
    expect(parse(chart.annotations['artifacthub.io/crdsExamples']!)).to.have.nested.property('[0].kind', 'Middleware');
  });
});
