import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { version } from '../../src/observe/version.js';
import { commandsOf, namedIn, titleOf } from '../support/documents.js';
import { binaries, describeWith, planeFolder, tool } from '../support/kube-tools.js';
import type { Ran } from '../support/kube-tools.js';
import { eventually } from '../support/populator.js';
import { GIVE_UP_MS } from '../support/patience.js';
import { RELEASE, clusterIp, noRealNode, startRealNode } from '../support/real-node.js';
import type { RealNode } from '../support/real-node.js';
import { masked } from '../support/secrets.js';
import { ask } from '../support/steady-client.js';
import { IMAGES } from '../support/test-images.js';

const NAMESPACE = 'install';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const CHART = join(PROJECT, 'charts/chain-middleware');

const DOCUMENT = commandsOf('docs/kubernetes.md');

/** Commands that need something else: other clusters, TLS, an operator of another version. Exact texts, so that nothing else is skipped. */
const ELSEWHERE = [
  [
    "kubectl create secret generic mainnet-db --from-literal=url='postgres://mdw:PASSWORD@HOST/mdw?sslmode=verify-full'",
    'kubectl create configmap mainnet-ca --from-file=ca.crt=CA-FILE',
    '',
  ].join('\n'),
  `kubectl annotate mdw NAME --overwrite chain-middleware.io/accept-upgrade=localhost/chain-middleware:${version}\n`,
  'kubectl annotate mdw NAME --overwrite chain-middleware.io/accept-operator=mdw-system/mdw-chain-middleware-operator\n',
  'kind load image-archive dist/image.tar\n',
  'k3s ctr --namespace k8s.io images import dist/image.tar\n',
  [
    'export REGISTRY=registry.example/team',
    `skopeo copy oci-archive:dist/image.tar docker://$REGISTRY/chain-middleware:${version}`,
    'helm install mdw charts/chain-middleware --namespace mdw-system --create-namespace --wait \\',
    '  --set image.repository=$REGISTRY/chain-middleware',
    '',
  ].join('\n'),
];

const README = 'charts/chain-middleware/README.md';

/** Commands in sentences of the chart's README, with the test that runs them. */
const NAMED: Record<string, string> = {
  'helm upgrade': 'test/chart/release.test.ts',
  'helm uninstall': 'test/chart/release.test.ts, and here',
  'helm install': 'test/chart/release.test.ts, and here',
  'helm test': 'here',
};

/** Replacements of Helm commands. */
const isWithoutHelm = (block: string): boolean => block.startsWith('make manifests\n');

/** Things that readers already have: an image of PostgreSQL, a database, a node, and a machine that does nothing else. */
const OWN: Record<string, string> = {
  '--timeout=5m': `--timeout=${2 * GIVE_UP_MS}ms`,
  'postgres:18': IMAGES.postgres,
  'mdw:PASSWORD@HOST/mdw': `mdw:first@postgres.${NAMESPACE}/mdw`,
  'http://NODE:3013': `http://node.${NAMESPACE}:3013`,
};

describeWith(noRealNode(), 'the documented installation, word for word', function () {
  this.bail(true);

  let node: RealNode;
  let shims: string;

  before(async () => {
    node = await startRealNode(NAMESPACE);
    await node.sql(`CREATE ROLE mdw LOGIN PASSWORD 'first'`);
    await node.sql('CREATE DATABASE mdw OWNER mdw');
    shims = join(node.plane.folder, 'shims');
    mkdirSync(shims);
    for (const name of ['kubectl', 'helm']) symlinkSync(tool(name) ?? '', join(shims, name));
    // On a machine of the cluster its containerd can be used.
    const machine = `nsenter -t "$(cut -d ' ' -f 1 ${node.plane.folder}/run/holder.pid)" -n -m -p`;
    const ctr = join(binaries() ?? '', 'ctr');
    writeFileSync(join(shims, 'ctr'), `#!/bin/sh\nexec ${machine} -- env -C "$PWD" ${ctr} "$@"\n`, { mode: 0o755 });
  });
  after(() => node?.stop());
  afterEach(function () {
    if (this.currentTest?.state !== 'failed') return;
    const output = [
      ['get', 'mdw,pods,jobs', '-A', '-o', 'wide'],
      ['get', 'events', '-A', '--sort-by=.lastTimestamp'],
      ['-n', 'mdw-system', 'logs', '--tail=40', '-l', 'app.kubernetes.io/instance=mdw'],
    ].map((args) => node.plane.tryKubectl(args).stdout);
    process.stderr.write(output.join('\n'));
  });

  /** Runs a block unchanged, by default in the network of the cluster, and ends processes that it left running. */
  const shell = async (block: string, network: 'cluster' | 'machine' = 'cluster'): Promise<Ran> => {
    const command = Object.entries(OWN).reduce((script, [theirs, ours]) => script.replaceAll(theirs, ours), block);
    const into = network === 'cluster' ? [join(planeFolder!, 'in-plane'), node.plane.folder] : [];
    const [program, ...args] = [...into, 'bash', '-euo', 'pipefail', '-c', command];
    const env = { ...process.env, PATH: shims + delimiter + process.env.PATH, KUBECONFIG: node.plane.kubeconfig };
    const child = spawn(program, args, { cwd: PROJECT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    const limit = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), 3 * GIVE_UP_MS);
    const [status] = (await once(child, 'exit')) as [number | null];
    clearTimeout(limit);
    try {
      process.kill(-child.pid!, 'SIGTERM');
    } catch {
      // No process continues.
    }
    const [stdout, stderr] = await output;
    return { status, stdout, stderr };
  };
  const succeeds = async (block: string, network?: 'machine'): Promise<string> => {
    const { status, stdout, stderr } = await shell(block, network);
    expect(status, masked(`${block}${stdout}${stderr}`)).to.equal(0);
    return stdout;
  };
  /** Waits until the Service answers: its rules are written a moment after its pods are ready. */
  const answerOf = async (service: string): Promise<number> => {
    const url = `http://${await node.tunnel.to(clusterIp(node.plane, service, 'default'), 8080)}/middleware/size/current`;
    return eventually(
      () =>
        ask(url).then(
          ({ status }) => status,
          () => 0,
        ),
      (status) => status > 0,
    );
  };

  for (const block of DOCUMENT) {
    if (ELSEWHERE.includes(block) || isWithoutHelm(block)) continue;
    it(`runs ${titleOf(block)}`, async () => {
      const isMade = block.startsWith('make image');
      const output = await succeeds(block, isMade ? 'machine' : undefined);

      if (block.includes('curl ')) {
        expect(JSON.parse(output.split('\n').at(-1)!)).to.have.property('size');
        expect(await answerOf('sample')).to.equal(200);
      }
      if (block.includes('name: mainnet')) expect(await answerOf('mainnet')).to.equal(200);
    });
  }

  it('leaves no objects and no processes', () => {
    for (const namespace of ['default', 'mdw-system']) {
      node.plane.kubectl(['-n', namespace, 'wait', 'pods', '--all', '--for=delete', '--timeout=60s']);
    }
    const left = node.plane.kubectl([
      'get',
      'deployments,jobs,services',
      '-A',
      '-o',
      'name',
      '-l',
      'app.kubernetes.io/name',
    ]);
    expect(left).to.equal('');
    expect(node.plane.kubectl(['get', 'crds', '-o', 'name'])).to.equal('');
  });

  for (const block of commandsOf(README)) {
    it(`runs ${titleOf(block)} of the chart, whose test queries the operator`, async () => {
      await succeeds(block);

      node.plane.helm(['uninstall', ...RELEASE, '--wait']);
      node.plane.kubectl(['delete', 'crds', '--all']);
    });
  }

  it('installs an operator without Helm', async () => {
    const [block] = DOCUMENT.filter(isWithoutHelm);

    await succeeds(block!);

    node.plane.kubectl(['delete', '-f', join(PROJECT, 'dist/install.yaml')]);
  });

  it('creates the resources of the values at the first installation', () => {
    const database = { secret: { name: 'chain-db' } };
    const spec = { node: { urls: [`http://node.${NAMESPACE}:3013`] }, database, server: { replicas: 1 } };
    const values = join(node.plane.folder, 'values.yaml');
    writeFileSync(values, JSON.stringify({ middlewares: [{ name: 'own', namespace: NAMESPACE, spec }] }));

    node.plane.helm(['install', ...RELEASE, CHART, '--create-namespace', '--values', values, '--timeout', '120s']);

    const phase = ['get', 'mdw', 'own', '-n', NAMESPACE, '-o', 'jsonpath={.spec.server.replicas}'];
    expect(node.plane.kubectl(phase)).to.equal('1');
    node.plane.kubectl(['-n', NAMESPACE, 'delete', 'mdw', 'own']);
  });
});

describe('the commands in the documents', () => {
  const commands = DOCUMENT.join('').split('\n');

  it('are the same in the README', () => {
    const [, section] = /^## On Kubernetes\n([^]*?)^## /m.exec(readFileSync(join(PROJECT, 'README.md'), 'utf8'))!;
    const [block] = /^```sh\n([^]*?)^```$/m.exec(section!)!.slice(1);
    let from = 0;
    for (const command of block!.trim().split('\n')) {
      const at = commands.indexOf(command, from);
      expect(at, command).to.be.at.least(from);
      from = at + 1;
    }
  });

  it('of the chart are all run by tests', () => {
    expect(namedIn(README, /^(mdw|kubectl|helm) /).sort()).to.deep.equal(Object.keys(NAMED).sort());
  });

  it('include those for an image in other clusters', () => {
    for (const block of ELSEWHERE) expect(DOCUMENT).to.include(block);
    expect(DOCUMENT.filter(isWithoutHelm)).to.have.length(1);
  });
});
