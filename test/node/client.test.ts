import { expect } from 'chai';
import { serviceAddress } from '../../src/node/address.js';
import { readKeyBlock } from '../../src/chain/facts.js';
import { retryAfterMs } from '../../src/node/faults.js';
import { createNodeClient } from '../../src/node/client.js';
import type { NodeClient } from '../../src/node/client.js';
import { rejection, reply, startServer } from '../support/http-server.js';
import type { Answerer, TestServer } from '../support/http-server.js';
import { recorded, recordedGenerations, recordedInfo, recordedKeyBlock, recording } from '../support/recording.js';
import { asRecorded } from './support.js';

describe('the client of a node', () => {
  let server: TestServer;
  let node: NodeClient;
  const outcomes: string[] = [];
  afterEach(async () => {
    node.close();
    outcomes.length = 0;
    await server.close();
  });

  async function start(
    answer: Answerer,
    options: Partial<Parameters<typeof createNodeClient>[0]> & { at?: (url: string) => string } = {},
  ) {
    server = await startServer(answer);
    const { at = (url: string) => url, ...rest } = options;
    node = createNodeClient({
      address: serviceAddress(at(server.url)),
      api: 'v3',
      timeoutMs: 10_000,
      concurrency: 8,
      retries: [1, 2, 4],
      onRequest: (outcome) => outcomes.push(outcome),
      ...rest,
    });
    return node;
  }

  /** Requests by the usual path, and not by the others that are tried after its last fault. */
  const usual = (): string[] => server.requests.filter((request) => request === 'GET /v3/key-blocks/height/7');

  /** Gives the answers one after the other, and then the last one again and again. */
  const inTurn = (...answers: Answerer[]): Answerer => {
    let turn = 0;
    return (request, response) => answers[Math.min(turn++, answers.length - 1)]!(request, response);
  };

  describe('of a healthy node', () => {
    beforeEach(() => start(asRecorded, { api: 'auto' }));

    it('returns the status', async () => {
      expect(await node.status()).to.deep.include({
        networkId: 'ae_mdwtest',
        headHeight: 214,
        syncing: false,
        nodeVersion: '7.2.2',
      });
      expect((await node.status()).forks).to.deep.include({ height: 10, version: 6 });
    });

    it('returns every recorded generation and micro block unchanged', async () => {
      for (const { height, microBlocks, keyBlock } of recordedGenerations().slice(-40)) {
        const generation = await node.generation(height);
        expect(generation?.keyBlock.body).to.equal(keyBlock);
        expect((await node.keyBlock(height))?.hash).to.equal(generation?.keyBlock.hash);
        expect(generation?.microHashes).to.deep.equal(microBlocks.map(({ hash }) => hash));
        for (const hash of generation!.microHashes) {
          const block = await node.microBlock(hash, generation!.keyBlock);
          expect(block).to.deep.include({ hash, height });
          for (const { hash: of } of block!.transactions) expect(await node.info(of)).to.equal(recordedInfo(of));
        }
      }
    });

    it('returns the hash of the head, also under /v2', async () => {
      const { hash } = JSON.parse(recorded('/v3/headers/top')) as { hash: string };

      expect(await node.headHash()).to.equal(hash);
      const asV2 = createNodeClient({
        address: serviceAddress(server.url),
        api: 'v2',
        timeoutMs: 10_000,
        concurrency: 8,
      });
      expect(await asV2.headHash()).to.equal(hash);
      asV2.close();
    });

    it('returns the code of a contract, null if there is none', async () => {
      const [path, { body }] = [...recording()].find(([asked]) => /^GET \/v3\/contracts\/ct_\w+\/code$/.test(asked))!;
      const { bytecode } = JSON.parse(body) as { bytecode: string };
      expect(await node.contractCode(path.split('/')[3]!)).to.equal(bytecode);

      node.close();
      await server.close();
      await start((_, response) => reply(response, 404, '{"reason":"Contract not found"}'));
      expect(await node.contractCode('ct_unknown')).to.equal(null);

      node.close();
      await server.close();
      await start((_, response) => reply(response, 200, '{}'));
      expect(await rejection(node.contractCode('ct_odd'))).to.include({ code: 'node_malformed' });
    });

    it('returns null for what the node does not have', async () => {
      const spend = [...recording().entries()].find(
        ([path, { status }]) => path.endsWith('/info') && status === 400,
      )![0];

      expect(await node.info(spend.split('/')[3]!)).to.equal(null);
    });

    it('returns the answer of any other path, also a refusal', async () => {
      expect(await node.get('/key-blocks/current')).to.deep.equal({
        status: 200,
        text: recorded('/v3/key-blocks/current'),
      });
      expect(await node.get('/nothing')).to.deep.equal({ status: 404, text: '' });
    });

    it('detects once which interface the node has', async () => {
      await node.keyBlock(1);
      await node.keyBlock(2);

      expect(server.requests).to.deep.equal([
        'GET /v3/status',
        'GET /v3/key-blocks/height/1',
        'GET /v3/key-blocks/height/2',
      ]);
    });
  });

  it('uses /v2 if the node has no /v3', async () => {
    await start(
      (request, response) =>
        request.url!.startsWith('/v3') ? reply(response, 404, '') : asRecorded(request, response),
      {
        api: 'auto',
      },
    );

    expect((await node.keyBlock(3))?.height).to.equal(3);
    expect(server.requests.at(-1)).to.equal('GET /v2/key-blocks/height/3');
  });

  it('reaches a node behind a path prefix, and never shows the credentials', async () => {
    let authorization: string | undefined;
    await start(
      (request, response) => {
        authorization = request.headers.authorization;
        reply(response, request.url === '/prefix/v3/key-blocks/height/3' ? 500 : 404, '');
      },
      { at: (url) => `${url.replace('http://', 'user:p%20w@')}/prefix/`, retries: [] },
    );

    const error = await rejection(node.keyBlock(3));

    expect(error).to.include({ code: 'node_error' });
    expect(error.message).to.contain('/prefix').and.to.not.contain('user');
    expect(authorization).to.equal(`Basic ${Buffer.from('user:p w').toString('base64')}`);
  });

  it('returns null above the head, but not for a 404 of a proxy or a wrong path', async () => {
    await start(
      ({ url }, response) =>
        reply(response, 404, url!.endsWith('/5') ? '{"reason":"Chain too short"}' : '<html>Not found</html>'),
      { retries: [] },
    );

    expect(await node.generation(5)).to.equal(null);
    expect(await rejection(node.generation(6))).to.include({ code: 'node_error' });
  });

  it('throws node_lies when the answer is for another height', async () => {
    await start((_, response) => reply(response, 200, recorded('/v3/generations/height/7')));

    expect(await rejection(node.generation(8))).to.include({ code: 'node_lies', fault: 'unavailable' });
    expect(server.requests).to.have.lengthOf(1);
  });

  it('throws node_lies for another micro block, or for transactions of another one', async () => {
    const [one, other] = recordedGenerations()
      .flatMap(({ microBlocks }) => microBlocks)
      .filter(({ transactions }) => transactions.includes('"hash"'));
    await start(({ url }, response) => {
      if (url!.endsWith('/header')) return reply(response, 200, one!.header);
      return reply(response, 200, other!.transactions);
    });

    const keyBlock = readKeyBlock(recordedKeyBlock(1));
    expect(await rejection(node.microBlock(one!.hash, keyBlock))).to.include({ code: 'node_lies' });
    expect(await rejection(node.microBlock(other!.hash, keyBlock))).to.include({ code: 'node_lies' });
  });

  it('does not repeat a failed request for the head', async () => {
    await start((_, response) => reply(response, 500, ''));

    expect(await rejection(node.headHash())).to.include({ code: 'node_error' });
    expect(server.requests).to.deep.equal(['GET /v3/headers/top']);
  });

  it('throws node_malformed for truncated JSON, after retries', async () => {
    const whole = recorded('/v3/key-blocks/height/7');
    await start((_, response) => reply(response, 200, whole.slice(0, 200)));

    expect(await rejection(node.keyBlock(7))).to.include({ code: 'node_malformed' });
    expect(usual()).to.have.lengthOf(4);
  });

  it('retries when the connection breaks in the middle of an answer', async () => {
    const whole = recorded('/v3/key-blocks/height/7');
    await start(
      inTurn((_, response) => {
        response.writeHead(200, { 'content-length': String(whole.length) });
        response.write(whole.slice(0, 100), () => response.destroy());
      }, asRecorded),
    );

    expect((await node.keyBlock(7))?.height).to.equal(7);
    expect(outcomes).to.deep.equal(['node_malformed', 'ok']);
  });

  it('retries when a connection is refused once', async () => {
    await start(inTurn((request) => request.socket.destroy(), asRecorded));

    expect((await node.keyBlock(7))?.height).to.equal(7);
    expect(outcomes).to.deep.equal(['node_unreachable', 'ok']);
  });

  it('throws node_timeout when the node does not answer', async () => {
    await start(() => undefined, { timeoutMs: 150 });

    expect(await rejection(node.keyBlock(7))).to.include({ code: 'node_timeout' });
    expect(usual()).to.have.lengthOf(1);
  });

  it('throws node_timeout when an answer comes in small pieces forever', async () => {
    let drip: NodeJS.Timeout | undefined;
    await start(
      (_, response) => {
        response.writeHead(200);
        drip = setInterval(() => response.write(' '), 10);
      },
      { deadlineMs: 200 },
    );

    const error = await rejection(node.keyBlock(7));
    clearInterval(drip);

    expect(error).to.include({ code: 'node_timeout' });
  });

  it('waits as long as the retry-after of a busy node says', async () => {
    await start(inTurn((_, response) => reply(response, 429, '', { 'retry-after': '1' }), asRecorded));
    const startedAt = performance.now();

    expect((await node.keyBlock(7))?.height).to.equal(7);

    expect(performance.now() - startedAt).to.be.at.least(990);
  });

  it('throws node_busy at once when the retry-after is too long', async () => {
    await start((_, response) => reply(response, 503, '{"reason":"Temporary overload"}', { 'retry-after': '30' }), {
      patienceMs: 1000,
    });

    const error = await rejection(node.keyBlock(7));

    expect(error).to.include({ code: 'node_busy' });
    expect(error).to.have.nested.property('details.retryAfterMs', 30_000);
  });

  for (const [what, values, ms] of [
    ['two', ['20', '30'], 20_000],
    ['a malformed', ['soon'], undefined],
    ['a huge', ['9'.repeat(400)], 30_000],
  ] as const) {
    it(`throws node_busy for ${what} retry-after`, async () => {
      await start((_, response) => response.setHeader('retry-after', values).writeHead(503).end(), {
        patienceMs: 0,
        retries: [],
      });

      const error = await rejection(node.keyBlock(7));

      expect(error).to.include({ code: 'node_busy' });
      expect(retryAfterMs(error)).to.equal(ms);
    });
  }

  it('retries on 5xx, and throws node_error when that continues', async () => {
    await start(inTurn((_, response) => reply(response, 500, ''), asRecorded));
    expect((await node.keyBlock(7))?.height).to.equal(7);
    node.close();
    await server.close();

    await start((_, response) => reply(response, 502, '<html>'));
    expect(await rejection(node.keyBlock(7))).to.include({ code: 'node_error' });
    expect(usual()).to.have.lengthOf(4);
  });

  it('throws node_malformed for an answer that is too long', async () => {
    await start(
      (_, response) => {
        response.writeHead(200);
        response.end('x'.repeat(2000));
      },
      { maxBytes: 1000 },
    );

    expect(await rejection(node.keyBlock(7))).to.include({ code: 'node_malformed' });
    expect(usual()).to.have.lengthOf(1);
  });

  it('sends no more concurrent requests than allowed, and more only while the node keeps up', async () => {
    let [running, max] = [0, 0];
    await start((request, response) => {
      max = Math.max(max, (running += 1));
      setTimeout(() => {
        running -= 1;
        void asRecorded(request, response);
      }, 5);
    });

    await Promise.all(Array.from({ length: 200 }, (_, i) => node.keyBlock(i)));

    expect(max).to.be.within(5, 8);
  });

  it('aborts all requests when it is closed', async () => {
    await start(() => undefined, { timeoutMs: 60_000 });

    const pending = Array.from({ length: 20 }, () => rejection(node.keyBlock(7)));
    node.close();

    for (const error of await Promise.all(pending)) expect(error).to.include({ code: 'node_closed' });
  });
});
