import { expect } from 'chai';
import { hasProofOfWork } from '../../src/chain/work/cuckoo.js';
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { HIGHEST_TARGET, nextTarget } from '../../src/chain/work/target.js';
import type { TargetHeader } from '../../src/chain/work/target.js';
import { keyBlockHash } from '../../src/chain/serialize/verify-hash.js';
import { createSolver } from '../../devtools/devnode/mining/solver.js';
import type { Devnode, LiveOptions } from '../../devtools/devnode/start.js';
import { closeDevnodes, open, read } from '../support/devnode.js';
import { buildOnce } from '../support/mdw.js';

const BENEFICIARY = 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi';
/** Searching such small graphs takes less than a millisecond, and they have as many cycles as larger ones. */
const EDGE_BITS = 11;
const PENDING = '/v2/key-blocks/pending';

const manager = (mining: LiveOptions['mining'] = {}): Promise<Devnode> =>
  open({
    internal: '127.0.0.1:0',
    source: { live: { mining: { beneficiary: BENEFICIARY, edgeBits: EDGE_BITS, ...mining } } },
  });

async function submit(devnode: Devnode, block: JsonObject, api = 'v2'): Promise<{ status: number; body: string }> {
  const response = await fetch(`${devnode.internalUrl}/${api}/key-blocks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: stringifyExact(block),
  });
  return { status: response.status, body: await response.text() };
}

const ACCEPTED = { status: 200, body: '{}' };
const REJECTED = { status: 400, body: '{"reason":"Block rejected"}' };

describe('mining', () => {
  let solver: ReturnType<typeof createSolver>;
  before(() => {
    // The worker thread runs the compiled file.
    buildOnce();
    solver = createSolver(EDGE_BITS);
  });
  after(async () => {
    await solver.close();
    await closeDevnodes();
  });

  const solved = async (candidate: JsonObject): Promise<JsonObject> => (await solver.solve(candidate))!;
  const candidateOf = (devnode: Devnode): Promise<JsonObject> => read(devnode, PENDING);

  it('returns a candidate without nonce and pow, which is the same until the head changes', async () => {
    const devnode = await manager();
    const candidate = await candidateOf(devnode);
    expect(candidate).to.include({ beneficiary: BENEFICIARY, height: 1, target: HIGHEST_TARGET });
    expect(candidate).to.have.all.keys(
      ...['beneficiary', 'hash', 'height', 'info', 'miner', 'prev_hash', 'prev_key_hash'],
      ...['state_hash', 'target', 'time', 'version'],
    );
    expect(candidate['hash']).to.equal(keyBlockHash(candidate));
    expect(await candidateOf(devnode)).to.deep.equal(candidate);
    expect(await read(devnode, '/v3/key-blocks/pending')).to.deep.equal(candidate);
    await devnode.mineKeyBlock();
    expect((await candidateOf(devnode))['prev_hash']).to.equal(devnode.top().hash);
  });

  it('accepts blocks of miners, also a second time (pool manager, autostart: false)', async () => {
    const devnode = await manager();
    for (let height = 1; height <= 3; height += 1) {
      const block = await solved(await candidateOf(devnode));
      expect(hasProofOfWork(block, EDGE_BITS)).to.be.true;
      expect(await submit(devnode, block, height === 2 ? 'v3' : 'v2')).to.deep.equal(ACCEPTED);
      expect(devnode.height()).to.equal(height);
      expect(await submit(devnode, block)).to.deep.equal(ACCEPTED);
      expect(devnode.height()).to.equal(height);
      const { hash: _stored, ...stored } = await read(devnode, `/v2/key-blocks/height/${height}`);
      const { hash: _sent, ...sent } = block;
      expect(stored).to.deep.equal(sent);
    }
  });

  it('rejects a wrong nonce, a wrong cycle, another header, a wrong target and a time too far ahead', async () => {
    const devnode = await manager();
    const candidate = await candidateOf(devnode);
    const block = await solved(candidate);
    const pow = block['pow'] as number[];
    const easier = await solved({ ...candidate, target: 0x2100fffe });
    const future = await solved({ ...candidate, time: Date.now() + 600_000 });
    const old = await solved({ ...candidate, time: 1 });
    const unknown = await solved({ ...candidate, prev_hash: `mh_${(candidate['hash'] as string).slice(3)}` });
    const wrong: [string, JsonObject][] = [
      ['nonce', { ...block, nonce: 1 }],
      ['cycle', { ...block, pow: [...pow.slice(0, -1), (pow.at(-1)! + 1) % 2 ** EDGE_BITS].sort((a, b) => a - b) }],
      ['order', { ...block, pow: [...pow].reverse() }],
      ['beneficiary', { ...block, beneficiary: block['miner']! }],
      ['target', easier],
      ['future', future],
      ['past', old],
      ['parent', unknown],
      ['version', await solved({ ...candidate, version: 1 })],
      ['height', await solved({ ...candidate, height: 7 })],
      ['state', await solved({ ...candidate, state_hash: `bs_${(candidate['prev_hash'] as string).slice(3)}` })],
    ];
    for (const [what, spoiled] of wrong) expect(await submit(devnode, spoiled), what).to.deep.equal(REJECTED);
    expect(devnode.height()).to.equal(0);
    expect(await submit(devnode, block)).to.deep.equal(ACCEPTED);
  });

  it('refuses an incomplete block, as the real node does', async () => {
    const devnode = await manager();
    const candidate = await candidateOf(devnode);
    const block = await solved(candidate);
    expect(await submit(devnode, candidate)).to.deep.equal({ status: 400, body: '{"reason":"Invalid block"}' });
    expect(await submit(devnode, { ...block, miner: 'ak_x' })).to.deep.equal({
      status: 400,
      body: '{"reason":"Invalid block"}',
    });
    expect((await submit(devnode, { ...block, pow: Array<number>(42).fill(0) })).status).to.equal(500);
    const { info: _info, ...without } = block;
    expect((await submit(devnode, without)).body).to.contain('"data":"info"');
  });

  it('stores a solved stale candidate as a branch, and the first block stays the head', async () => {
    const devnode = await manager();
    const candidate = await candidateOf(devnode);
    const [first, second] = [
      await solved(candidate),
      await solved({ ...candidate, time: Number(candidate['time']) + 1 }),
    ];
    await submit(devnode, first);
    const top = devnode.top();
    expect(await submit(devnode, second)).to.deep.equal(ACCEPTED);
    expect(devnode.top()).to.deep.equal(top);
    const stale = await read(devnode, `/v2/key-blocks/hash/${keyBlockHash(second)}`);
    expect(stale['height']).to.equal(1);
  });

  it('has no candidates and does not mine itself without a beneficiary', async () => {
    const devnode = await manager({ beneficiary: undefined });
    const response = await fetch(devnode.externalUrl + PENDING);
    expect([response.status, await response.text()]).to.deep.equal([
      400,
      '{"error_code":"beneficiary_not_configured","reason":"Beneficiary not configured"}',
    ]);
    const error = await manager({ beneficiary: undefined, autostart: true }).catch((thrown: Error) => thrown);
    expect((error as Error).message).to.contain('beneficiary');
    const size = await manager({ edgeBits: 5 }).catch((thrown: Error) => thrown);
    expect((size as Error).message).to.equal('edge bits: 0 or 8 to 31, not 5');
  });

  it('mines itself with autostart: true, each block with a proof of work', async () => {
    const devnode = await manager({ autostart: true });
    while (devnode.height() < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    for (const height of [1, 2, 3]) {
      expect(hasProofOfWork(await read(devnode, `/v2/key-blocks/height/${height}`), EDGE_BITS)).to.be.true;
    }
  });

  it('mines itself without proofs of work if no edge bits are given', async () => {
    const devnode = await manager({ autostart: true, edgeBits: 0, intervalMs: 10 });
    while (devnode.height() < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    const block = await read(devnode, '/v2/key-blocks/height/1');
    expect((block['pow'] as number[]).length).to.equal(42);
  });

  it('adjusts the target to the time between the last blocks', async () => {
    const devnode = await manager({ intervalMs: 60_000 });
    await devnode.grow(22);
    const headers: TargetHeader[] = [];
    for (let height = 1; height <= 22; height += 1) {
      const { target, time } = (await read(devnode, `/v2/key-blocks/height/${height}`)) as unknown as TargetHeader;
      expect(target, `height ${height}`).to.equal(nextTarget(headers, 60_000));
      headers.push({ target, time });
    }
    expect(headers.at(-1)!.target).to.be.lessThan(HIGHEST_TARGET);
    expect(parseExact(JSON.stringify(await candidateOf(devnode)))).to.include({ target: nextTarget(headers, 60_000) });
  });
});
