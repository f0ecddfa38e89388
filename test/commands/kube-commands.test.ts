import { expect } from 'chai';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { mdw } from '../support/mdw.js';

const RESOURCE = {
  metadata: { name: 'sample', namespace: 'chain', resourceVersion: '1' },
  // The operator does not read this, but the commands show the reason all the same.
  spec: { node: { urls: [] }, paused: false, reload: { id: 'one' } },
  status: { phase: 'Stalled', reload: { id: 'one', phase: 'AwaitingPromotion' } },
};
const POD = { metadata: { name: 'pod' }, status: { phase: 'Running' } };

const HOOKS = `
  import { appendFileSync } from 'node:fs';
  export async function load(url, context, next) {
    appendFileSync(process.env.LOADED, url + '\\n');
    return next(url, context);
  }`;
const inline = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;
/** Writes the names of the loaded modules to the file of LOADED. */
const RECORDER = inline(`import { register } from 'node:module'; register(${JSON.stringify(inline(HOOKS))});`);

/** What takes longer to load than a command to run: all kinds of Kubernetes, and the schema of settings and resources. */
const HEAVY = /client-node\/dist\/(index|api|config|gen\/.*)\.js|node_modules\/zod\/|operator\/schema\/(crd|spec)\.js/;

describe('the commands for resources of a cluster', () => {
  let folder: string;
  let kubeconfig: string;
  let server: Server;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mdw-kube-'));
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://api');
      const last = pathname.split('/').at(-1) ?? '';
      const lists: Record<string, object[]> = { middlewares: [RESOURCE], pods: [POD] };
      request.resume().on('end', () => {
        response.end(last === 'log' ? 'one line\n' : JSON.stringify(lists[last] ? { items: lists[last] } : RESOURCE));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    kubeconfig = join(folder, 'kubeconfig');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const config = {
      'current-context': 'a',
      clusters: [{ name: 'a', cluster: { server: url, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'a', user: { token: 't' } }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a', namespace: 'chain' } }],
    };
    writeFileSync(kubeconfig, stringify(config));
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  for (const [args, says] of [
    [['status', 'sample'], 'chain/sample: Stalled'],
    [['top', '--once'], 'NAMESPACE'],
    [['promote', 'sample'], 'Reload one is promoted'],
    [['abort', 'sample'], 'Reload one is aborted'],
    [['pause', 'sample'], 'sample is paused'],
    [['logs', 'sample'], 'pod one line'],
  ] as const) {
    it(`load no more than mdw ${args[0]} needs`, async () => {
      const LOADED = join(folder, args[0]);
      const NODE_OPTIONS = `--import=${RECORDER}`;
      const { status, stdout, stderr } = await mdw([...args], { KUBECONFIG: kubeconfig, LOADED, NODE_OPTIONS });
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
      expect(stdout).to.contain(says);
      const loaded = readFileSync(LOADED, 'utf8').split('\n');
      expect(loaded.some((url) => url.endsWith('/operator/kube/client.js'))).to.equal(true);
      expect(loaded.filter((url) => HEAVY.test(url))).to.deep.equal([]);
    });
  }
});
