import { expect } from 'chai';
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { readKeyBlock, readMicroBlock } from '../../src/chain/facts.js';
import { isOfGeneration } from '../../src/chain/protocol/generations.js';
import { microHeaderBytes } from '../../src/chain/serialize/headers.js';
import { leaderFlaw } from '../../src/chain/signatures/leader.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { verifyProjections } from '../../src/populate/verify-projections.js';
import { verify } from '../../src/populate/verify.js';
import { logicalDump } from '../support/dump.js';
import { nodeAt, syncContext, syncFully } from '../support/copy.js';
import { ask, closeDevnodes, generated, read, readChain } from '../support/devnode.js';
import type { ReadGeneration } from '../support/devnode.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { emptyCopy } from '../support/roles.js';

const HEAD = 120;

/** Lengths of epochs that are neither that of other tests nor alike. */
const FORMS = [
  { consensus: 'hyperchain', epochs: undefined },
  { consensus: 'hyperchain', epochs: [7, 1, 12] },
  { consensus: 'on_demand', epochs: undefined },
] as const;

/** The last heights of the epochs of these lengths in turn. */
function endsOf(lengths: readonly number[]): number[] {
  const ends: number[] = [];
  for (let [end, i] = [0, 0]; end < HEAD * 2; i++) ends.push((end += lengths[i % lengths.length]!));
  return ends;
}

describe('a generated chain of another form', () => {
  let server: TestDatabase;
  before(async () => (server = await testDatabase()));
  after(async () => {
    await closeDevnodes();
    await server.drop();
  });

  for (const { consensus, epochs } of FORMS) {
    const schema = [consensus, ...(epochs ?? [])].join('_');
    describe(epochs === undefined ? consensus : `${consensus} with epochs of ${epochs.join(', ')} key blocks`, () => {
      let devnode: Devnode;
      let chain: ReadGeneration[];
      const ends = endsOf(epochs ?? [10]);

      before(async () => {
        devnode = await generated({
          seed: `form ${consensus}`,
          generations: HEAD,
          txsPerGeneration: 6,
          consensus,
          epochs,
        });
        chain = await readChain(devnode);
      });

      it('has key blocks and micro blocks as a real chain of this form', async () => {
        const flags = new Set<unknown>();
        for (const [height, { keyBlock, microBlocks }] of chain.entries()) {
          const block = readKeyBlock((await ask(devnode, `/v2/key-blocks/height/${height}`)).body);
          expect(block.consensus).to.equal(height === 0 ? undefined : consensus);
          flags.add(keyBlock['flags']);
          for (const { header } of microBlocks) {
            const micro = readMicroBlock(stringifyExact(header), '{"transactions":[]}');
            expect(isOfGeneration(micro, block), micro.hash).to.equal(true);
            const next = consensus === 'hyperchain' ? chain[height + 1]?.keyBlock : keyBlock;
            if (next === undefined) continue;
            const signed = { hash: micro.hash, header: microHeaderBytes(header) };
            expect(await leaderFlaw(signed, next['miner'] as string)).to.equal(undefined);
          }
          if (consensus !== 'hyperchain' || height === 0) continue;
          const before = Number(chain[height - 1]!.keyBlock['target']);
          const isHole = keyBlock['flags'] === 'ba_4AAAAGoHz9Y=';
          if (!isHole) expect(keyBlock['flags'] === 'ba_0AAAAEmzehw=', `${height}`).to.equal(ends.includes(height));
          expect(keyBlock['target']).to.equal(isHole ? before : ends.includes(height) ? height : before + 1);
        }
        if (consensus === 'hyperchain')
          expect([...flags]).to.have.members([
            'ba_gAAAAOYyHPU=',
            'ba_wAAAAKv2ZV4=',
            'ba_0AAAAEmzehw=',
            'ba_4AAAAGoHz9Y=',
          ]);
        else expect([...flags]).to.deep.equal([undefined]);
      });

      it('is loaded, verifies clean, and follows forks, as a clean load does', async () => {
        const database = await emptyCopy(server.url, schema);
        const node = nodeAt(devnode.externalUrl, { proof: 'signatures' });
        await syncFully(syncContext(database, node));
        await devnode.fork({ depth: 3, grow: 5 });
        await devnode.addMicroBlock();
        await devnode.addMicroBlock();
        await syncFully(syncContext(database, node));
        await devnode.microFork({ drop: 1 });
        await syncFully(syncContext(database, node));
        const bad: unknown[] = [];
        for await (const verdict of verify({ database, node })) if (!verdict.ok) bad.push(verdict);
        await verifyProjections({ database, prove: true, onDifference: (one) => bad.push(one) });
        expect(bad).to.deep.equal([]);
        const clean = await emptyCopy(server.url, `${schema}_clean`);
        await syncFully(syncContext(clean, node));
        expect(await logicalDump(database)).to.deep.equal(await logicalDump(clean));
        node.close();
        await database.close();
        await clean.close();
      });

      it('has the contracts, accounts and answers of its form', async () => {
        const at = (path: string): ReturnType<typeof ask> => ask(devnode, path);
        if (consensus !== 'hyperchain') {
          expect((await at('/v3/hyperchain/contracts')).status).to.equal(404);
          return;
        }
        const { election, staking } = await read(devnode, '/v3/hyperchain/contracts');
        for (const contract of [election, staking]) {
          expect(await read(devnode, `/v3/contracts/${contract as string}`)).to.include({
            owner_id: 'ak_11111111111111111111111111111115rHyByZ',
            vm_version: 8,
          });
          expect((await read(devnode, `/v3/contracts/${contract as string}/code`))['bytecode']).to.match(/^cb_/);
        }
        // No transaction created them, and some call them.
        const transactions = chain.flatMap(({ microBlocks }) => microBlocks.flatMap((one) => one.transactions));
        const called = transactions.map(({ tx }) => (tx as JsonObject)['contract_id']);
        expect(called).to.include(election).and.to.include(staking);
        const leader = chain.at(-1)!.keyBlock['miner'] as string;
        expect(await read(devnode, `/v3/accounts/${leader}`)).to.include({ nonce: 0, kind: 'basic' });
        const { height } = devnode.top();
        const last = ends.filter((end) => end <= height).at(-1)!;
        const epoch = ends.indexOf(last) + 1;
        const { hash } = await read(devnode, `/v3/key-blocks/height/${last}`);
        expect(await read(devnode, '/v3/hyperchain/pin-tx')).to.include({
          block_hash: hash,
          epoch,
          height: last,
          parent_payload: `${epoch.toString(16).toUpperCase()}:${last.toString(16).toUpperCase()} ${hash as string}`,
        });
        expect(await read(devnode, '/v3/status')).to.include({ difficulty: 0, hashrate: 0 });
      });

      it('has the names, oracles and auctions that follow from the heights of its blocks', async () => {
        const database = await emptyCopy(server.url, `${schema}_objects`);
        const node = nodeAt(devnode.externalUrl);
        await syncFully(syncContext(database, node));
        const { rows } = await database.query<{ name: string; expires_at: string }>({
          name: 'test.form-names',
          text: 'SELECT name, expires_at FROM names WHERE active',
        });
        expect(rows).to.not.be.empty;
        for (const { name, expires_at } of rows) {
          const { body } = await ask(devnode, `/v2/names/${name}`);
          expect((parseExact(body) as { ttl: number }).ttl, name).to.equal(Number(expires_at));
        }
        node.close();
        await database.close();
      });
    });
  }
});
