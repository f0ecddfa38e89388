import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { createScreen, linePrinter } from '../../src/observe/screen.js';
import { plainLine } from '../../src/observe/plain-line.js';
import { writeIdentity } from '../../src/store/chain-state.js';
import { follow } from '../../src/operator/plugin/follow.js';
import { fakeNode } from '../support/api.js';
import type { FakeNode } from '../support/api.js';
import { mdw } from '../support/mdw.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { emptyCopy } from '../support/roles.js';

/** Clears the screen in two forms, sets the title of the window, reverses the text. Written by a node or a pod. */
const HARM = '\u001b[2J\u009b2J\u001b]0;title\u0007\u202e';
/** What must not reach a terminal. A line may end. */
const HARMFUL = /[^\P{Cc}\n]|[\u2028-\u202e]/u;

const RESOURCE = {
  metadata: { name: 'sample', namespace: 'chain', uid: '1' },
  spec: { reload: { id: 'one' } },
  status: {
    phase: HARM,
    conditions: [{ type: 'Ready', status: 'False', reason: 'A', message: HARM }],
    reload: { id: 'one', phase: 'Loading', message: HARM },
    reloads: [{ id: 'zero', result: 'Failed', message: HARM }],
  },
};
/** A node of another network than the copy, so that the name of its network is in messages. */
const STATUS = {
  node_version: HARM,
  network_id: HARM,
  genesis_key_block_hash: 'kh_pbtwgLrNu23k9PA6XCZnUbtsvEFeQGgavY4FS2do3QP8kcp2z',
  top_key_block_hash: 'kh_pbtwgLrNu23k9PA6XCZnUbtsvEFeQGgavY4FS2do3QP8kcp2z',
  top_block_height: 0,
  syncing: false,
  protocols: [],
};
const POD = { metadata: { name: 'pod', namespace: 'chain' }, status: { phase: 'Running' } };

describe('text of others on a terminal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-terminal-'));
  const kubeconfig = join(folder, 'kubeconfig');
  let cluster: FakeNode;
  let node: FakeNode;
  let database: TestDatabase;

  before(async () => {
    cluster = await fakeNode((request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://api');
      const lists: Record<string, object[]> = { middlewares: [RESOURCE], pods: [POD] };
      const last = pathname.split('/').at(-1) ?? '';
      if (last === 'log') return void response.end(`${HARM}\n`);
      if (last === 'refused') {
        response.writeHead(403, { 'content-type': 'application/json' });
        return void response.end(JSON.stringify({ kind: 'Status', reason: 'Forbidden', message: HARM }));
      }
      response.end(JSON.stringify(lists[last] ? { items: lists[last] } : RESOURCE));
    });
    writeFileSync(
      kubeconfig,
      stringify({
        'current-context': 'a',
        clusters: [{ name: 'a', cluster: { server: cluster.url, 'insecure-skip-tls-verify': true } }],
        users: [{ name: 'a', user: { token: 't' } }],
        contexts: [{ name: 'a', context: { cluster: 'a', user: 'a', namespace: 'chain' } }],
      }),
    );
    node = await fakeNode((request, response) => {
      const isRefused = !/^\/v\d\/status$/.test(request.url ?? '');
      const body = isRefused ? { reason: HARM } : STATUS;
      response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    database = await testDatabase();
    const copy = await emptyCopy(database.url);
    await writeIdentity(copy, { networkId: 'ae_mainnet', genesisHash: STATUS.genesis_key_block_hash });
    await copy.close();
  });
  after(async () => {
    await Promise.all([cluster.close(), node.close()]);
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  for (const args of [
    ['status', 'sample'],
    ['status', 'sample', '--json'],
    ['status', 'refused'],
    ['top', '--once'],
    ['top', '--once', '--json'],
    ['logs', 'sample'],
    ['logs', 'sample', '--json'],
  ]) {
    it(`is escaped by mdw ${args.join(' ')}`, async () => {
      const { stdout, stderr } = await mdw(args, { KUBECONFIG: kubeconfig });

      expect(stdout + stderr)
        .to.contain('\\u001b[2J\\u009b2J')
        .and.not.match(HARMFUL);
    });
  }

  for (const args of [
    ['doctor'],
    ['doctor', '--json'],
    ['-p', '--no-wait'],
    ['-v', '0', '--no-wait'],
    ['flow', 'spend', '--to', 'a.chain'],
  ]) {
    it(`is escaped by mdw ${args.join(' ')}, if a node sends it`, async () => {
      const { stdout, stderr } = await mdw(args[0] === 'flow' ? [...args, '--node', node.url] : args, {
        NODE_URL: node.url,
        DATABASE_URL: database.url,
        METRICS_ADDRESS: '127.0.0.1:0',
        MDW_SECRET_KEY: '66'.repeat(32),
      });

      expect(stdout + stderr)
        .to.contain('\\u001b[2J\\u009b2J')
        .and.not.match(HARMFUL);
    });
  }

  it('is escaped in lines that are updated in place', async () => {
    const written: string[] = [];
    const screen = { isTTY: true, write: (text: string) => written.push(text) };
    await follow({
      read: () => Promise.resolve(HARM),
      lines: (text) => [text, 'second'],
      done: () => true,
      screen,
      signal: new AbortController().signal,
    });

    expect(written.join('')).to.contain('\\u001b[2J\\u009b2J').and.not.match(HARMFUL);
  });

  it('is escaped in the reports of -H and -v, and in the stack of a log line', () => {
    const written: string[] = [];
    const stream = { isTTY: true, write: (text: string) => written.push(text) };
    const screen = createScreen({ streams: { stdout: stream, stderr: stream }, env: {} });
    linePrinter(screen, 'stdout')(`Height 7 not OK: ${HARM}`);
    const record = {
      level: 50,
      time: '2026-01-02T03:04:05.678Z',
      err: { message: HARM, stack: `Error: ${HARM}\n at x` },
    };
    written.push(plainLine(JSON.stringify(record), { colors: false, all: true }));

    expect(written.join('')).to.match(/^Height 7 not OK: \\u001b\[2J.*\n.*\n.*\n at x\n$/);
    expect(written.join('')).not.to.match(HARMFUL);
  });
});
