import { expect } from 'chai';
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import { keyPosition } from '../../src/chain/position.js';
import { keyBlockHash } from '../../src/chain/serialize/verify-hash.js';
import { networkOf } from '../../src/chain/networks.js';
import type { ChainNode } from '../../src/node/client.js';
import type { NodePool } from '../../src/node/pool.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { verifyProjections } from '../../src/populate/verify-projections.js';
import { verify } from '../../src/populate/verify.js';
import { readHead } from '../../src/store/chain-state.js';
import type { Database } from '../../src/store/connection/database.js';
import { truncate } from '../../src/store/write/truncate.js';
import { NO_WORK, nodeAt, syncContext, syncFully } from '../support/copy.js';
import { logicalDump } from '../support/dump.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { recordedGenerations, recordedKeyBlock } from '../support/recording.js';
import { replayServer } from '../support/replay-server.js';
import { emptyCopy, tamper } from '../support/roles.js';

/** Heights and transactions of each recording. */
const HYPERCHAINS = [
  { of: 'realnode-hyperchain', heights: 68, transactions: 90, deep: [67, 60, 31, 10, 1] },
  { of: 'realnode-hyperchain-holes', heights: 48, transactions: 39, deep: [47, 40, 38, 1] },
] as const;

for (const { of, heights, transactions, deep } of HYPERCHAINS) {
  describe(`the chain of ${of} in the database`, () => {
    const top = heights - 1;
    let server: TestDatabase;
    let database: Database;
    let replayed: Awaited<ReturnType<typeof replayServer>>;
    let node: NodePool;
    let whole: Record<string, string[]>;

    before(async () => {
      server = await testDatabase();
      database = await emptyCopy(server.url);
      replayed = await replayServer(of);
      node = nodeAt(replayed.url, { proof: 'signatures' });
      await syncFully(syncContext(database, node));
      whole = await logicalDump(database);
    });

    after(async () => {
      node.close();
      await replayed.close();
      await database.close();
      await server.drop();
    });

    /** What `-v` says, with the node and offline. */
    const verdicts = async (): Promise<string[]> => {
      const bad: string[] = [];
      for await (const { height, ok, reason } of verify({ database, node })) if (!ok) bad.push(`${height}: ${reason}`);
      await verifyProjections({
        ...{ database, prove: true },
        onDifference: ({ table, key, column }) => bad.push(`${table} ${key} ${column}`),
      });
      return bad;
    };

    it('is stored completely, in the order of the hashes, and verifies clean', async () => {
      expect(recordedGenerations(of)).to.have.length(heights);
      expect(whole['key_blocks']).to.have.length(heights);
      expect(whole['transactions']).to.have.length(transactions);
      expect(await verdicts()).to.deep.equal([]);
    });

    it('is the same after blocks from a position on are removed and loaded again, and after a reload of all heights', async () => {
      for (const height of deep) {
        await database.transaction((tx) => truncate(tx, keyPosition(height)));
        await syncFully(syncContext(database, node));
        expect(await logicalDump(database), `from ${height}`).to.deep.equal(whole);
      }
      const { failed } = await replaceHeights({ database, node, heights: [{ from: 0, to: top }] });
      expect(failed).to.deep.equal([]);
      expect(await logicalDump(database)).to.deep.equal(whole);
    });

    it('is the same when its heights are loaded in any order', async () => {
      const scattered = await emptyCopy(server.url, 'scattered');
      for (let i = 0; i <= top; i++) {
        const height = (i * 29) % heights;
        const { failed } = await replaceHeights({ database: scattered, node, heights: [{ from: height, to: height }] });
        expect(failed).to.deep.equal([]);
      }
      expect(await logicalDump(scattered)).to.deep.equal(whole);
      await scattered.close();
    });

    it('is stored in few bytes, and its texts are those that the node told', async () => {
      const { rows } = await database.query<{ height: string; body: string; stored: string; prev_key_hash: string }>({
        name: 'test.hyperchain-texts',
        text: `SELECT t.height, t.body, k.body AS stored, k.prev_key_hash
          FROM key_block_texts AS t JOIN key_blocks AS k ON k.height = t.height ORDER BY t.height`,
      });
      for (const { height, body, stored, prev_key_hash } of rows) {
        expect(body).to.equal(recordedKeyBlock(Number(height), of));
        if (height === '0') expect(stored).to.equal(body);
        else expect(stored, height).to.have.lengthOf.below(150);
        const isEmpty = height !== '0' && recordedGenerations(of)[Number(height) - 1]!.microBlocks.length === 0;
        expect(prev_key_hash === '', height).to.equal(isEmpty);
      }
    });

    for (const [what, set] of [
      ['its flags', "body = overlay(body PLACING 'E' FROM 1)"],
      ['its info', "body = overlay(body PLACING 'z' FROM 8)"],
      [
        'its signature',
        "body = overlay(body PLACING CASE WHEN substr(body, 60, 1) = 'A' THEN 'B' ELSE 'A' END FROM 60)",
      ],
      [
        'the root of its state',
        "body = left(body, 100) || translate(substr(body, 101, 1), '123', '234') || 'x' || substr(body, 103)",
      ],
      ['its beneficiary', "beneficiary = 'ak_x'"],
      ['its time', 'time = time + 1'],
      ['its target', 'target = target + 1'],
      ['the key block before it', "prev_key_hash = 'kh_x'"],
    ] as const)
      it(`is found to differ by -v at the height where ${what} is changed, and mended at that height`, async () => {
        const height = 10;
        await tamper(database, `UPDATE key_blocks SET ${set} WHERE height = ${height}`);
        expect(await verdicts())
          .to.have.length.at.least(2)
          .and.satisfy(([line]: string[]) => line!.startsWith('10: key block kh_'))
          .and.satisfy((lines: string[]) => lines.some((line) => line.startsWith('key_blocks 10 ')));
        await replaceHeights({ database, node, heights: [{ from: height, to: height }] });
        expect(await verdicts()).to.deep.equal([]);
        expect(await logicalDump(database)).to.deep.equal(whole);
      });

    it('is refused, and nothing of the block is stored, with one digit of a block changed', async () => {
      const copy = await emptyCopy(server.url, 'changed');
      const { hash } = recordedGenerations(of)[20]!.microBlocks[0] ?? { hash: '' };
      const changes: [path: string, from: RegExp, to: string][] = [
        // The flag of the end of an epoch.
        ['/generations/height/10', /"ba_0AAAAEmzehw="/, '"ba_wAAAAKv2ZV4="'],
        ['/generations/height/20', /"target":20\b/, '"target":21'],
        ['/generations/height/20', /"pow":\[(\d+)\d,/, '"pow":[$10,'],
        ['/generations/height/20', /"time":(\d+)\d\b/, '"time":$10'],
        ...(hash === ''
          ? []
          : ([[`/micro-blocks/hash/${hash}/header`, /"height":21\b/, '"height":20']] satisfies typeof changes)),
      ];
      for (const [path, from, to] of changes) {
        const genuine = recordedAnswer(path);
        const altered = genuine.replace(from, to);
        expect(altered, path).to.not.equal(genuine);
        const lying = await replayServer(of, (asked) => (asked === path ? { status: 200, body: altered } : undefined));
        const liar = nodeAt(lying.url);
        const error = await syncFully(syncContext(copy, liar, { batch: ONE })).catch((fault: unknown) => fault);
        liar.close();
        await lying.close();
        expect(error, `${path} ${to}`).to.have.property('code', 'node_unproven');
        const { rows } = await copy.query<{ head: string }>({
          name: 'test.hyperchain-head',
          text: 'SELECT max(height) AS head FROM key_blocks',
        });
        expect(Number(rows[0]!.head), path).to.be.below(path.includes('/10') ? 10 : 21);
        await copy.transaction((tx) => truncate(tx, keyPosition(0)));
      }
      await copy.close();
    });

    function recordedAnswer(path: string): string {
      const height = /height\/(\d+)$/.exec(path)?.[1];
      if (height === undefined) return microHeader(path);
      return recordedGenerations(of)[Number(height)]!.generation;
    }

    const microHeader = (path: string): string =>
      recordedGenerations(of)
        .flatMap(({ microBlocks }) => microBlocks)
        .find(({ hash }) => path.includes(hash))!.header;

    it('is refused at a key block that its leader did not sign, although its hash is right', async () => {
      const copy = await emptyCopy(server.url, 'unsigned');
      const { key_block: block, micro_blocks } = parseExact(recordedGenerations(of)[20]!.generation) as {
        key_block: JsonObject;
        micro_blocks: Json;
      };
      const [first, ...pow] = block['pow'] as number[];
      const forged: JsonObject = { ...block, pow: [first! ^ 1, ...pow].map((part) => part >>> 0) };
      const key_block = { ...forged, hash: keyBlockHash(forged)! };
      const body = stringifyExact({ key_block, micro_blocks });
      const lying = await replayServer(of, (path) =>
        path === '/generations/height/20' ? { status: 200, body } : undefined,
      );
      const liar = nodeAt(lying.url);
      const error = await syncFully(syncContext(copy, liar, { batch: ONE })).catch((fault: unknown) => fault);
      expect(error).to.have.property('code', 'node_unsigned');
      expect((error as Error).message).to.contain('its leader, did not sign it');
      expect((await readHead(copy))?.height).to.equal(19);
      liar.close();
      await lying.close();
      await copy.close();
    });

    it('has key blocks whose flags follow from nothing else', () => {
      const flags = new Set(
        recordedGenerations(of).map(
          ({ height }) => (JSON.parse(recordedKeyBlock(height, of)) as { flags: string }).flags,
        ),
      );
      expect(flags.size).to.be.at.least(3);
    });
  });
}

describe('a node that changes the form of its chain', () => {
  const of = 'realnode-hyperchain';
  let server: TestDatabase;
  let database: Database;

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
  });
  after(async () => {
    await database.close();
    await server.drop();
  });

  const heightAfter = async (node: ChainNode): Promise<{ error: unknown; height: number | undefined }> => {
    const context = syncContext(database, node, { batch: ONE, network: networkOf('hc_rec1', NO_WORK) });
    const error = await syncFully(context).catch((fault: unknown) => fault);
    return { error, height: (await readHead(database))?.height };
  };

  it('is refused at its first key block of another form, also when the block before is stored', async () => {
    const honest = recordedNode(undefined, of);
    const empty = recordedGenerations(of).find(({ height, microBlocks }) => height > 30 && microBlocks.length === 0)!;
    const changed: ChainNode = {
      ...honest,
      async generation(height) {
        const generation = (await honest.generation(height))!;
        if (height !== empty.height) return generation;
        return { ...generation, keyBlock: { ...generation.keyBlock, consensus: 'pow' } };
      },
    };
    for (let round = 0; round < 2; round++) {
      const { error, height } = await heightAfter(changed);
      expect(height).to.equal(empty.height - 1);
      expect(error).to.include({ code: 'node_breaks_rules' });
      expect((error as Error).message).to.contain(
        'it has a proof of work, and the key block before it has the signature of its leader',
      );
    }
  });

  it('is refused at its first micro block with the height of its key block', async () => {
    const honest = recordedNode(undefined, of);
    const first = recordedGenerations(of).find(({ height, microBlocks }) => height > 41 && microBlocks.length > 0)!;
    const changed: ChainNode = {
      ...honest,
      async microBlock(...asked) {
        const block = (await honest.microBlock(...asked))!;
        return block.hash === first.microBlocks[0]!.hash ? { ...block, height: first.height } : block;
      },
    };
    const { error, height } = await heightAfter(changed);
    expect(height).to.equal(first.height - 1);
    expect(error).to.include({ code: 'node_inconsistent' });
  });
});

/** Batches of one generation, so that all before the refused one are stored. */
const ONE = { blocks: 1, transactions: 1, characters: 1 };
