import { expect } from 'chai';
import type { Devnode } from '../../devtools/devnode/start.js';
import { ask, closeDevnodes, generated, hashOf, read } from '../support/devnode.js';

describe('a misbehaving node', () => {
  let devnode: Devnode;
  beforeEach(async () => void (devnode = await generated()));
  afterEach(closeDevnodes);

  const height = async (): Promise<unknown> => (await read(devnode, '/v2/key-blocks/current/height'))['height'];

  it('answers with a status and retry-after', async () => {
    devnode.misbehave({ status: 503, retryAfter: 3 });
    const { status, headers, body } = await ask(devnode, '/v2/status');
    expect([status, headers.get('retry-after'), body]).to.deep.equal([503, '3', '']);
  });

  it('stops misbehaving on demand', async () => {
    devnode.misbehave({ status: 500 });
    devnode.misbehave(null);
    expect((await ask(devnode, '/v2/status')).status).to.equal(200);
  });

  it('misbehaves on the given paths only', async () => {
    devnode.misbehave({ status: 429, paths: '^/v2/generations' });
    expect((await ask(devnode, '/v2/generations/current')).status).to.equal(429);
    expect((await ask(devnode, '/v2/status')).status).to.equal(200);
  });

  it('misbehaves on a share of the requests', async () => {
    devnode.misbehave({ status: 500, probability: 0.5 });
    const replies = await Promise.all(Array.from({ length: 60 }, () => ask(devnode, '/v2/status')));
    const failed = replies.filter(({ status }) => status === 500).length;
    expect(failed).to.be.within(10, 50);
  });

  it('answers late', async () => {
    devnode.misbehave({ slowMs: 60 });
    const since = performance.now();
    expect((await ask(devnode, '/v2/status')).status).to.equal(200);
    expect(performance.now() - since).to.be.at.least(58);
  });

  it('never answers, and still can be closed', async () => {
    devnode.misbehave({ hang: true });
    const asked = ask(devnode, '/v2/status').catch((error: unknown) => error);
    const gaveUp = await ask(devnode, '/v2/status', { signal: AbortSignal.timeout(50) }).catch(
      (error: unknown) => error,
    );
    expect(gaveUp).to.have.property('name', 'TimeoutError');
    await closeDevnodes();
    expect(await asked).to.be.an('error');
  });

  it('closes the connection in the middle of a body', async () => {
    devnode.misbehave({ truncate: true });
    const error = await ask(devnode, '/v2/generations/current').catch((fault: unknown) => fault);
    expect(error).to.be.an('error');
  });

  it('serves the chain as it was generations ago', async () => {
    const newest = hashOf(await read(devnode, '/v2/key-blocks/height/6'));
    devnode.misbehave({ behind: 2 });
    expect(await height()).to.equal(4);
    expect(await read(devnode, '/v2/status')).to.include({ top_block_height: 4 });
    expect((await ask(devnode, '/v2/key-blocks/height/5')).status).to.equal(404);
    expect((await ask(devnode, `/v2/key-blocks/hash/${newest}`)).status).to.equal(404);
    expect((await read(devnode, '/v3/headers/top'))['height']).to.equal(4);
  });

  it('claims another network or genesis block', async () => {
    devnode.misbehave([{ networkId: 'ae_other' }, { genesis: 'kh_other' }]);
    expect(await read(devnode, '/v3/status')).to.include({
      network_id: 'ae_other',
      genesis_key_block_hash: 'kh_other',
    });
  });

  it('answers a height with the block of another', async () => {
    devnode.misbehave({ wrongHeight: true });
    expect(await read(devnode, '/v2/key-blocks/height/3')).to.have.property('height', 2);
    expect(await read(devnode, '/v3/generations/height/0')).to.have.nested.property('key_block.height', 1);
  });

  it('answers differently about the same height after a fork', async () => {
    await devnode.fork({ depth: 2, grow: 3 });
    devnode.misbehave({ disagree: true });
    const seen = new Set<string>();
    for (let i = 0; i < 4; i += 1) seen.add(hashOf(await read(devnode, '/v2/key-blocks/height/5')));
    expect(seen.size).to.equal(2);
  });

  it('answers differently about the head without a fork', async () => {
    devnode.misbehave({ disagree: true });
    expect(new Set([await height(), await height()])).to.deep.equal(new Set([6, 4]));
  });

  it('refuses invalid misbehaviours', () => {
    expect(() => devnode.misbehave({ status: 418 } as never)).to.throw('status');
    expect(() => devnode.misbehave({ paths: '(' })).to.throw('paths');
    expect(devnode.misbehaviours()).to.deep.equal([]);
  });
});
