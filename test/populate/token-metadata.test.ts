/** The metadata of single tokens: what recorded collections told of them, whatever happened to the copy; and collections that tell nothing of use. */
import { expect } from 'chai';
import { eventHash } from '../../src/chain/event-names.js';
import { keyPosition, microPosition } from '../../src/chain/position.js';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import type { ChainNode } from '../../src/node/client.js';
import type { DryCall, DryResult } from '../../src/node/dry-run.js';
import { nodeFault } from '../../src/node/faults.js';
import { createMetrics } from '../../src/observe/metrics.js';
import type { EnrichContext } from '../../src/populate/enrichments/enrichment.js';
import { enrich } from '../../src/populate/enrichments/groups.js';
import { queueOf } from '../../src/populate/enrichments/queue.js';
import { reportMetadata, tokenMetadata } from '../../src/populate/enrichments/token-metadata.js';
import { mendProjections } from '../../src/populate/mend-projections.js';
import type { Database } from '../../src/store/connection/database.js';
import type { Difference } from '../../src/store/facts/difference.js';
import { tokenMetadata as projection } from '../../src/store/projections/token-metadata.js';
import { truncate } from '../../src/store/write/truncate.js';
import { integer } from '../../devtools/devnode/generate/fate-values.js';
import { syncContext, syncFully } from '../support/copy.js';
import { decodeAll, enrichContext } from '../support/decoding.js';
import { askOnce, changed } from '../support/dry-runs.js';
import { logicalDump } from '../support/dump.js';
import { differencesIn, fillAll } from '../support/filled.js';
import { choices } from '../support/histories.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { recordedTokens, tokenStates } from '../support/recorded-tokens.js';
import type { RecordedMetadata } from '../support/recorded-tokens.js';
import { emptyCopy, tamper } from '../support/roles.js';

const OF = 'realnode-tokens';
const MAX_CALLS = 30;
const MAX_GAS = 6_000_000;

const idOf = (label: string): string => Object.entries(recordedTokens).find(([, token]) => token.label === label)![0];

interface Row {
  label: string;
  single: string;
  state: string;
  metadata: unknown;
}

/** As it is stored. */
const contentOf = (told: RecordedMetadata): unknown =>
  typeof told === 'string' ? told : (told.MetadataIdentifier?.[0] ?? told.MetadataMap?.[0] ?? null);

describe('the metadata of single tokens', () => {
  let server: TestDatabase;
  let database: Database;
  let whole: string[];
  const node = recordedNode(undefined, OF);

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
    whole = await dump();
  });
  after(async () => {
    await database.close();
    await server.drop();
  });

  const dump = async (): Promise<string[]> => (await logicalDump(database))['token_metadata']!;

  async function rows(): Promise<Row[]> {
    const { rows } = await database.query<Omit<Row, 'label' | 'metadata'> & { id: string; metadata: string | null }>({
      name: 'test.metadata',
      text: 'SELECT contract_id AS id, token_id::text AS single, state, metadata FROM token_metadata ORDER BY contract_id, token_id',
    });
    return rows.map(({ id, metadata, ...row }) => ({
      label: recordedTokens[id]!.label,
      ...row,
      metadata: metadata === null ? null : (JSON.parse(metadata) as unknown),
    }));
  }

  /** Asks for everything again, as a copy does that has just been loaded. */
  const forget = (): Promise<void> =>
    tamper(database, [
      `UPDATE token_metadata SET state = 'due', metadata = NULL, answer = NULL, attempts = 0, due_at = now()`,
    ]);

  const dueNow = (): Promise<void> =>
    tamper(database, [`UPDATE token_metadata SET due_at = now() WHERE state = 'due'`]);

  /** Asks once about all that is due. Returns the requests. */
  const ask = (
    answer: (block: string, calls: readonly DryCall[]) => Promise<DryResult[] | null>,
    changes: Partial<EnrichContext> = {},
  ): ReturnType<typeof askOnce> => askOnce({ database, node }, queueOf(tokenMetadata), answer, changes);

  /** The answers of the recording, of which some are others. */
  const answers = (change: (call: DryCall) => Partial<DryResult> | undefined) => changed(node, change);

  const asRecorded = answers(() => undefined);

  const differing = async (): Promise<Difference[]> => {
    const found: Difference[] = [];
    for (const check of projection.wholeChecks!) found.push(...(await check(database)));
    return found;
  };

  it('are what recorded collections of each kind told, with templates, and none where there are none', async () => {
    const expected = Object.values(recordedTokens).flatMap(({ label, tokens }) =>
      Object.entries(tokens ?? {}).map(([single, { metadata }]) => ({ label, single, metadata: contentOf(metadata) })),
    );
    expect(expected).to.have.length.above(10);
    expect(expected.map(({ metadata }) => typeof metadata)).to.include.members(['string', 'object']);
    const stored = await rows();
    for (const { label, single, metadata } of expected)
      expect(stored, `${label} ${single}`).to.deep.include({ label, single, state: 'ok', metadata });
    // The others are burnt by now.
    const owned = new Set(expected.map(({ label, single }) => `${label} ${single}`));
    const burnt = stored.filter(({ label, single }) => !owned.has(`${label} ${single}`));
    expect(burnt.map(({ label, single }) => `${label} ${single}`)).to.deep.equal(['nftMap 5', 'nftMap 7']);
    expect(await differencesIn(database)).to.deep.equal([]);
  });

  it('are asked for once, those of a micro block with one request, and counted', async () => {
    const metrics = createMetrics();
    expect(await ask(asRecorded)).to.deep.equal([]);
    await forget();
    const context = enrichContext(database, node, new AbortController().signal, { metrics });
    await reportMetadata(context)();
    const waiting = async (): Promise<number> => (await metrics.tokenMetadataWaiting.get()).values[0]!.value;
    expect(await waiting()).to.equal(whole.length);
    const requests = await ask(asRecorded, { metrics });
    const blocks = requests.map(({ block }) => block);
    expect(new Set(blocks).size).to.equal(blocks.length);
    expect(requests.flatMap(({ calls }) => calls)).to.have.length(whole.length);
    expect(blocks).to.have.length.below(whole.length);
    await reportMetadata(context)();
    expect(await waiting()).to.equal(0);
    const { values } = await metrics.tokenMetadata.get();
    expect(Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]))).to.deep.equal({
      ok: whole.length,
      failed: 0,
      malformed: 0,
      unanswered: 0,
    });
    expect(await dump()).to.deep.equal(whole);
  });

  it('go with the blocks that made the tokens, and come again with them', async () => {
    const heights = [...new Set(tokenStates.filter(({ owners }) => owners).map(({ height }) => height))].reverse();
    let before = whole.length;
    for (const height of heights) {
      await database.transaction((tx) => truncate(tx, keyPosition(height)));
      expect(await differing(), `${height}`).to.deep.equal([]);
      const left = await rows();
      expect(left.every(({ state }) => state === 'ok')).to.equal(true);
      expect(left.length).to.be.at.most(before);
      before = left.length;
    }
    expect(before).to.equal(0);
    for (const height of [25, 26, 27, undefined]) {
      await syncFully(syncContext(database, recordedNode(height, OF)));
      await decodeAll(database, node);
      expect(await differing(), `${height}`).to.deep.equal([]);
    }
    expect(await dump()).to.deep.equal(whole);
  });

  it('are not stored if the block went while the collection was asked', async () => {
    await forget();
    await ask(async (block, calls) => {
      await tamper(database, [`UPDATE micro_blocks SET hash = 'mh_other' || hash WHERE hash NOT LIKE 'mh_other%'`]);
      return node.dryRun(block, calls);
    });
    expect((await rows()).every(({ state }) => state === 'due')).to.equal(true);
    await tamper(database, [`UPDATE micro_blocks SET hash = substr(hash, 9) WHERE hash LIKE 'mh_other%'`]);
    await dueNow();
    await ask(asRecorded);
    expect(await dump()).to.deep.equal(whole);
  });

  it('are a state of their own where a collection fails, loops or returns something else, and the others have theirs', async () => {
    await forget();
    const loops = idOf('nftMap');
    const wrong: Record<string, Partial<DryResult>> = {
      [loops]: { type: 'error', value: 'cb_Xfbg4g==' },
      [idOf('nftUrl')]: { type: 'revert', value: 'cb_Xfbg4g==' },
      [idOf('nftObj')]: { value: encodeId('cb', integer(7n)) },
    };
    const requests = await ask(answers(({ contract }) => wrong[contract]));
    const stored = await rows();
    const statesOf = (of: string): string[] => [
      ...new Set(stored.flatMap(({ label, state }) => (label === of ? [state] : []))),
    ];
    expect(['nftMap', 'nftUrl', 'nftObj', 'nft2'].map(statesOf)).to.deep.equal([
      ['failed'],
      ['failed'],
      ['malformed'],
      ['ok'],
    ]);
    for (const { calls } of requests) {
      expect(calls.length).to.be.at.most(MAX_CALLS);
      expect(calls.reduce((sum, { gas }) => sum + gas, 0)).to.be.at.most(MAX_GAS);
    }
    // The one that loops is tried again with all gas, but not for each of its tokens.
    const again = requests.filter(({ calls }) => calls[0]!.gas === MAX_GAS);
    expect(again.map(({ calls }) => calls[0]!.contract)).to.satisfy((ids: string[]) => ids.every((id) => id === loops));
    expect(again.length).to.be.within(1, 2);
    expect(await differing()).to.deep.equal([]);
    expect(await ask(asRecorded)).to.deep.equal([]);
    await forget();
    await ask(asRecorded);
    expect(await dump()).to.deep.equal(whole);
  });

  it('are asked for with all gas where they need more, each alone', async () => {
    await forget();
    const requests = await ask(
      answers(({ contract, gas }) => (contract === idOf('nftMap') && gas < MAX_GAS ? { type: 'error' } : undefined)),
    );
    const singles = (await rows()).filter(({ label }) => label === 'nftMap').length;
    expect(requests.filter(({ calls }) => calls[0]!.gas === MAX_GAS)).to.have.length(singles);
    expect(await dump()).to.deep.equal(whole);
  });

  it('are due again later, each alone, where the node has no answer, and no fault of the node loses one', async () => {
    await forget();
    const poisoned = idOf('nftObj');
    const refuses =
      (refuse: () => Promise<null>) =>
      (block: string, calls: readonly DryCall[]): Promise<DryResult[] | null> =>
        calls.some(({ contract }) => contract === poisoned) ? refuse() : node.dryRun(block, calls);
    await ask(refuses(() => Promise.resolve(null)));
    const waiting = (await rows()).filter(({ state }) => state === 'due');
    expect(waiting.map(({ label }) => label)).to.include.members(['nftObj', 'nftUrl']);
    await dueNow();
    const requests = await ask(refuses(() => Promise.resolve(null)));
    expect(requests.every(({ calls }) => calls.length === 1)).to.equal(true);
    expect((await rows()).filter(({ state }) => state === 'due').map(({ label }) => label)).to.deep.equal(['nftObj']);
    await dueNow();
    await ask(refuses(() => Promise.reject(nodeFault('node_timeout', 'did not answer'))));
    expect((await rows()).filter(({ state }) => state === 'due')).to.have.length(1);
    await dueNow();
    await ask(asRecorded);
    expect(await dump()).to.deep.equal(whole);
  });

  it('are not asked for where dry runs are off', async () => {
    await forget();
    const stopping = new AbortController();
    let turns = 0;
    const asked: string[] = [];
    const silentNode: ChainNode = {
      ...node,
      dryRun(block, calls) {
        asked.push(block);
        return node.dryRun(block, calls);
      },
    };
    await enrich(enrichContext(database, silentNode, stopping.signal, { dryRuns: false }), () => {
      if (++turns === 3) stopping.abort();
      return Promise.resolve();
    });
    expect(asked).to.deep.equal([]);
    expect(await differing()).to.deep.equal([]);
    await ask(asRecorded);
    expect(await dump()).to.deep.equal(whole);
  });

  it('are found changed by -v, and asked for again', async () => {
    await tamper(database, [
      `UPDATE token_metadata SET metadata = '"other"' WHERE token_id = 1 AND contract_id = '${idOf('nftUrl')}'`,
      `UPDATE token_metadata SET state = 'failed' WHERE token_id = 0`,
      `UPDATE token_metadata SET position = position + 1 WHERE token_id = 2`,
      `DELETE FROM token_metadata WHERE token_id = 3`,
      `INSERT INTO token_metadata (contract_id, token_id, position, made) VALUES ('${idOf('nftMap')}', 99, 5, true)`,
    ]);
    const found = await differing();
    expect([...new Set(found.map(({ key }) => key[1]))].sort()).to.deep.equal(['0', '1', '2', '3', '99']);
    const fence = (): Promise<void> => Promise.resolve();
    await mendProjections({ database, fence, signal: new AbortController().signal }, found, []);
    expect(await differing()).to.deep.equal([]);
    expect((await rows()).filter(({ state }) => state === 'due')).to.have.length(4);
    await ask(asRecorded);
    expect(await dump()).to.deep.equal(whole);
  });

  it('come into a copy of an earlier version from its logs', async () => {
    await tamper(database, [
      'DELETE FROM token_metadata',
      `INSERT INTO backfills (projection, position) VALUES ('token-metadata', -1)`,
    ]);
    expect(await differing()).to.deep.equal([]);
    await fillAll(database);
    await decodeAll(database, node);
    expect(await dump()).to.deep.equal(whole);
    expect(await differencesIn(database)).to.deep.equal([]);
  });

  it('come into it part by part where it has many collections, also those of one transaction', async () => {
    const run = (statement: string): Promise<void> => database.transaction((tx) => tx.run(statement));
    const made = `SELECT 'ct_many' || i AS id, i / 3 + 1 AS position FROM generate_series(1, 170) AS i`;
    await run(`INSERT INTO tokens (contract_id, position, kind) SELECT m.id, m.position, 141 FROM (${made}) AS m`);
    await run(`
      INSERT INTO contract_logs (position, log_index, contract_id, topics, data)
      SELECT m.position, row_number() OVER (), m.id, ARRAY[${eventHash('Mint')}, 1, 7]::numeric[], 'cb_Xfbg4g==' FROM (${made}) AS m`);
    const all = (await dump()).length;
    expect(all).to.equal(whole.length + 170);
    await tamper(database, [
      `DELETE FROM token_metadata WHERE contract_id LIKE 'ct_many%'`,
      `INSERT INTO backfills (projection, position) VALUES ('token-metadata', -1)`,
    ]);
    await fillAll(database);
    expect(await differing()).to.deep.equal([]);
    expect(await dump()).to.have.length(all);
    await run(`DELETE FROM contract_logs WHERE contract_id LIKE 'ct_many%'`);
    await run(`DELETE FROM tokens WHERE contract_id LIKE 'ct_many%'`);
    expect(await dump()).to.deep.equal(whole);
  });

  it('are due after the event that made or changed a token last, in whatever order logs come and go', async () => {
    const { int, chance } = choices(7);
    const contract = encodeId('ct', new Uint8Array(32).fill(9));
    const events = {
      Mint: [1n, 'id'],
      TemplateMint: [1n, 1n, 'id'],
      MutableAttributesUpdate: ['id'],
      Transfer: [1n, 2n, 'id'],
      Burn: [1n, 'id'],
      Approval: [1n, 2n, 'id'],
    } as const;
    const names = Object.keys(events) as (keyof typeof events)[];
    const logs = new Map<string, { position: bigint; name: keyof typeof events; single: bigint }>();
    let kind = 0;

    const expected = (): unknown[] => {
      const singles = [...new Set([...logs.values()].map(({ single }) => single))];
      return singles
        .flatMap((single) => {
          const own = [...logs.values()].filter((log) => log.single === single);
          const of = (wanted: readonly string[]): bigint[] =>
            own.flatMap(({ name, position }) => (wanted.includes(name) ? [position] : []));
          const makings = of(['Mint', 'TemplateMint', 'MutableAttributesUpdate']).sort((a, b) => (a < b ? 1 : -1));
          const moves = of(['Transfer']).sort((a, b) => (a < b ? -1 : 1));
          const position = makings[0] ?? moves[0];
          return position === undefined || kind !== 141
            ? []
            : [{ single: String(single), position: String(position), made: makings.length > 0 }];
        })
        .sort((a, b) => Number(a.single) - Number(b.single));
    };

    const run = (statement: string): Promise<void> => database.transaction((tx) => tx.run(statement));
    await run(`INSERT INTO tokens (contract_id, position, kind) VALUES ('${contract}', 1, 0)`);
    for (let step = 0; step < 300; step++) {
      const position = microPosition(900, int(0, 2)) + BigInt(int(0, 3));
      const index = int(0, 1);
      const at = `position = ${position} AND log_index = ${index}`;
      const key = `${position} ${index}`;
      const name = names[int(0, names.length - 1)]!;
      const single = BigInt(int(0, 3));
      const topics = [eventHash(name), ...events[name].map((word) => (word === 'id' ? single : word))].join();
      if (chance(0.1)) {
        kind = kind === 141 ? 0 : 141;
        await run(`UPDATE tokens SET kind = ${kind} WHERE contract_id = '${contract}'`);
      } else if (!logs.has(key)) {
        logs.set(key, { position, name, single });
        await run(
          `INSERT INTO contract_logs (position, log_index, contract_id, topics, data)
           VALUES (${position}, ${index}, '${contract}', '{${topics}}', 'cb_Xfbg4g==')`,
        );
      } else if (chance(0.5)) {
        logs.set(key, { position, name, single });
        await run(`UPDATE contract_logs SET topics = '{${topics}}' WHERE ${at}`);
      } else {
        logs.delete(key);
        await run(`DELETE FROM contract_logs WHERE ${at}`);
      }
      const { rows: stored } = await database.query({
        name: 'test.due',
        text: 'SELECT token_id::text AS single, position::text AS position, made FROM token_metadata WHERE contract_id = $1 ORDER BY token_id',
        values: [contract],
      });
      expect(stored, `step ${step}`).to.deep.equal(expected());
    }
    await run(`DELETE FROM contract_logs WHERE contract_id = '${contract}'`);
    await run(`DELETE FROM tokens WHERE contract_id = '${contract}'`);
    expect(await dump()).to.deep.equal(whole);
  });
});
