import { expect } from 'chai';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoFolder } from '../support/demo.js';
import type { RunningDemo } from '../support/demo.js';
import { eventually } from '../support/populator.js';
import { wrongClock } from '../support/wrong-clock.js';

const DAY = 86_400_000;

interface Block {
  height: number;
  hash: string;
  time: number;
}

describe('mdw demo', function () {
  this.timeout(240_000);
  const folder = demoFolder();

  afterEach(() => folder.stop());
  after(() => folder.remove());

  const read = async <T>(demo: RunningDemo, path: string): Promise<T> => {
    const answer = await demo.get(path);
    expect(answer.status, path).to.equal(200);
    return (await answer.json()) as T;
  };
  const current = async (demo: RunningDemo): Promise<Block> =>
    (await read<{ key_block: Block }>(demo, '/v2/generations/current')).key_block;
  const keyBlock = (demo: RunningDemo, height: number): Promise<Block> =>
    read<Block>(demo, `/v2/key-blocks/height/${height}`);
  async function end(demo: RunningDemo): Promise<void> {
    demo.process.kill('SIGINT');
    const { status, stderr } = await demo.ended;
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
  }

  it('answers what it invites to try for a chain that lives, and ends cleanly on Ctrl-C', async () => {
    const demo = folder.start();
    const base = await demo.base();
    await demo.saw(/Ctrl-C ends all/);
    const [status, top] = [await read<{ version: string }>(demo, '/middleware/status'), await current(demo)];
    await end(demo);

    const { stdout } = await demo.ended;
    const invited = [...stdout.matchAll(/^ {2}curl '(\S+)'$/gm)].map(([, url]) => url!);
    expect(invited[0]).to.equal(`${base}/middleware/status`);
    expect(invited).to.have.lengthOf(6);
    expect(status.version).to.equal('0.1.0');
    expect(top.height).to.be.at.least(300);
    expect(top.time).to.be.at.most(Date.now());
  });

  it('goes on with the same data, also after kill -9', async () => {
    const hashes = new Set<string>();
    for (let run = 0; run < 2; run++) {
      const demo = folder.start();
      hashes.add((await keyBlock(demo, 300)).hash);
      demo.process.kill('SIGKILL');
      await demo.ended;
    }

    expect(hashes.size).to.equal(1);
  });

  it('goes on from where it was the next day: no backlog, no time in the future, the same answers', async () => {
    const first = folder.start();
    const top = await current(first);
    const micro = await read<{ micro_blocks: string[] }>(first, `/v2/generations/height/${top.height - 2}`);
    const listed = `/v2/micro-blocks/hash/${micro.micro_blocks[0]}/transactions`;
    const { transactions } = await read<{ transactions: { tx: { sender_id?: string } }[] }>(first, listed);
    const account = `/v2/accounts/${transactions.find(({ tx }) => tx.sender_id !== undefined)?.tx.sender_id}`;
    const before = await read<{ id: string; nonce: number }>(first, account);
    await end(first);
    const ended = Date.now();

    const second = folder.start(wrongClock(DAY));
    await read(second, '/middleware/status');
    const now = await eventually(
      () => current(second),
      ({ time }) => time > ended + DAY,
    );

    // A day's growth is 4,320 generations.
    expect(now.height).to.be.within(top.height + 1, top.height + 60);
    expect((await keyBlock(second, top.height)).hash).to.equal(top.hash);
    const after = await read<{ id: string; nonce: number }>(second, account);
    expect(after.id).to.equal(before.id);
    expect(after.nonce).to.be.at.least(before.nonce);
    const times: number[] = [];
    for (let height = top.height - 20; height <= now.height; height++) {
      times.push((await keyBlock(second, height)).time);
    }
    expect(times).to.deep.equal([...times].sort((a, b) => a - b));
    expect(times.at(-1)).to.be.at.most(Date.now() + DAY);
    expect(times.filter((time) => time > ended && time < ended + DAY)).to.deep.equal([]);
    await end(second);
  });

  it('refuses data of a demo that did not keep its chain', async () => {
    const old = demoFolder();
    mkdirSync(join(old.path, '.data'));
    writeFileSync(join(old.path, '.data', 'chain.json'), '{"seed":"demo","startTime":1}\n');

    const { status, stdout, stderr } = await old.start().ended;
    old.remove();

    expect({ status, stdout }).to.deep.equal({ status: 1, stdout: '' });
    expect(stderr).to.match(/^mdw: The data in \S+ is of an older version of the demo: remove the folder .*\n$/);
  });
});
