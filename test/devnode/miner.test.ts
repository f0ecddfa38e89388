import { expect } from 'chai';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hasProofOfWork } from '../../src/chain/work/cuckoo.js';
import { runMiner } from '../../devtools/devnode/mining/miner.js';
import type { MinerEvent } from '../../devtools/devnode/mining/miner.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { closeDevnodes, open, read } from '../support/devnode.js';
import { buildOnce, mdw, startMdw } from '../support/mdw.js';

const BENEFICIARY = 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi';
const EDGE_BITS = 11;

describe('the external miner', () => {
  before(() => buildOnce());
  after(closeDevnodes);

  const manager = (edgeBits = EDGE_BITS): Promise<Devnode> =>
    open({
      internal: '127.0.0.1:0',
      source: { live: { mining: { beneficiary: BENEFICIARY, edgeBits } } },
    });

  function mining(devnode: Devnode, options: { blocks?: number; edgeBits?: number; internalUrl?: string } = {}) {
    const events: MinerEvent[] = [];
    const stop = new AbortController();
    const done = runMiner({
      url: devnode.externalUrl,
      internalUrl: devnode.internalUrl!,
      edgeBits: EDGE_BITS,
      pollMs: 20,
      signal: stop.signal,
      onEvent: (event) => events.push(event),
      ...options,
    });
    return { events, stop: () => stop.abort(), done };
  }

  it('fetches candidates, solves and submits them, and ends after the requested number of blocks', async () => {
    const devnode = await manager();
    const { events, done } = mining(devnode, { blocks: 3 });
    expect(await done).to.equal(3);
    expect(devnode.height()).to.equal(3);
    expect(
      events.filter(({ kind }) => kind === 'accepted').map((event) => 'height' in event && event.height),
    ).to.deep.equal([1, 2, 3]);
  });

  it('sends the same block again while the node does not answer, and stops when it is no longer useful', async () => {
    const devnode = await manager();
    const { events, stop, done } = mining(devnode, { internalUrl: 'http://127.0.0.1:1' });
    const of = (kind: string): MinerEvent[] => events.filter((event) => event.kind === kind);
    await until(() => of('unsent').length === 2);
    expect(of('candidate')).to.have.length(1);
    const [first, second] = of('unsent');
    expect(first).to.deep.equal(second);
    await devnode.mineKeyBlock();
    await until(() => of('candidate').length === 2);
    stop();
    await done;
  });

  it('continues with the next candidate when another miner was faster', async () => {
    const devnode = await manager();
    // There are no cycles of 42 edges in graphs that are hardly larger.
    const slow = mining(devnode, { edgeBits: 8 });
    await until(() => slow.events.some(({ kind }) => kind === 'candidate'));
    await devnode.mineKeyBlock();
    await until(() => slow.events.some((event) => event.kind === 'candidate' && event.height === 2));
    slow.stop();
    await slow.done;
  });

  it('reports why there is no candidate, and tries again', async () => {
    const server = createServer((_, response) => response.writeHead(503).end('{"reason":"Not yet started"}'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const events: MinerEvent[] = [];
    const stop = new AbortController();
    const done = runMiner({
      url,
      internalUrl: url,
      edgeBits: EDGE_BITS,
      signal: stop.signal,
      onEvent: (event) => events.push(event),
    });
    await until(() => events.length >= 2);
    stop.abort();
    expect(await done).to.equal(0);
    expect(events[0]).to.deep.equal({ kind: 'waiting', reason: 'Not yet started' });
    server.closeAllConnections();
    server.close();
  });

  it('as two commands, mines for a node that does not mine itself (autostart: false)', async () => {
    const node = startMdw([
      ...['devnode', '--live', '--beneficiary', BENEFICIARY],
      ...[
        '--external',
        '127.0.0.1:0',
        '--internal',
        '127.0.0.1:0',
        '--rosetta',
        '127.0.0.1:0',
        '--admin',
        '127.0.0.1:0',
      ],
    ]);
    const [, url, internal] = await node.saw(/Node ready at (\S+), operator at (\S+),/);
    const args = ['devnode', 'mine', '--url', url!, '--internal', internal!];
    const miners = [startMdw([...args, '--blocks', '2']), startMdw([...args, '--blocks', '2'])];
    const outcomes = await Promise.all(miners.map(({ ended }) => ended));
    for (const { status, stdout, stderr } of outcomes) {
      expect(status, stderr).to.equal(0);
      expect(stdout.match(/^Block \d+ kh_\w+ accepted$/gm)?.length, stdout).to.be.at.least(2);
    }
    const top = (await (await fetch(`${url!}/v2/key-blocks/current`)).json()) as { height: number; nonce: number };
    expect(top.height).to.be.at.least(2);
    const devnode = { externalUrl: url! } as Devnode;
    for (let height = 1; height <= top.height; height += 1)
      expect(hasProofOfWork(await read(devnode, `/v2/key-blocks/height/${height}`), 15), String(height)).to.be.true;
    node.process.kill();
    await node.ended;
  });

  it('refuses invalid addresses', async () => {
    const { status, stderr } = await mdw(['devnode', 'mine', '--url', 'localhost']);
    expect(status).to.equal(2);
    expect(stderr).to.contain('--url: not an address');
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}
