import { expect } from 'chai';
import { retryAfterMs } from '../../src/node/faults.js';
import { createNodePool } from '../../src/node/pool.js';
import type { NodePool } from '../../src/node/pool.js';
import { rejection, reply, startServer } from '../support/http-server.js';
import type { Answerer, TestServer } from '../support/http-server.js';
import { eventually } from '../support/populator.js';
import { asRecorded, silent, statusWith } from './support.js';

/** A node with recorded answers. Its status and behaviour can be changed while it runs. */
interface TestNode extends TestServer {
  status: Record<string, unknown>;
  answer: Answerer | undefined;
}

describe('a pool of nodes', () => {
  const nodes: TestNode[] = [];
  const pools: NodePool[] = [];
  const changes: ReturnType<NodePool['report']>[] = [];
  afterEach(async () => {
    pools.splice(0).forEach((pool) => pool.close());
    await Promise.all(nodes.splice(0).map((node) => node.close()));
    changes.length = 0;
  });

  async function startNode(status: Record<string, unknown> = {}): Promise<TestNode> {
    const behaviour: Pick<TestNode, 'status' | 'answer'> = { status, answer: undefined };
    const server: TestServer = await startServer((request, response) => {
      if (behaviour.answer) return behaviour.answer(request, response);
      if (request.url === '/v3/status')
        return reply(response, 200, statusWith({ peer_pubkey: `pp_${node.url}`, ...behaviour.status }));
      return asRecorded(request, response);
    });
    const node: TestNode = Object.assign(behaviour, server);
    nodes.push(node);
    return node;
  }

  function use(members: TestNode[], options: Partial<Parameters<typeof createNodePool>[0]> = {}): NodePool {
    const pool = createNodePool({
      urls: members.map(({ url }) => url),
      api: 'v3',
      timeoutMs: 10_000,
      concurrency: 4,
      retries: [1],
      logger: silent,
      observe: { change: (reports) => changes.push(reports) },
      ...options,
    });
    pools.push(pool);
    return pool;
  }

  const reads = (node: TestNode) => node.requests.filter((request) => !request.endsWith('/status'));
  const states = (pool: NodePool) => pool.report().map(({ state }) => state);
  const followed = (pool: NodePool) => pool.report().findIndex((report) => report.followed);
  const down: Answerer = (request) => request.socket.destroy();
  const silence: Answerer = () => undefined;

  it('reads from the first healthy node only', async () => {
    const [first, second] = [await startNode(), await startNode()];
    const pool = use([first, second]);

    await Promise.all([pool.keyBlock(1), pool.generation(2), pool.currentGeneration()]);

    expect(reads(first)).to.have.lengthOf(3);
    expect(reads(second)).to.be.empty;
    expect(pool.report()[0]).to.include({ state: 'ok', followed: true, height: 214, reason: null });
  });

  it('fails over, and stays with the other node when the first one is back', async () => {
    const [first, second] = [await startNode(), await startNode()];
    const pool = use([first, second]);
    await pool.keyBlock(1);

    first.answer = down;
    expect((await pool.keyBlock(2))?.height).to.equal(2);
    expect(states(pool)).to.deep.equal(['unreachable', 'ok']);

    first.answer = undefined;
    await pool.check();
    expect((await pool.keyBlock(3))?.height).to.equal(3);
    expect(states(pool)).to.deep.equal(['ok', 'ok']);
    expect(followed(pool)).to.equal(1);
    expect(changes.map((reports) => reports.map(({ state }) => state).join())).to.deep.equal([
      'ok,ok',
      'unreachable,ok',
      'ok,ok',
    ]);
  });

  it('asks another node when one is busy, which stays in the state ok', async () => {
    const [first, second] = [await startNode(), await startNode()];
    const pool = use([first, second]);
    await pool.keyBlock(1);

    first.answer = (_, response) => reply(response, 429, '', { 'retry-after': '20' });

    expect((await pool.keyBlock(2))?.height).to.equal(2);
    expect(states(pool)).to.deep.equal(['ok', 'ok']);
    expect(followed(pool)).to.equal(1);
  });

  it('does not ask a busy node again before its retry-after has passed', async () => {
    const [first, second] = [await startNode(), await startNode()];
    const pool = use([first, second]);
    await pool.keyBlock(1);
    first.answer = (_, response) => reply(response, 429, '', { 'retry-after': '20' });
    await pool.keyBlock(2);
    const asked = first.requests.length;

    await pool.check();
    await pool.keyBlock(3);

    expect(first.requests).to.have.lengthOf(asked);
    expect(second.requests.at(-1)).to.equal('GET /v3/key-blocks/height/3');
  });

  it('names the time until the first of its nodes may be asked again when it throws', async () => {
    const [busy, other] = [await startNode(), await startNode()];
    const pool = use([busy, other], { retries: [] });
    await pool.keyBlock(1);
    const askLater =
      (seconds: string): Answerer =>
      (_, response) =>
        reply(response, 429, '', { 'retry-after': seconds });

    busy.answer = askLater('20');
    other.answer = askLater('10');
    expect(retryAfterMs(await rejection(pool.keyBlock(2)))).to.be.within(9_000, 10_000);

    const second = use([busy, other], { retries: [] });
    other.answer = down;
    const error = await rejection(second.keyBlock(2));
    expect(error.code).to.equal('node_busy');
    expect(retryAfterMs(error)).to.equal(undefined);
  });

  it('asks only the followed node for its head, and keeps its state if that fails', async () => {
    const [first, second] = [await startNode(), await startNode()];
    const pool = use([first, second]);
    expect(await pool.headHash()).to.equal(undefined);
    await pool.keyBlock(1);
    expect(await pool.headHash()).to.match(/^[km]h_/);
    const asked = first.requests.length;

    first.answer = down;
    expect(await pool.headHash()).to.equal(undefined);

    expect(first.requests).to.have.lengthOf(asked + 1);
    expect(reads(second)).to.be.empty;
    expect(states(pool)).to.deep.equal(['ok', 'ok']);
    expect(followed(pool)).to.equal(0);
  });

  it('asks the followed node for its height, which is not known while that node cannot be used', async () => {
    const [node, other] = [await startNode({ top_block_height: 700 }), await startNode()];
    const pool = use([node, other]);
    await pool.keyBlock(0);
    node.status['top_block_height'] = 720;
    expect(await pool.followedHeight()).to.equal(720);
    node.answer = down;
    expect(await pool.followedHeight()).to.equal(undefined);
  });

  it('does not ask a node for its head before its retry-after has passed', async () => {
    const node = await startNode();
    const pool = use([node]);
    await pool.keyBlock(1);
    node.answer = (_, response) => reply(response, 429, '', { 'retry-after': '20' });
    await pool.headHash();
    const asked = node.requests.length;

    expect(await pool.headHash()).to.equal(undefined);

    expect(node.requests).to.have.lengthOf(asked);
  });

  it('asks another node when the answer is for another height', async () => {
    const [first, second] = [await startNode(), await startNode()];
    const pool = use([first, second]);
    await pool.keyBlock(1);

    first.answer = (request, response) =>
      asRecorded(Object.assign(request, { url: '/v3/key-blocks/height/9' }), response);

    expect((await pool.keyBlock(2))?.height).to.equal(2);
    expect(pool.report()[0]!.reason).to.contain('asked for height 2, got 9');
  });

  it('refuses a node of another network or genesis than the database', async () => {
    const first = await startNode({ network_id: 'ae_uat' });
    const second = await startNode({ genesis_key_block_hash: 'kh_other' });
    const third = await startNode();
    const pool = use([first, second, third], { expected: { networkId: 'ae_mdwtest' } });
    pool.expect({
      networkId: 'ae_mdwtest',
      genesisHash: (JSON.parse(statusWith({})) as { genesis_key_block_hash: string }).genesis_key_block_hash,
    });

    await pool.keyBlock(1);

    expect(states(pool)).to.deep.equal(['wrong_network', 'wrong_genesis', 'ok']);
    expect([reads(first), reads(second)]).to.deep.equal([[], []]);
  });

  it('throws node_wrong_network when only nodes of another network are left', async () => {
    const [wrong, gone] = [await startNode({ network_id: 'ae_uat' }), await startNode()];
    gone.answer = down;
    const pool = use([gone, wrong], { expected: { networkId: 'ae_mdwtest' } });

    const error = await rejection(pool.keyBlock(1));

    expect(error).to.include({ code: 'node_wrong_network', fault: 'unavailable' });
    expect(error.message).to.contain(wrong.url).and.to.contain('ae_uat');
    expect(await rejection(pool.status())).to.include({ code: 'node_wrong_network' });
  });

  it('detects by the status that a node was replaced by one of another network', async () => {
    const node = await startNode();
    const pool = use([node]);
    await pool.status();

    node.status = { network_id: 'ae_uat' };

    expect(await rejection(pool.status())).to.include({ code: 'node_wrong_network' });
    expect(await rejection(pool.keyBlock(1))).to.include({ code: 'node_wrong_network' });
  });

  it('does not follow a node that is behind, and stops following one that falls behind', async () => {
    const [first, second] = [await startNode({ top_block_height: 210 }), await startNode()];
    const pool = use([first, second]);

    await pool.keyBlock(1);
    expect(states(pool)).to.deep.equal(['behind', 'ok']);
    expect(followed(pool)).to.equal(1);

    first.status = {};
    second.status = { top_block_height: 210 };
    await pool.check();
    expect(states(pool)).to.deep.equal(['ok', 'behind']);
    expect(followed(pool)).to.equal(0);
  });

  it('keeps an honest node ok when another node claims a height without having its key block', async () => {
    const [honest, liar] = [await startNode(), await startNode({ top_block_height: 5_000_000 })];
    const pool = use([honest, liar]);

    await pool.keyBlock(1);
    expect(states(pool)).to.deep.equal(['ok', 'ok']);
    expect(followed(pool)).to.equal(0);

    honest.answer = down;
    await pool.keyBlock(2);
    expect(followed(pool)).to.equal(1);
    honest.answer = undefined;
    liar.answer = down;
    await pool.check();
    expect((await pool.keyBlock(3))?.height).to.equal(3);
    expect(followed(pool)).to.equal(0);
  });

  it('follows a demoted node only if no other one is usable, and tries it again after the demotion', async () => {
    const [first, second] = [await startNode({ top_block_height: 200 }), await startNode()];
    const pool = use([first, second], { demoteMs: 60 });
    await pool.keyBlock(1);
    expect(followed(pool)).to.equal(1);

    pool.demote('shows a lighter branch');
    expect(pool.report()[1]).to.include({ state: 'behind', followed: false, reason: 'shows a lighter branch' });
    expect(states(pool)).to.deep.equal(['ok', 'behind']);
    await pool.keyBlock(2);
    expect(reads(first)).to.have.lengthOf(1);

    first.answer = down;
    expect((await pool.keyBlock(3))?.height).to.equal(3);
    expect(followed(pool)).to.equal(1);
    first.answer = undefined;

    await eventually(pool.check, (reports) => reports[1]!.state === 'ok');
    expect(states(pool)).to.deep.equal(['behind', 'ok']);
    expect(pool.hasDemoted()).to.equal(true);
    await pool.keyBlock(4);
    pool.trust();
    expect(pool.hasDemoted()).to.equal(false);
  });

  it('tries a node on another branch, even if its head is lower', async () => {
    const [first, second] = [await startNode(), await startNode({ top_block_height: 200 })];
    const pool = use([first, second], { checkMs: 1 });
    await pool.keyBlock(1);
    expect(followed(pool)).to.equal(0);

    await pool.tryOtherBranch(214, async (height) => (await pool.keyBlock(height))!.hash);
    expect(followed(pool)).to.equal(0);

    const asked: number[] = [];
    await eventually(
      async () => {
        await pool.tryOtherBranch(214, (height) => Promise.resolve(asked.push(height) > 0 ? 'kh_ours' : null));
        return asked;
      },
      (heights) => heights.length > 0,
    );
    // Tried at once: the branches differ below the newest blocks, where nodes may differ for short times.
    expect(asked).to.deep.equal([200, 197]);
    await pool.keyBlock(2);
    expect(reads(second)).to.include('GET /v3/key-blocks/height/2');
    pool.demote('has less work');
    expect(followed(pool)).to.equal(0);
  });

  it('checks the nodes in the background while in use', async () => {
    const [first, second] = [await startNode(), await startNode()];
    const changed = new Promise<void>((resolve) => {
      const observe = {
        change: (reports: ReturnType<NodePool['report']>) => reports[0]!.state === 'behind' && resolve(),
      };
      const pool = use([first, second], { checkMs: 10, observe });
      void pool.keyBlock(1).then(() => (first.status = { top_block_height: 200 }));
    });

    await changed;
  });

  // A request to a silent node ends later than the test may take.
  const SILENCE_MS = 600_000;

  it('reads from a healthy node while another one does not answer to a check', async () => {
    const [first, second] = [await startNode(), await startNode()];
    const pool = use([first, second], { checkMs: 20, timeoutMs: SILENCE_MS });
    await pool.keyBlock(1);
    second.answer = silence;
    // Nodes that are not in use are not checked for long.
    const whileUsed = (requests: () => number) => async (): Promise<number> => {
      await pool.keyBlock(1);
      return requests();
    };
    await eventually(
      whileUsed(() => second.requests.length),
      (asked) => asked > 1,
    );
    // Then the last check that ended is old.
    const before = first.requests.length;
    await eventually(
      whileUsed(() => first.requests.length),
      (asked) => asked > before + 5,
    );

    await Promise.all([pool.keyBlock(2), pool.keyBlock(3)]);
    for (let height = 4; height < 20; height++) await pool.keyBlock(height);

    expect(reads(first)).to.include('GET /v3/key-blocks/height/19');
  });

  it('reads from its only healthy node as soon as that is back, while another one does not answer', async () => {
    const [first, second] = [await startNode(), await startNode()];
    const pool = use([first, second], { checkMs: 100, timeoutMs: SILENCE_MS, retries: [] });
    await pool.keyBlock(1);
    second.answer = down;
    await eventually(
      () => Promise.resolve(states(pool)),
      (all) => all[1] === 'unreachable',
    );
    second.answer = silence;
    first.answer = down;
    await rejection(pool.keyBlock(2));
    const read = pool.keyBlock(2);
    const before = first.requests.length;
    await eventually(
      () => Promise.resolve(first.requests.length),
      (asked) => asked > before,
    );
    first.answer = undefined;

    expect((await read)?.height).to.equal(2);
  });

  it('does not wait for a node that does not answer when it looks for another branch', async () => {
    const [first, second] = [await startNode(), await startNode({ top_key_block_hash: 'kh_other' })];
    const pool = use([first, second], { checkMs: 1, timeoutMs: SILENCE_MS });
    await pool.keyBlock(1);
    second.answer = silence;

    await pool.tryOtherBranch(214, () => Promise.resolve('kh_ours'));

    expect(reads(second)).to.deep.equal(['GET /v3/key-blocks/height/211']);
    expect(followed(pool)).to.equal(0);
  });

  it('knows another node by its peer key, not by its address', async () => {
    const [first, alias] = [await startNode({ peer_pubkey: 'pp_a' }), await startNode({ peer_pubkey: 'pp_a' })];
    const [second, again] = [await startNode({ peer_pubkey: 'pp_b' }), await startNode({ peer_pubkey: 'pp_b' })];
    const nameless = await startNode({ peer_pubkey: undefined });
    const foreign = await startNode({ peer_pubkey: 'pp_c', network_id: 'ae_uat' });
    const pool = use([first, alias, nameless, second, again, foreign]);
    await pool.keyBlock(1);

    const others = (node: TestNode) => pool.others(node.url).map(({ url }) => url);
    expect(others(first)).to.deep.equal([second.url]);
    expect(others(alias)).to.deep.equal([second.url]);
    expect(others(again)).to.deep.equal([first.url]);
    // Nobody knows whether it is one of the others.
    expect(others(nameless)).to.deep.equal([]);
    expect(pool.others('http://removed:3013')).to.deep.equal([]);
    expect(pool.peerKeys()).to.deep.equal(['pp_a', 'pp_a', undefined, 'pp_b', 'pp_b', undefined]);
  });

  it('knows the key blocks of other nodes, with the rank of their first address', async () => {
    const [first, alias] = [await startNode({ peer_pubkey: 'pp_a' }), await startNode({ peer_pubkey: 'pp_a' })];
    const [second, silent] = [await startNode({ peer_pubkey: 'pp_b' }), await startNode({ peer_pubkey: 'pp_c' })];
    const pool = use([first, alias, second, silent], { timeoutMs: SILENCE_MS });
    const hash = (await pool.keyBlock(2))!.hash;
    silent.answer = silence;

    expect(await pool.keyBlocksAt(2)).to.deep.equal({ followed: 0, others: [{ rank: 2, hash }] });
    second.answer = down;
    first.answer = down;
    expect((await pool.keyBlock(3))?.height).to.equal(3);
    expect(followed(pool)).to.equal(1);
    expect(await pool.keyBlocksAt(2)).to.deep.equal({ followed: 1, others: [] });
  });

  it('has no key block confirmed by the same node at another address', async () => {
    const [node, alias] = [await startNode({ peer_pubkey: 'pp_a' }), await startNode({ peer_pubkey: 'pp_a' })];
    const [nameless, other] = [await startNode({ peer_pubkey: undefined }), await startNode()];
    const pool = use([node, alias, nameless]);
    const hash = (await pool.keyBlock(2))!.hash;
    expect(await pool.confirms(2, hash)).to.equal(false);
    const second = use([node, alias, other]);
    await second.keyBlock(2);
    expect(await second.confirms(2, hash)).to.equal(true);
  });

  it('has a key block confirmed by one other node while a third one does not answer', async () => {
    const [first, second, third] = [await startNode(), await startNode(), await startNode()];
    const pool = use([first, second, third], { timeoutMs: SILENCE_MS });
    const hash = (await pool.keyBlock(2))?.hash;
    expect(await pool.confirms(2, 'kh_other')).to.equal(false);
    second.answer = silence;

    expect(await pool.confirms(2, hash!)).to.equal(true);
    third.answer = down;
    second.answer = down;
    expect(await pool.confirms(2, hash!)).to.equal(false);
  });

  it('answers again once its only node is back', async () => {
    const node = await startNode();
    node.answer = down;
    const pool = use([node]);

    expect(await rejection(pool.keyBlock(1))).to.include({ code: 'node_unreachable' });
    node.answer = undefined;

    expect((await pool.keyBlock(1))?.height).to.equal(1);
  });

  it('hides credentials in its report', () => {
    const pool = createNodePool({
      urls: ['https://user:secret@node.example/'],
      api: 'auto',
      timeoutMs: 100,
      concurrency: 1,
      logger: silent,
    });

    expect(JSON.stringify(pool.report())).to.contain('https://node.example').and.to.not.contain('secret');
    pool.close();
  });

  it('throws node_closed once it is closed', async () => {
    const pool = use([await startNode()]);
    await pool.keyBlock(1);

    pool.close();

    expect(await rejection(pool.keyBlock(1))).to.include({ code: 'node_closed' });
  });
});
