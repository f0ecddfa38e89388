import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { makeAuthority } from '../support/authority.js';
import { describeWith } from '../support/kube-tools.js';
import { noRealNode, startRealNode } from '../support/real-node.js';
import type { RealNode } from '../support/real-node.js';
import { IMAGES } from '../support/test-images.js';
import { resourcesIn } from './support/resources.js';

const NAMESPACE = 'nodes';

/** A TLS proxy for the node, and a fake compiler. */
const FRONT = `
  const { createServer } = require('node:https');
  const { request } = require('node:http');
  const { readFileSync } = require('node:fs');
  const file = (name) => readFileSync('/tls/' + name);
  createServer({ cert: file('tls.crt'), key: file('tls.key') }, (req, res) => {
    if (req.url === '/version') {
      res.writeHead(200, { 'content-type': 'application/json' }).end('{"version":"8.0.0"}');
      return;
    }
    const { method, url: path, headers } = req;
    const there = request({ host: 'node', port: 3013, method, path, headers }, (answer) => {
      res.writeHead(answer.statusCode, answer.headers);
      answer.pipe(res);
    });
    there.on('error', () => res.destroy());
    req.pipe(there);
  }).listen(8443);
`;

describeWith(noRealNode(), 'node and compiler of a resource under TLS, with real containers', () => {
  let node: RealNode;
  const resources = resourcesIn(NAMESPACE, () => node);
  const { kubectl, apply, condition, inShort, until, eventually, well, answer } = resources;
  const names = 'DNS:secure';
  const [one, two] = [makeAuthority(names), makeAuthority(names)];
  const certificate = ({ ca }: { ca: string }): string => readFileSync(ca, 'utf8');

  before(async () => {
    node = await startRealNode(NAMESPACE);
    resources.installOperator();
    const text = (file: string): string => readFileSync(file, 'utf8');
    apply({
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'certificate' } },
      stringData: { 'tls.crt': text(one.cert), 'tls.key': text(one.key) },
    });
    apply({
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'secure' } },
      spec: { selector: { app: 'secure' }, ports: [{ port: 443, targetPort: 8443 }] },
    });
    apply({
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'secure' } },
      spec: {
        selector: { matchLabels: { app: 'secure' } },
        template: {
          metadata: { labels: { app: 'secure' } },
          spec: {
            terminationGracePeriodSeconds: 1,
            containers: [
              {
                name: 'main',
                image: IMAGES.development,
                imagePullPolicy: 'Never',
                command: ['node', '-e', FRONT],
                readinessProbe: { tcpSocket: { port: 8443 }, periodSeconds: 1 },
                volumeMounts: [{ name: 'tls', mountPath: '/tls', readOnly: true }],
              },
            ],
            volumes: [{ name: 'tls', secret: { secretName: 'certificate' } }],
          },
        },
      },
    });
    kubectl('rollout', 'status', 'deployment/secure', '--timeout=120s');
    await node.sql(`CREATE ROLE mdw LOGIN PASSWORD 'first'`);
    await node.sql('CREATE DATABASE mdw OWNER mdw');
    kubectl('create', 'secret', 'generic', 'db', '--from-literal=url=postgres://mdw:first@postgres/mdw');
  });
  after(() => {
    node?.stop();
    for (const authority of [one, two]) authority.remove();
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed') process.stderr.write(resources.describe());
  });

  const trust = (...authorities: { ca: string }[]): void =>
    apply({
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ca' } },
      data: { 'ca.crt': authorities.map(certificate).join('') },
    });

  /** Waits until node and compiler are both reached, or both not: old pods may answer for a moment. */
  const reached = (wanted: boolean): Promise<void> =>
    eventually(
      async () => ({
        node: (await resources.ask('secured', '/v2/peers/pubkey'))?.status === 200,
        compiler: (await resources.ask('secured', '/middleware/compilers'))?.text.includes('8.0.0') === true,
      }),
      ({ node, compiler }) => node === wanted && compiler === wanted,
      60,
    );

  it('are verified with the authority of a ConfigMap: the chain is loaded, and requests are forwarded', async () => {
    trust(one);
    const ca = { configMap: { name: 'ca' } };
    apply(
      resources.resource('secured', {
        node: { urls: ['https://secure'], ca },
        compiler: { urls: ['https://secure'], ca },
        database: { secret: { name: 'db' } },
      }),
    );
    await well('secured');
    expect(await answer('secured')).to.equal(200);
    await reached(true);
  });

  it('are not used when another authority is named: Degraded says why, and stored data is served', async () => {
    trust(two);
    await until('secured', 'Degraded', /^True NodeUntrusted$/);
    expect(condition('secured', 'Degraded')?.message).to.contain('certificate');
    expect(inShort('secured', 'Ready')).to.equal('True Serving');
    expect(await answer('secured')).to.equal(200);
    await reached(false);
  });

  it('are used again as soon as the right authority is named', async () => {
    trust(one);
    await well('secured');
    await reached(true);
  });
});
