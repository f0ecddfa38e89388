import { expect } from 'chai';
import type { Devnode } from '../../devtools/devnode/start.js';
import { ask, closeDevnodes, open } from '../support/devnode.js';

describe('the admin address', () => {
  let devnode: Devnode;
  before(async () => {
    devnode = await open({
      admin: '127.0.0.1:0',
      internal: '127.0.0.1:0',
      source: { generate: { seed: 'admin', generations: 3, txsPerGeneration: 5, accounts: 8 } },
    });
  });
  after(closeDevnodes);

  async function post(path: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(devnode.adminUrl + path, { method: 'POST', body: text });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  it('grows and forks the chain and reports its state', async () => {
    expect((await post('/grow', { generations: 2 })).body).to.include({ height: 5 });
    expect((await post('/key-block', '')).body).to.include({ height: 6 });
    expect((await post('/micro-block', { txs: 2 })).status).to.equal(200);
    expect((await post('/micro-fork', { drop: 1 })).body).to.include({ height: 7 });
    expect((await post('/fork', { depth: 2, grow: 1 })).body).to.include({ height: 6 });
    const state = (await (await fetch(`${devnode.adminUrl}/state`)).json()) as object;
    expect(state).to.include({ height: devnode.height(), hash: devnode.top().hash });
  });

  it('sets and removes misbehaviours', async () => {
    expect((await post('/misbehave', { status: 503 })).body['misbehaviour']).to.deep.equal([{ status: 503 }]);
    expect((await ask(devnode, '/v2/status')).status).to.equal(503);
    await post('/misbehave', 'null');
    expect((await ask(devnode, '/v2/status')).status).to.equal(200);
  });

  const refused: [string, unknown][] = [
    ['/grow', {}],
    ['/grow', { generations: -1 }],
    ['/grow', 'not json'],
    ['/fork', { depth: 99, grow: 1 }],
    ['/micro-fork', { drop: 1, next: 'all' }],
    ['/key-block', { height: 3 }],
    ['/misbehave', { slow: 1 }],
  ];
  for (const [path, body] of refused) {
    it(`refuses ${path} with ${JSON.stringify(body)}`, async () => {
      const reply = await post(path, body);
      expect(reply.status).to.equal(400);
      expect(reply.body['reason']).to.be.a('string');
    });
  }

  it('answers 404 for anything else, as does the internal address', async () => {
    expect((await post('/stop', {})).status).to.equal(404);
    expect((await fetch(`${devnode.internalUrl}/v2/debug/peers`)).status).to.equal(404);
  });
});
