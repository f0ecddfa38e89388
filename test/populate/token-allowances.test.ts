/** What accounts allow others to spend of tokens: what recorded tokens told of it, whatever happened to the copy; and tokens whose events are wrong. */
import { expect } from 'chai';
import { eventHash } from '../../src/chain/event-names.js';
import { keyPosition } from '../../src/chain/position.js';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import { accountOfWord } from '../../src/chain/encoding/words.js';
import type { ChainNode } from '../../src/node/client.js';
import type { DryCall, DryResult } from '../../src/node/dry-run.js';
import { createMetrics } from '../../src/observe/metrics.js';
import type { EnrichContext } from '../../src/populate/enrichments/enrichment.js';
import { enrich } from '../../src/populate/enrichments/groups.js';
import { queueOf } from '../../src/populate/enrichments/queue.js';
import { reportAllowances, tokenAllowances } from '../../src/populate/enrichments/token-allowances.js';
import { mendProjections } from '../../src/populate/mend-projections.js';
import type { Database } from '../../src/store/connection/database.js';
import type { Difference } from '../../src/store/facts/difference.js';
import { tokenAllowances as projection } from '../../src/store/projections/token-allowances.js';
import { truncate } from '../../src/store/write/truncate.js';
import { integer, option } from '../../devtools/devnode/generate/fate-values.js';
import { syncContext, syncFully } from '../support/copy.js';
import { decodeAll, enrichContext } from '../support/decoding.js';
import { askOnce, changed } from '../support/dry-runs.js';
import { logicalDump } from '../support/dump.js';
import { differencesIn, fillAll } from '../support/filled.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { recordedTokens } from '../support/recorded-tokens.js';
import { emptyCopy, tamper } from '../support/roles.js';

const OF = 'realnode-tokens';
const ALLOWANCE = eventHash('Allowance');

const idOf = (label: string): string => Object.entries(recordedTokens).find(([, token]) => token.label === label)![0];

interface Row {
  label: string;
  from_account: string;
  for_account: string;
  amount: string;
  state: string;
  told: string | null;
}

describe('the allowances of tokens', () => {
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

  const dump = async (): Promise<string[]> => (await logicalDump(database))['token_allowances']!;

  async function rows(): Promise<Row[]> {
    const { rows } = await database.query<
      Omit<Row, 'label' | 'from_account' | 'for_account'> & Record<'id' | 'owner' | 'spender', string>
    >({
      name: 'test.allowances',
      text: `
        SELECT contract_id AS id, owner::text AS owner, spender::text AS spender, amount::text AS amount, state, told::text AS told
        FROM token_allowances ORDER BY contract_id, owner, spender`,
    });
    return rows.map(({ id, owner, spender, ...row }) => ({
      label: recordedTokens[id]!.label,
      from_account: accountOfWord(owner),
      for_account: accountOfWord(spender),
      ...row,
    }));
  }

  const run = (...statements: string[]): Promise<void> => tamper(database, statements);

  const forget = (): Promise<void> =>
    run(`UPDATE token_allowances SET state = 'due', told = NULL, answer = NULL, attempts = 0, due_at = now()`);

  /** Asks once about all that is due. Returns the requests. */
  const ask = (
    change: (call: DryCall) => Partial<DryResult> | undefined = () => undefined,
    changes: Partial<EnrichContext> & { before?: () => Promise<void>; isSilent?: boolean } = {},
  ): ReturnType<typeof askOnce> => {
    const { before, isSilent, ...others } = changes;
    const answer = changed(node, change);
    return askOnce(
      { database, node },
      queueOf(tokenAllowances),
      async (block, calls) => {
        await before?.();
        return isSilent ? null : answer(block, calls);
      },
      others,
    );
  };

  const differing = async (): Promise<Difference[]> => {
    const found: Difference[] = [];
    for (const check of projection.wholeChecks!) found.push(...(await check(database)));
    return found;
  };

  it('are what recorded tokens tell at the end, and their events say the same', async () => {
    const expected = Object.values(recordedTokens).flatMap(({ label, allowances }) =>
      Object.values(allowances ?? []).map(([accounts, amount]) => ({ label, ...accounts, amount })),
    );
    expect(expected).to.have.length.above(4);
    const stored = await rows();
    for (const one of expected) expect(stored).to.deep.include({ ...one, state: 'ok', told: one.amount });
    // Of these nothing is recorded.
    const others = stored.filter(({ told, amount }) => told !== amount);
    expect([...new Set(others.map(({ label }) => label))]).to.deep.equal([]);
    expect(stored).to.have.length(expected.length);
    expect(await differencesIn(database)).to.deep.equal([]);
  });

  it('are asked for once after the last event, those of a micro block with one request, and counted', async () => {
    const metrics = createMetrics();
    expect(await ask()).to.deep.equal([]);
    await forget();
    const context = enrichContext(database, node, new AbortController().signal, { metrics });
    await reportAllowances(context)();
    const waiting = async (): Promise<number> => (await metrics.tokenAllowancesWaiting.get()).values[0]!.value;
    expect(await waiting()).to.equal(whole.length);
    const requests = await ask(undefined, { metrics });
    const blocks = requests.map(({ block }) => block);
    expect(new Set(blocks).size).to.equal(blocks.length);
    expect(requests.flatMap(({ calls }) => calls)).to.have.length(whole.length);
    await reportAllowances(context)();
    expect(await waiting()).to.equal(0);
    const { values } = await metrics.tokenAllowances.get();
    expect(values.find(({ labels }) => labels.outcome === 'ok')?.value).to.equal(whole.length);
    expect(await dump()).to.deep.equal(whole);
  });

  it('are those of the event before where a block goes, and come again with it', async () => {
    const { rows: places } = await database.query<{ height: string }>({
      name: 'test.allowance-heights',
      text: `SELECT DISTINCT position >> 33 AS height FROM contract_logs WHERE topics[1] = ${ALLOWANCE} ORDER BY 1 DESC`,
    });
    expect(places).to.have.length.above(1);
    let before = whole.length;
    for (const { height } of places) {
      await database.transaction((tx) => truncate(tx, keyPosition(Number(height))));
      expect(await differing(), height).to.deep.equal([]);
      const left = await rows();
      expect(left.length).to.be.at.most(before);
      before = left.length;
    }
    expect(before).to.equal(0);
    for (const height of [12, 20, 32, undefined]) {
      await syncFully(syncContext(database, recordedNode(height, OF)));
      await decodeAll(database, node);
      expect(await differing(), `${height}`).to.deep.equal([]);
    }
    expect(await dump()).to.deep.equal(whole);
  });

  it('follow events that come late, go, or are replaced', async () => {
    const id = idOf('tokenA');
    const event = (amount: number, position: string, index: number): string => `
      INSERT INTO contract_logs (position, log_index, contract_id, topics, data)
      SELECT ${position}, ${index}, '${id}', ARRAY[${ALLOWANCE}, 5, 6, ${amount}]::numeric[], 'cb_Xfbg4g=='`;
    const of = async (): Promise<string | undefined> =>
      (await rows()).find(({ from_account: from }) => from === accountOfWord('5'))?.amount;
    const last = '(SELECT max(position) FROM contract_logs)';
    const asHand = (statement: string): Promise<void> => database.transaction((tx) => tx.run(statement));
    await asHand(event(100, last, 1001));
    expect(await of()).to.equal('100');
    await asHand(event(50, '(SELECT min(position) FROM contract_logs)', 1001));
    expect(await of()).to.equal('100');
    await asHand(event(120, last, 1002));
    expect(await of()).to.equal('120');
    await asHand(`UPDATE contract_logs SET topics[4] = 130 WHERE log_index = 1002`);
    expect(await of()).to.equal('130');
    expect(await differing()).to.deep.equal([]);
    await asHand(`DELETE FROM contract_logs WHERE log_index = 1002`);
    expect(await of()).to.equal('100');
    await asHand(`DELETE FROM contract_logs WHERE log_index = 1001 AND topics[4] = 100`);
    expect(await of()).to.equal('50');
    expect(await differing()).to.deep.equal([]);
    await asHand(`DELETE FROM contract_logs WHERE log_index = 1001`);
    expect(await of()).to.equal(undefined);
    expect(await dump()).to.deep.equal(whole);
  });

  it('are not those of contracts that are no tokens of AEX-9, and come when one becomes known as one', async () => {
    const id = idOf('tokenA');
    await run(`UPDATE tokens SET kind = 141 WHERE contract_id = '${id}'`);
    expect((await rows()).filter(({ label }) => label === 'tokenA')).to.deep.equal([]);
    await run(`UPDATE tokens SET kind = 9 WHERE contract_id = '${id}'`);
    expect((await rows()).filter(({ label }) => label === 'tokenA')).to.have.length(2);
    expect(await differing()).to.deep.equal([]);
    await ask();
    expect(await dump()).to.deep.equal(whole);
  });

  it('are what the token tells where its events say something else', async () => {
    await forget();
    await ask(({ contract }) =>
      contract === idOf('tokenB') ? { value: encodeId('cb', option(integer(3n))) } : undefined,
    );
    const told = (await rows()).filter(({ label }) => label === 'tokenB');
    expect(told.map(({ told, amount }) => [told, amount === '3'])).to.deep.equal(told.map(() => ['3', false]));
    expect(await differing()).to.deep.equal([]);
  });

  it('are a state where the function is missing, aborts or returns something else', async () => {
    await forget();
    const wrong: Record<string, Partial<DryResult>> = {
      [idOf('tokenA')]: { type: 'error', value: 'cb_Xfbg4g==' },
      [idOf('childMade')]: { type: 'revert', value: 'cb_Xfbg4g==' },
      [idOf('tokenB')]: { value: encodeId('cb', integer(7n)) },
    };
    await ask(({ contract }) => wrong[contract]);
    const stored = await rows();
    const statesOf = (of: string): unknown[] => stored.filter(({ label }) => label === of).map(({ state }) => state);
    expect(['tokenA', 'childMade', 'tokenB'].map((of) => [...new Set(statesOf(of))])).to.deep.equal([
      ['failed'],
      ['failed'],
      ['malformed'],
    ]);
    expect(stored.every(({ told }) => told === null)).to.equal(true);
    expect(await ask()).to.deep.equal([]);
    expect(await differing()).to.deep.equal([]);
    await forget();
    await ask();
    expect(await dump()).to.deep.equal(whole);
  });

  it('are not stored if the block went meanwhile, and asked for later where no node has an answer', async () => {
    await forget();
    await ask(undefined, {
      before: () => run(`UPDATE micro_blocks SET hash = 'mh_other' || hash WHERE hash NOT LIKE 'mh_other%'`),
    });
    await run(`UPDATE micro_blocks SET hash = substr(hash, 9) WHERE hash LIKE 'mh_other%'`);
    expect((await rows()).every(({ state }) => state === 'due')).to.equal(true);
    await forget();
    await ask(undefined, { isSilent: true });
    expect((await rows()).every(({ state }) => state === 'due')).to.equal(true);
    expect(await ask()).to.deep.equal([]);
    await run('UPDATE token_allowances SET due_at = now()');
    await ask();
    expect(await dump()).to.deep.equal(whole);
  });

  it('are not asked for where dry runs are off', async () => {
    await forget();
    const stopping = new AbortController();
    let turns = 0;
    let asked = 0;
    const counted: ChainNode = {
      ...node,
      dryRun(block, calls) {
        asked += 1;
        return node.dryRun(block, calls);
      },
    };
    await enrich(enrichContext(database, counted, stopping.signal, { dryRuns: false }), () => {
      if (++turns === 3) stopping.abort();
      return Promise.resolve();
    });
    expect(asked).to.equal(0);
    await ask();
    expect(await dump()).to.deep.equal(whole);
  });

  it('are found changed by -v, and asked for again', async () => {
    const [first, second, third, fourth] = (
      await database.query<{ at: string }>({
        name: 'test.allowance-places',
        text: `
          SELECT format('contract_id = %L AND owner = %s AND spender = %s', contract_id, owner, spender) AS at
          FROM token_allowances ORDER BY contract_id, owner, spender`,
      })
    ).rows.map(({ at }) => at);
    await run(
      `UPDATE token_allowances SET told = told + 1 WHERE ${first}`,
      `UPDATE token_allowances SET state = 'failed' WHERE ${second}`,
      `UPDATE token_allowances SET amount = amount + 1 WHERE ${third}`,
      `DELETE FROM token_allowances WHERE ${fourth}`,
      `INSERT INTO token_allowances (contract_id, owner, spender, amount, position, log_index) VALUES ('${idOf('tokenA')}', 1, 2, 3, 4, 5)`,
    );
    const found = await differing();
    expect(new Set(found.map(({ key }) => key.join())).size).to.equal(5);
    const fence = (): Promise<void> => Promise.resolve();
    await mendProjections({ database, fence, signal: new AbortController().signal }, found, []);
    expect(await differing()).to.deep.equal([]);
    await ask();
    expect(await dump()).to.deep.equal(whole);
  });

  it('come into a copy of an earlier version from its logs', async () => {
    await run(
      'DELETE FROM token_allowances',
      `INSERT INTO backfills (projection, position) VALUES ('token-allowances', -1)`,
    );
    expect(await differing()).to.deep.equal([]);
    await fillAll(database);
    await decodeAll(database, node);
    expect(await dump()).to.deep.equal(whole);
    expect(await differencesIn(database)).to.deep.equal([]);
  });
});
