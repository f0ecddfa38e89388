import { expect } from 'chai';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import { keyPosition } from '../../src/chain/position.js';
import { createMetrics } from '../../src/observe/metrics.js';
import type { EnrichContext } from '../../src/populate/enrichments/enrichment.js';
import { reportTokens, tokenChecks } from '../../src/populate/enrichments/token-checks.js';
import { queueOf } from '../../src/populate/enrichments/queue.js';
import { mendProjections } from '../../src/populate/mend-projections.js';
import type { ChainNode } from '../../src/node/client.js';
import type { DryCall } from '../../src/node/dry-run.js';
import { functionId } from '../../src/chain/tokens/standard.js';
import { decodeId } from '../../src/chain/encoding/encoding.js';
import type { Database } from '../../src/store/connection/database.js';
import type { Difference } from '../../src/store/facts/difference.js';
import { tokens } from '../../src/store/projections/tokens.js';
import { dueTokenChecks, saveTokenChecks } from '../../src/store/token-checks.js';
import { truncate } from '../../src/store/write/truncate.js';
import { syncContext, syncFully } from '../support/copy.js';
import { decodeAll, enrichContext } from '../support/decoding.js';
import { logicalDump } from '../support/dump.js';
import { differencesIn } from '../support/filled.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { LIARS, recordedTokens, tokenStates } from '../support/recorded-tokens.js';
import type { TokenState } from '../support/recorded-tokens.js';
import { emptyCopy, tamper } from '../support/roles.js';

const OF = 'realnode-tokens';

interface Marked {
  label: string;
  invalid: string;
  supply: string;
  told: string;
  holders: string;
}

const idOf = (label: string): string => Object.entries(recordedTokens).find(([, token]) => token.label === label)![0];

const accountOf = (word: string): string =>
  encodeId('ak', Buffer.from(BigInt(word).toString(16).padStart(64, '0'), 'hex'));

/** The states of invalid tokens after the last block below a height. */
const toldBelow = (height: number): TokenState[] => [
  ...new Map(
    tokenStates
      .filter((state) => state.height < height && LIARS.includes(state.label))
      .map((state) => [state.token, state]),
  ).values(),
];

const nameOf = ({ callData }: DryCall): string => Buffer.from(decodeId(callData, 'cb').subarray(2, 6)).toString('hex');

/** A node with the recorded chain some of whose answers to calls are others. */
const nodeWith = (change: (node: ChainNode) => Partial<ChainNode>, top?: number): ChainNode => {
  const node = recordedNode(top, OF);
  return { ...node, ...change(node) };
};

/** One without the function that tells all balances, as if they needed too much gas. */
const withoutBalances = nodeWith((node) => ({
  async dryRun(block, calls) {
    const results = await node.dryRun(block, calls);
    return (
      results?.map((result, i) =>
        nameOf(calls[i]!) === functionId('balances') && calls.length === 2 ? { type: 'error', value: '' } : result,
      ) ?? null
    );
  },
}));

describe('tokens that are checked', () => {
  let server: TestDatabase;
  let database: Database;
  let whole: Record<string, string[]>;
  const node = recordedNode(undefined, OF);

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
    whole = await logicalDump(database);
  });
  after(async () => {
    await database.close();
    await server.drop();
  });

  /** Names of a copy without its newest heights are not those of the chain. */
  const differing = async () => (await differencesIn(database)).filter(({ table }) => table.startsWith('token'));

  async function marked(): Promise<Marked[]> {
    const { rows } = await database.query<Omit<Marked, 'label'> & { id: string }>({
      name: 'test.marked',
      text: `
        SELECT contract_id AS id, invalid, supply::text AS supply, told_supply::text AS told, holders::text AS holders
        FROM tokens WHERE invalid IS NOT NULL`,
    });
    return rows
      .map(({ id, ...row }) => ({ label: recordedTokens[id]?.label ?? id, ...row }))
      .sort((a, b) => (a.label < b.label ? -1 : 1));
  }

  async function amounts(label: string): Promise<Record<string, string>> {
    const { rows } = await database.query<{ account: string; amount: string }>({
      name: 'test.amounts',
      text: `SELECT account::text AS account, amount::text AS amount FROM token_balances WHERE contract_id = $1 AND amount <> 0`,
      values: [idOf(label)],
    });
    return Object.fromEntries(rows.map(({ account, amount }) => [accountOf(account), amount]));
  }

  async function expectTold(height: number): Promise<void> {
    for (const { label, balances } of toldBelow(height))
      expect(await amounts(label), `${label} ${height}`).to.deep.equal(balances);
  }

  /** Forgets all checks, as if none had been made. */
  const forget = (): Promise<void> =>
    tamper(database, [`SELECT take_back_checks(ARRAY(SELECT contract_id FROM tokens WHERE kind > 0))`]);

  /** Checks what is due once. Returns the number of requests. */
  async function check(asked: ChainNode, changes: Partial<EnrichContext> = {}): Promise<number> {
    let requests = 0;
    const counting: ChainNode = {
      ...asked,
      dryRun: (block, calls) => {
        requests++;
        return asked.dryRun(block, calls);
      },
    };
    const queue = queueOf(tokenChecks)(
      enrichContext(database, counting, new AbortController().signal, { metrics: changes.metrics ?? createMetrics() }),
    );
    while (await queue.step());
    await queue.idle();
    return requests;
  }

  it('are marked where their events do not tell what they hold, and hold what they told; the others are not', async () => {
    expect(await marked()).to.deep.equal([
      { label: 'liar', invalid: 'balances', supply: '1000054', told: '1000054', holders: '6' },
      { label: 'noMeta', invalid: 'balances', supply: '9', told: '5', holders: '2' },
    ]);
    await expectTold(1_000);
    expect(await differing()).to.deep.equal([]);
  });

  it('are counted by what is known of them, and so are checks by what came of them', async () => {
    const metrics = createMetrics();
    await forget();
    const stopping = new AbortController();
    const context = enrichContext(database, node, stopping.signal, { metrics });
    const counts = async (): Promise<Record<string, number>> => {
      await reportTokens(context)();
      const { values } = await metrics.tokens.get();
      return Object.fromEntries(values.map(({ labels, value }) => [String(labels['state']), value]));
    };
    const before = await counts();
    expect(before).to.include({ code: 0, name: 0, checked: 0, invalid: 0 });
    await check(node, context);
    const checked = before['first_check']! - LIARS.length;
    expect(await counts()).to.deep.equal({ ...before, first_check: 0, checked, invalid: LIARS.length });
    expect(before['refused']).to.be.above(0);
    const { values } = await metrics.tokenChecks.get();
    // Of one nothing is recorded.
    expect(Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]))).to.deep.equal({
      same: checked - 1,
      different: LIARS.length,
      told: 0,
      unanswered: 1,
    });
  });

  it('match only when they answered: not when they told nothing, and not when the node could not tell', async () => {
    const matched = async (of = 'true'): Promise<number> => {
      const { rows } = await database.query<{ count: string }>({
        name: `test.matched-${of}`,
        text: `SELECT count(*) FROM tokens WHERE matched AND ${of}`,
      });
      return Number(rows[0]!.count);
    };
    await forget();
    await tamper(database, 'UPDATE tokens SET matched = false');
    await check(nodeWith(() => ({ dryRun: () => Promise.resolve(null) })));
    expect(await matched()).to.equal(0);
    await forget();
    await check(
      nodeWith((of) => ({
        async dryRun(block, calls) {
          const results = await of.dryRun(block, calls);
          const isAmount = (call: DryCall): boolean =>
            ['balances', 'balance', 'owner'].some((name) => nameOf(call) === functionId(name));
          return results?.map((result, i) => (isAmount(calls[i]!) ? { type: 'error', value: '' } : result)) ?? null;
        },
      })),
    );
    expect(await matched('kind = 9')).to.equal(0);
    await forget();
    const metrics = createMetrics();
    await check(node, { metrics });
    const { values } = await metrics.tokenChecks.get();
    expect(await matched()).to.equal(values.find(({ labels }) => labels.outcome === 'same')?.value);
  });

  it('are asked once for each block, with one request each', async () => {
    expect(await check(node)).to.equal(0);
    await forget();
    const { rows } = await database.query<{ count: string }>({
      name: 'test.count',
      text: 'SELECT count(*) FROM tokens AS t WHERE kind > 0 AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed)',
    });
    expect(await check(node)).to.equal(Number(rows[0]!.count));
    expect(await logicalDump(database)).to.deep.equal(whole);
  });

  it('lose the mark with the block of the check, and get it again; what they emit later does not count', async () => {
    await database.transaction((tx) => truncate(tx, keyPosition(100)));
    expect(await marked()).to.deep.equal([]);
    expect(await differing()).to.deep.equal([]);
    expect(Object.values(await amounts('liar')).some((amount) => amount.startsWith('-'))).to.equal(true);
    for (const height of [19, 20, 21]) {
      await database.transaction((tx) => truncate(tx, keyPosition(19)));
      await syncFully(syncContext(database, recordedNode(height, OF)));
      await decodeAll(database, node);
      await expectTold(height + 1);
      expect(await differing()).to.deep.equal([]);
    }
    // Of the next blocks the logs are read alone: nobody asks the tokens.
    await syncFully(syncContext(database, recordedNode(24, OF)));
    await decodeAll(
      database,
      nodeWith(() => ({ dryRun: () => Promise.resolve(null) })),
    );
    await expectTold(22);
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
    expect(await logicalDump(database)).to.deep.equal(whole);
  });

  it('are found by some of their accounts where they do not tell all at once, and hold what is known of the others', async () => {
    await forget();
    await check(withoutBalances);
    // The other one has an account that no event names, and its supply is that of its events.
    expect(await marked()).to.have.length(1);
    const last = toldBelow(1_000).find(({ label }) => label === 'liar')!;
    const shown = Object.entries(await amounts('liar'));
    expect(shown).to.have.length.above(2);
    for (const [account, amount] of shown) expect(amount).to.equal(last.balances![account]);
    expect(await differing()).to.deep.equal([]);
    await forget();
    await check(node);
    expect(await logicalDump(database)).to.deep.equal(whole);
  });

  it('are marked where a single token has another owner, or the supply is another one', async () => {
    await forget();
    const other = idOf('nft2');
    await check(
      nodeWith((honest) => ({
        async dryRun(block, calls) {
          const results = await honest.dryRun(block, calls);
          const owners = results?.filter((_, i) => nameOf(calls[i]!) === functionId('owner')).reverse();
          return (
            results?.map((result, i) =>
              calls[i]!.contract === other && nameOf(calls[i]!) === functionId('owner')
                ? owners!.shift()!
                : calls[i]!.contract === idOf('plain0') && nameOf(calls[i]!) === functionId('total_supply')
                  ? results[1]!
                  : result,
            ) ?? null
          );
        },
      })),
    );
    expect((await marked()).map(({ label, invalid }) => [label, invalid])).to.deep.include(['nft2', 'owners']);
    await forget();
    await check(node);
    expect(await logicalDump(database)).to.deep.equal(whole);
  });

  it('are found in the end if they lie about one of many accounts or single tokens, wherever its key is', async () => {
    const count = 100;
    // All but one are close to one another, so that hardly a random place would be among them.
    const far = 2n ** 256n - 1n;
    const keys = [...Array.from({ length: count }, (_, i) => BigInt(i + 1)), far];
    const rows = keys.map((key) => `(${key})`).join();
    const [token, collection] = [idOf('plain0'), idOf('nft2')];
    await tamper(database, [
      `INSERT INTO token_balances (contract_id, account, amount, events) SELECT '${token}', k.key, 5, 0 FROM (VALUES ${rows}) AS k (key)`,
      `INSERT INTO token_owners (contract_id, token_id, owner, position, log_index)
        SELECT '${collection}', k.key + 1000, k.key, 1, 0 FROM (VALUES ${rows}) AS k (key) WHERE k.key < 1000`,
    ]);
    try {
      for (const id of [token, collection]) {
        const { rows: known } = await database.query<{ key: string; value: string }>({
          name: 'test.held',
          text: `
            SELECT account::text AS key, amount::text AS value FROM token_balances WHERE contract_id = $1 AND $1 = '${token}'
            UNION ALL SELECT token_id::text, owner::text FROM token_owners WHERE contract_id = $1 AND owner IS NOT NULL AND $1 = '${collection}'`,
          values: [id],
        });
        const truth = new Map(known.map(({ key, value }) => [BigInt(key), BigInt(value)]));
        const lie = id === token ? 57n : 1_057n;
        const rounds = Math.ceil(truth.size / 20);
        const asked = new Set<bigint>();
        const answer = async (told: ReadonlyMap<bigint, bigint>): Promise<void> => {
          await tamper(database, ['UPDATE tokens SET due_at = now()']);
          const due = (await dueTokenChecks(database, 1_000)).find(({ contractId }) => contractId === id)!;
          for (const key of due.sample) asked.add(key);
          const some = new Map(due.sample.map((key) => [key, told.get(key)!]));
          const none = new Map<bigint, bigint>();
          const told9 = due.kind === 9 ? { balances: some, owners: none } : { balances: none, owners: some };
          await database.transaction((tx) => saveTokenChecks(tx, [{ ...due, ...told9, supply: null, isWhole: false }]));
        };
        const isMarked = async () => (await marked()).some(({ label }) => label === recordedTokens[id]!.label);
        for (let round = 0; round < rounds; round++) await answer(truth);
        expect([...asked].sort()).to.deep.equal([...truth.keys()].sort());
        expect(await isMarked()).to.equal(false);
        const lying = new Map([...truth, [lie, 7n]]);
        for (let round = 0; round < rounds && !(await isMarked()); round++) await answer(lying);
        expect(await isMarked()).to.equal(true);
      }
    } finally {
      await tamper(database, [
        `SELECT take_back_checks(ARRAY(SELECT contract_id FROM tokens WHERE kind > 0))`,
        `DELETE FROM token_balances WHERE contract_id = '${token}' AND events = 0 AND base IS NULL`,
        `DELETE FROM token_owners WHERE contract_id = '${collection}' AND token_id BETWEEN 1000 AND 2000`,
      ]);
    }
    await check(node);
    expect(await logicalDump(database)).to.deep.equal(whole);
  });

  it('are not checked while an event may be missing, and not at a block that is gone when they answer', async () => {
    await forget();
    await tamper(database, [
      `INSERT INTO due_infos (position, due_at) SELECT min(position), 'infinity' FROM transactions`,
    ]);
    expect(await check(node)).to.equal(0);
    await tamper(database, ['DELETE FROM due_infos']);
    const replaced = nodeWith((honest) => ({
      async dryRun(block, calls) {
        await tamper(database, [
          `INSERT INTO due_infos (position, due_at) SELECT min(position), 'infinity' FROM transactions ON CONFLICT DO NOTHING`,
        ]);
        return honest.dryRun(block, calls);
      },
    }));
    await check(replaced);
    expect(await marked()).to.deep.equal([]);
    await tamper(database, ['DELETE FROM due_infos']);
    await forget();
    await check(node);
    expect(await logicalDump(database)).to.deep.equal(whole);
  });

  it('are checked again where an event below the check comes later', async () => {
    await tamper(database, [
      `UPDATE contract_logs SET data = data WHERE contract_id = '${idOf('liar')}' AND log_index = 0`,
    ]);
    expect((await marked()).map(({ label }) => label)).to.deep.equal(['noMeta']);
    expect(await differing()).to.deep.equal([]);
    await check(node);
    expect(await logicalDump(database)).to.deep.equal(whole);
  });

  it('are checked again where what they told was changed by hand', async () => {
    for (const change of [
      'UPDATE token_balances SET told = told + 1 WHERE told = 999856',
      'UPDATE token_balances SET told = told + 1, amount = amount + 1 WHERE told = 999856',
      'UPDATE token_balances SET told = NULL WHERE told = 999856',
      `UPDATE tokens SET invalid = 'supply' WHERE invalid IS NOT NULL`,
      `UPDATE tokens SET invalid = NULL WHERE invalid IS NOT NULL`,
      'UPDATE tokens SET told_supply = told_supply + 1 WHERE invalid IS NOT NULL',
      'UPDATE tokens SET told_position = told_position + 1 WHERE invalid IS NOT NULL',
      `UPDATE tokens SET told_block = 'mh_x' WHERE invalid IS NOT NULL`,
      `UPDATE tokens SET told_sum = NULL WHERE invalid IS NOT NULL`,
      `UPDATE tokens SET invalid = 'balances' WHERE contract_id = '${idOf('plain0')}'`,
    ]) {
      await tamper(database, [change]);
      const found: Difference[] = [];
      for (const each of tokens.wholeChecks!) found.push(...(await each(database)));
      expect(found, change).to.have.length.above(0);
      const fence = (): Promise<void> => Promise.resolve();
      await mendProjections({ database, fence, signal: new AbortController().signal }, found, []);
      expect(await differing(), change).to.deep.equal([]);
      await check(node);
      expect(await logicalDump(database), change).to.deep.equal(whole);
    }
  });
});
