/** The `docker run` lines of the README on a real node: the same images, arguments, variables and users, in pods that are made from the lines. */
import { expect } from 'chai';
import { parseArgs } from 'node:util';
import { image } from '../../src/observe/version.js';
import { commandsOf } from '../support/documents.js';
import { describeWith } from '../support/kube-tools.js';
import { eventually } from '../support/populator.js';
import { noRealNode, startRealNode } from '../support/real-node.js';
import type { RealNode } from '../support/real-node.js';
import { ask } from '../support/steady-client.js';
import { IMAGES } from '../support/test-images.js';

/** Images of the README, and those that the tests make in the same way. */
const OWN: Record<string, string> = {
  [image]: IMAGES.middleware,
  [image.replace(':', '/devnode:')]: IMAGES.development,
  'postgres:18': IMAGES.postgres,
};

interface Container {
  name: string;
  image: string;
  args: string[];
  env: Record<string, string>;
  ports: number[];
  isReadOnly: boolean;
}

/** What the flags of a line say. Flags that this does not know end the test. */
function containerOf(line: string, envFile: Record<string, string>): Container {
  const words = line.split(' ').slice(2);
  const last = words.findIndex((word) => word in OWN);
  const { values } = parseArgs({
    args: words.slice(0, last),
    options: {
      detach: { type: 'boolean', short: 'd' },
      name: { type: 'string' },
      network: { type: 'string' },
      env: { type: 'string', short: 'e', multiple: true, default: [] },
      'env-file': { type: 'string' },
      publish: { type: 'string', short: 'p', multiple: true, default: [] },
      restart: { type: 'string' },
      'stop-timeout': { type: 'string' },
      'read-only': { type: 'boolean', default: false },
      tmpfs: { type: 'string' },
      'cap-drop': { type: 'string' },
      'security-opt': { type: 'string' },
    },
  });
  const given = values.env.map((text) => text.split(/=(.*)/s).slice(0, 2) as [string, string]);
  return {
    name: values.name!,
    image: OWN[words[last]!]!,
    args: words.slice(last + 1),
    env: { ...(values['env-file'] !== undefined && envFile), ...Object.fromEntries(given) },
    ports: values.publish.map((text) => Number(text.split(':')[1])),
    isReadOnly: values['read-only'],
  };
}

/** A pod with one container, and its name in the network. The user is that of the image. */
function podOf({ name, image, args, env, ports, isReadOnly }: Container): object[] {
  const labels = { app: name };
  const security = {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  };
  return [
    { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { clusterIP: 'None', selector: labels } },
    {
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels } },
      spec: {
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        terminationGracePeriodSeconds: 2,
        containers: [
          {
            ...{ name: 'main', image, args, imagePullPolicy: 'Never' },
            env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
            ports: ports.map((containerPort) => ({ containerPort })),
            ...(isReadOnly && { securityContext: security, volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }] }),
          },
        ],
        volumes: isReadOnly ? [{ name: 'tmp', emptyDir: { medium: 'Memory' } }] : [],
      },
    },
  ];
}

describeWith(noRealNode(), 'the docker run lines of the README, with real containers', function () {
  this.timeout(600_000);
  const lines = commandsOf('README.md')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('docker run '));
  let node: RealNode;

  before(async () => {
    node = await startRealNode('docker');
  });
  after(() => node?.stop());

  /** Starts the containers of some lines in a new namespace, and waits until the port that they publish answers. */
  async function answer(namespace: string, chosen: string[], envFile: Record<string, string> = {}): Promise<number> {
    const containers = chosen.map((line) => containerOf(line, envFile));
    const items = containers.flatMap(podOf);
    node.plane.kubectl(['create', 'namespace', namespace]);
    node.plane.kubectl(
      ['-n', namespace, 'apply', '-f', '-'],
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
    );
    const published = containers.find(({ ports }) => ports.length > 0)!;
    const where = ['-n', namespace, 'get', 'pod', published.name, '-o', 'jsonpath={.status.podIP}'];
    const ip = await eventually(
      () => Promise.resolve(node.plane.kubectl(where)),
      (text) => text !== '',
    );
    const url = `http://${await node.tunnel.to(ip, published.ports[0]!)}/middleware/size/current`;
    try {
      return await eventually(
        () =>
          ask(url).then(
            ({ status }) => status,
            () => 0,
          ),
        (status) => status === 200,
      );
    } catch (cause) {
      const printed = [['get', 'pods', '-o', 'wide'], ...containers.map(({ name }) => ['logs', name, '--tail=20'])]
        .map((args) => node.plane.tryKubectl(['-n', namespace, ...args]).stdout)
        .join('\n');
      throw new Error(`${String(cause)}\n${printed}`, { cause });
    } finally {
      node.plane.kubectl(['delete', 'namespace', namespace, '--wait=false']);
    }
  }

  it('make a demo: node, database and middleware', async () => {
    const trial = lines.filter((line) => !line.includes('--env-file'));

    expect(trial).to.have.lengthOf(3);
    expect(await answer('docker-demo', trial)).to.equal(200);
  });

  it('make a service for production: populator and server, which write only to /tmp', async () => {
    const production = lines.filter((line) => line.includes('--env-file'));
    await node.sql('CREATE DATABASE mdw');

    expect(production).to.have.lengthOf(2);
    const settings = {
      NODE_URL: 'http://node.docker:3013',
      DATABASE_URL: 'postgres://postgres:admin@postgres.docker/mdw',
    };
    expect(await answer('docker-production', production, settings)).to.equal(200);
  });
});
