import { expect } from 'chai';
import { eventLine } from '../../src/events/event-line.js';
import { createWorld } from '../support/events.js';
import type { EventServer, World } from '../support/events.js';
import { mdw, startMdw } from '../support/mdw.js';
import type { RunningMdw } from '../support/mdw.js';

describe('mdw watch', () => {
  let world: World;
  let server: EventServer;
  let running: RunningMdw | undefined;

  before(async () => {
    world = await createWorld({ seed: 'watch', generations: 2 });
    server = await world.serve();
  });
  afterEach(() => running?.process.kill('SIGKILL'));
  after(() => world.close());

  it('prints events, reconnects after the server was away, and misses nothing', async () => {
    const first = await world.serve();
    const address = { host: '127.0.0.1', port: Number(new URL(first.ws).port) };
    running = startMdw(['watch', 'key_blocks', '--json', '--url', first.ws]);
    await running.saw(new RegExp(`^mdw: Connected to ${first.ws}/?: key_blocks$`, 'm'));
    await world.devnode.grow(1);
    await world.sync();
    await running.saw(new RegExp(`"height":${world.devnode.height()}`));
    await first.close();
    await running.saw(/trying again/);
    await world.devnode.grow(3);
    await world.sync();
    await world.serve({ config: { websocketAddress: address } });
    await running.saw(new RegExp(`"height":${world.devnode.height()},`));
    running.process.kill('SIGINT');
    const { status, stdout, stderr } = await running.ended;
    expect(stderr.match(/Connected to/g)).to.have.length(2);

    const heights = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { payload: { height: number } }).payload.height);
    expect(heights).to.deep.equal(Array.from({ length: 4 }, (_, i) => world.devnode.height() - 3 + i));
    expect(status).to.equal(0);
  });

  it('prints the stored chain from a height, one readable line an event', async () => {
    running = startMdw(['watch', 'key_blocks,micro_blocks,transactions', '--from', '1', '--url', server.ws]);
    await running.saw(new RegExp(`key_blocks +${world.devnode.height()}  kh_`));
    running.process.kill('SIGTERM');
    const { stdout } = await running.ended;

    expect(stdout)
      .to.match(/^key_blocks {12}1 {2}kh_\w+ {2}20\d\d-.*Z {2}ak_\w+\n/)
      .and.match(/\ntransactions +1 {2}th_\w+ {2}\w+Tx {2}/);
  });

  it('reports wrong arguments, and refusals of the server', async () => {
    const wrong = await mdw(['watch', 'blocks']);
    expect(wrong.status).to.equal(2);
    expect(wrong.stderr).to.match(/^mdw: Unknown kind of event: blocks /);
    expect((await mdw(['watch', 'object', 'foo'])).status).to.equal(2);

    const refused = await mdw([
      'watch',
      'key_blocks',
      '--url',
      server.ws,
      '--since',
      'kh_VtFgDuQ7Awc6BtWRFLmjwo9UfuzL5rxmAxRuddNBYRT6njYnC',
    ]);
    expect(refused.status).to.equal(1);
    expect(refused.stderr).to.match(/^mdw: since is a point that is not known here/);
  });

  it('shows no password of an address', async () => {
    running = startMdw(['watch', 'key_blocks', '--url', 'ws://me:hush-hush@127.0.0.1:1']);
    await running.saw(/trying again/);
    running.process.kill('SIGTERM');
    expect((await running.ended).stderr)
      .to.contain('ws://***@127.0.0.1:1: connect ECONNREFUSED')
      .and.not.contain('hush');

    for (const url of ['ws://me:hush-hush', 'ws://me:hush-hush@a/#b', 'ftp://me:hush-hush@a']) {
      const { status, stderr } = await mdw(['watch', 'key_blocks', '--url', `${server.ws},${url}`]);
      expect(status).to.equal(2);
      expect(stderr)
        .to.match(/^mdw: --url: not the address of a websocket/)
        .and.not.contain('hush');
    }
  });

  it('shows the main data of each kind', () => {
    const line = (payload: object): string => eventLine(JSON.stringify({ subscription: 'tx_update', payload }));
    expect(
      line({ hash: 'th_1', block_height: -1, tx: { type: 'NameClaimTx', account_id: 'ak_1', name: 'a.chain' } }),
    ).to.equal('tx_update     off chain  th_1  NameClaimTx  a.chain  ak_1');
    expect(line({ hash: 'kh_1', height: 7, removed_count: 3 })).to.equal(
      'tx_update             7  kh_1  3 blocks removed',
    );
  });
});
