import { expect } from 'chai';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoFolder } from '../support/demo.js';
import type { RunningDemo } from '../support/demo.js';
import { mdw, startMdw } from '../support/mdw.js';
import { eventually } from '../support/populator.js';
import { wrongClock } from '../support/wrong-clock.js';

const DAY = 86_400_000;

interface Block {
  height: number;
  hash: string;
  time: number;
}

describe('mdw demo', () => {
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
  /** The sender of the last spend up to a height: a micro block may have none. */
  async function sender(demo: RunningDemo, height: number): Promise<string> {
    const { micro_blocks } = await read<{ micro_blocks: string[] }>(demo, `/v2/generations/height/${height}`);
    for (const hash of micro_blocks) {
      const path = `/v2/micro-blocks/hash/${hash}/transactions`;
      const { transactions } = await read<{ transactions: { tx: { sender_id?: string } }[] }>(demo, path);
      const [id] = transactions.flatMap(({ tx }) => tx.sender_id ?? []);
      if (id !== undefined) return id;
    }
    return sender(demo, height - 1);
  }
  async function end(demo: RunningDemo): Promise<void> {
    demo.process.kill('SIGINT');
    const { status, stderr } = await demo.ended;
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
  }

  it('answers the suggested requests for a growing chain, and ends cleanly on Ctrl-C', async () => {
    const demo = folder.start();
    const base = await demo.base();
    await demo.saw(/Press Ctrl-C to stop everything/);
    const [status, top] = [await read<{ version: string }>(demo, '/middleware/status'), await current(demo)];
    await end(demo);

    const { stdout } = await demo.ended;
    const invited = [...stdout.matchAll(/^ {2}curl '(\S+)'$/gm)].map(([, url]) => url!);
    expect(invited[0]).to.equal(`${base}/middleware/status`);
    expect(invited).to.have.lengthOf(7);
    expect(status.version).to.equal('1.0.0');
    expect(top.height).to.be.at.least(300);
    expect(top.time).to.be.at.most(Date.now());
  });

  /** The lines under a title, up to the empty one. */
  async function invitation(demo: RunningDemo, title: string): Promise<string[]> {
    const [, lines] = await demo.saw(new RegExp(`^${title}.*:\\n((?: {2}.*\\n)+)(?=\\n)`, 'm'));
    return lines!
      .trimEnd()
      .split('\n')
      .map((line) => line.trim());
  }

  it('answers 200 at all addresses as soon as it prints them', async () => {
    const demo = folder.start();
    const pages = (await invitation(demo, 'Open in a browser')).map((line) => line.split(' ')[0]!);
    const asked = (await invitation(demo, 'Try in another terminal')).map((line) => /'(.*)'/.exec(line)![1]!);
    const [, metrics] = await demo.saw(/^Metrics +(\S+)$/m);
    const [stream, watch] = await invitation(demo, 'Follow the events');

    const statuses = await Promise.all(
      [...pages, ...asked, metrics!].map(async (url) => [url, (await fetch(url)).status]),
    );
    expect(pages.map((url) => new URL(url).pathname + new URL(url).hash.slice(0, 13))).to.deep.equal([
      '/',
      '/#/account/ak_',
      '/docs',
      '/guide/introduction',
    ]);
    expect(statuses.filter(([, status]) => status !== 200)).to.deep.equal([]);
    const [, url] = /^curl -N '(.*)'$/.exec(stream!)!;
    const answer = await fetch(url!);
    expect(answer.headers.get('content-type')).to.contain('text/event-stream');
    let text = '';
    for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      if (text.includes('event: micro_block') || text.includes('micro_blocks')) break;
    }
    const watching = startMdw(watch!.split(' ').slice(1));
    await watching.saw(/th_\w+/);
    watching.process.kill('SIGINT');
    expect((await watching.ended).status).to.equal(0);
    await end(demo);
  });

  it('has an account with coins, whose spend works as printed and is still there after a restart', async () => {
    const first = folder.start();
    const [line] = await invitation(first, 'Send coins');
    const walked = await mdw(line!.replaceAll("'", '').split(' ').slice(1));
    expect(walked.stderr).to.equal('');
    const [, hash] = /posted (th_\w+)/.exec(walked.stdout)!;
    const [, sender] = /^Account (ak_\w+) has/.exec(walked.stdout)!;
    const [, recipient] = /--to (ak_\w+)/.exec(line!)!;
    const sent = `/middleware/transactions/account/${sender}/to/${recipient}`;
    expect(JSON.stringify(await read(first, sent))).to.contain(hash!);
    expect(statSync(join(folder.path, '.data', 'key')).mode & 0o777).to.equal(0o600);
    expect(await read<object>(first, '/api')).to.include({ openapi: '3.0.0' });
    await end(first);

    const second = folder.start();
    await second.saw(/Press Ctrl-C to stop everything/);
    expect(JSON.stringify(await read(second, sent))).to.contain(hash!);
    const { block_height } = await read<{ block_height: number }>(second, `/v2/transactions/${hash}`);
    expect(block_height).to.be.above(300);
    await end(second);
  });

  it('continues with the data of a demo that had no such account', async () => {
    const first = folder.start();
    const { hash } = await keyBlock(first, 300);
    await end(first);
    rmSync(join(folder.path, '.data', 'key'));

    const second = folder.start();
    const [line] = await invitation(second, 'Send coins');
    const [, account] = /--key-file '(.*?)'/.exec(line!)!;
    const { stdout } = await mdw(['key', 'show', account!]);
    expect((await read<{ balance: bigint }>(second, `/v2/accounts/${stdout.trim()}`)).balance).to.be.above(0);
    expect((await keyBlock(second, 300)).hash).to.equal(hash);
    await end(second);
  });

  it('continues with the same data, also after kill -9', async () => {
    const hashes = new Set<string>();
    for (let run = 0; run < 2; run++) {
      const demo = folder.start();
      hashes.add((await keyBlock(demo, 300)).hash);
      demo.process.kill('SIGKILL');
      await demo.ended;
    }

    expect(hashes.size).to.equal(1);
  });

  it('continues on the next day: no backlog, no time in the future, the same answers', async () => {
    const first = folder.start();
    const top = await current(first);
    const account = `/v2/accounts/${await sender(first, top.height - 2)}`;
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
      const { micro_blocks } = await read<{ micro_blocks: string[] }>(second, `/v2/generations/height/${height}`);
      for (const hash of micro_blocks)
        times.push((await read<Block>(second, `/v2/micro-blocks/hash/${hash}/header`)).time);
    }
    expect(times).to.deep.equal([...times].sort((a, b) => a - b));
    expect(times.at(-1)).to.be.at.most(Date.now() + DAY);
    expect(times.filter((time) => time > ended && time < ended + DAY)).to.deep.equal([]);
    await end(second);
  });

  it('refuses the data of a demo that did not store its chain', async () => {
    const old = demoFolder();
    mkdirSync(join(old.path, '.data'));
    writeFileSync(join(old.path, '.data', 'chain.json'), '{"seed":"demo","startTime":1}\n');

    const { status, stdout, stderr } = await old.start().ended;
    old.remove();

    expect({ status, stdout }).to.deep.equal({ status: 1, stdout: '' });
    expect(stderr).to.match(/^mdw: The data in \S+ is from an older version of the demo: remove the folder .*\n$/);
  });
});
