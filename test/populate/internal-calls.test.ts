/** What contracts did inside calls: the recorded payments of every call, whatever happened to the copy, and no row where a node tells something else. */
import { expect } from 'chai';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { integer } from '../../src/chain/facts.js';
import { feeGas } from '../../src/chain/gas.js';
import { heightOf, keyPosition } from '../../src/chain/position.js';
import type { Replay } from '../../src/chain/replays.js';
import type { ChainNode } from '../../src/node/client.js';
import { nodeFault } from '../../src/node/faults.js';
import { createMetrics } from '../../src/observe/metrics.js';
import { enrich } from '../../src/populate/enrichments/groups.js';
import { reportReplays } from '../../src/populate/enrichments/internal-calls.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { mendProjections } from '../../src/populate/mend-projections.js';
import type { Database } from '../../src/store/connection/database.js';
import type { Difference } from '../../src/store/facts/difference.js';
import { internalCalls as projection } from '../../src/store/projections/internal-calls.js';
import { truncate } from '../../src/store/write/truncate.js';
import { syncContext, syncFully } from '../support/copy.js';
import { decodeAll, enrichContext } from '../support/decoding.js';
import { differencesIn } from '../support/filled.js';
import { bodyOf, reply, startServer } from '../support/http-server.js';
import { populateInto, startPopulating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { CREATING, recordedBlocks, recordedReplay } from '../support/recorded-replay.js';
import { replayServer } from '../support/replay-server.js';
import { keepPayments, lying, nothingToReplay, replayAll } from '../support/replays.js';
import { emptyCopy, openCopy, tamper } from '../support/roles.js';

const OF = 'realnode-tokens';
/** A call with five payments: spend, coins sent along, spend, spend of the called contract, spend. */
const FIVE = 'th_tm3h6dt7i5z';
const WRAPPED = 'th_nubstQYi81f';
const AUTHENTICATED = 'th_26ruS4rw9QS';
/** A call whose payments come back. */
const ROUND_TRIP = 'th_B2m8ETPzQ7j';

/** Of a request. */
const MAX_GAS = 6_000_000n;

interface Row {
  hash: string;
  index: number;
  function: string;
  contract: string;
  tx: JsonObject;
}

/** What follows from the recorded answers alone. */
function expectedRows(): { rows: Row[]; states: Record<string, string> } {
  const rows: Row[] = [];
  const states: Record<string, string> = {};
  for (const { height, version, transactions } of recordedBlocks().values()) {
    let fails = false;
    let gas = 0n;
    for (const { transaction, inner, call, events } of transactions) {
      const { hash, type, tx } = transaction;
      if (inner === undefined) gas += feeGas(tx, height, version) + (integer(tx['gas']) ?? 0n);
      // From there on each request for the block has the transaction at which the node fails.
      fails ||= CREATING.includes(hash);
      if (call?.['return_type'] !== 'ok' || type === 'ChannelForceProgressTx') continue;
      if (gas > MAX_GAS) states[hash] = 'too_much_gas';
      else if (fails) states[hash] = 'refused';
      else if (type === 'GAMetaTx') states[hash] = 'unsupported';
      else
        for (const [index, { key, info }] of events.entries())
          rows.push({
            ...{ hash, index, function: key, contract: call['contract_id'] as string },
            tx: parseExact(stringifyExact({ type: TYPES[key]!, ...info })) as JsonObject,
          });
    }
  }
  return { rows, states };
}

const TYPES: Readonly<Record<string, string>> = {
  'Chain.spend': 'SpendTx',
  'Call.amount': 'SpendTx',
  'AENS.preclaim': 'NamePreclaimTx',
  'AENS.claim': 'NameClaimTx',
  'AENS.update': 'NameUpdateTx',
  'Oracle.register': 'OracleRegisterTx',
  'Oracle.query': 'OracleQueryTx',
};

describe('what contracts did inside calls', () => {
  let server: TestDatabase;
  let database: Database;
  let whole: { rows: Row[]; states: Record<string, string> };
  const node = recordedNode(undefined, OF);
  const expected = expectedRows();

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
    await keepPayments(database);
  });
  beforeEach(async () => {
    await forget();
    await replayAll(database, node);
    whole = await stored();
  });
  after(async () => {
    await database.close();
    await server.drop();
  });

  /** As a copy in which no replay was asked for. */
  const forget = (): Promise<void> =>
    tamper(
      database,
      ['internal_calls', 'internal_call_parties', 'call_replays', 'call_replay_progress'].map(
        (table) => `DELETE FROM ${table}`,
      ),
    );

  const dueNow = (): Promise<void> => tamper(database, [`UPDATE call_replays SET due_at = now(), attempts = 0`]);

  async function stored(): Promise<typeof whole> {
    const { rows } = await database.query<Omit<Row, 'tx'> & { tx: string }>({
      name: 'test.internal-calls',
      text: `
        SELECT t.hash, c.index, c.function, c.contract_id AS contract, c.tx
        FROM internal_calls AS c JOIN transactions AS t ON t.position = c.position ORDER BY c.position, c.index`,
    });
    const { rows: queue } = await database.query<{ hash: string; state: string }>({
      name: 'test.queue',
      text: 'SELECT t.hash, r.state FROM call_replays AS r JOIN transactions AS t ON t.position = r.position ORDER BY r.position',
    });
    return {
      rows: rows.map((row) => ({ ...row, tx: parseExact(row.tx) as JsonObject })),
      states: Object.fromEntries(queue.map(({ hash, state }) => [hash, state])),
    };
  }

  const differing = async (): Promise<Difference[]> => {
    const found: Difference[] = [];
    for (const check of projection.wholeChecks!) found.push(...(await check(database)));
    return found;
  };

  const rowsOf = (of: string, all: readonly Row[]): Row[] => all.filter(({ hash }) => hash.startsWith(of));
  const stateOf = (of: string, { states }: typeof whole): string | undefined =>
    Object.entries(states).find(([hash]) => hash.startsWith(of))?.[1];

  const positionOf = async (of: string): Promise<bigint> => {
    const { rows } = await database.query<{ position: string }>({
      name: 'test.position',
      text: 'SELECT position FROM transactions WHERE hash LIKE $1',
      values: [`${of}%`],
    });
    return BigInt(rows[0]!.position);
  };

  /** Asks again about everything, of a node that answers otherwise. */
  async function askAgain(asked: ChainNode): Promise<typeof whole> {
    await forget();
    await replayAll(database, asked);
    return stored();
  }

  it('are the recorded payments of every call, and why others have none', async () => {
    expect(expected.rows.length).to.be.above(50);
    expect(new Set(expected.rows.map(({ function: name }) => name)).size).to.equal(Object.keys(TYPES).length);
    expect(whole.rows).to.deep.equal(expected.rows);
    expect(whole.states).to.deep.equal(expected.states);
    expect(rowsOf(FIVE, whole.rows).map(({ tx }) => tx['type'])).to.deep.equal(Array(5).fill('SpendTx'));
    expect(rowsOf(WRAPPED, whole.rows)).to.have.length(1);
    expect(new Set(Object.values(whole.states))).to.deep.equal(new Set(['refused', 'too_much_gas', 'unsupported']));
    expect(await differencesIn(database)).to.deep.equal([]);
  });

  it('are asked for once, and counted', async () => {
    const metrics = createMetrics();
    const requests: Replay[] = [];
    const counted: ChainNode = {
      ...node,
      replay(block, replay) {
        requests.push(replay);
        return node.replay(block, replay);
      },
    };
    await replayAll(database, counted);
    expect(requests).to.deep.equal([]);
    await forget();
    await replayAll(database, counted, { metrics });
    const { values } = await metrics.replays.get();
    const counts = Object.fromEntries(
      values.map(({ labels, value }): [string, number] => [String(labels.outcome), value]),
    );
    const [refused, unsupported, tooMuch] = ['refused', 'unsupported', 'too_much_gas'].map(
      (state) => Object.values(expected.states).filter((one) => one === state).length,
    );
    expect(counts).to.deep.include({ refused, unsupported, too_much_gas: tooMuch, differs: 0, unanswered: 0 });
    expect(counts['ok']! + refused! + unsupported!).to.equal(requests.length);
    await reportReplays(enrichContext(database, node, new AbortController().signal, { metrics }))();
    const waiting = (await metrics.replaysWaiting.get()).values.map(({ labels, value }) => [labels.state, value]);
    expect(Object.fromEntries(waiting)).to.deep.equal({
      ...{ due: 0, differs: 0, refused, no_state: 0, too_much_gas: tooMuch, unsupported },
    });
  });

  it('are not stored where the replay ends otherwise than the call', async () => {
    const lies: Record<string, (call: JsonObject) => JsonObject> = {
      'another value': (call) => ({ ...call, return_value: 'cb_P4fvHVw=' }),
      'another result': (call) => ({ ...call, return_type: 'revert' }),
      'other gas': (call) => ({ ...call, gas_used: Number(call['gas_used']) + 1 }),
      'another log': (call) => ({
        ...call,
        log: [{ address: call['contract_id']!, topics: [1], data: 'cb_Xfbg4g==' }],
      }),
    };
    for (const [lie, change] of Object.entries(lies)) {
      const found = await askAgain(
        lying(node, ({ hash, call, events }) => ({ events, call: hash.startsWith(FIVE) ? change(call!) : call })),
      );
      expect(stateOf(FIVE, found), lie).to.equal('differs');
      expect(found.rows, lie).to.deep.equal(expected.rows.filter(({ hash }) => !hash.startsWith(FIVE)));
    }
  });

  it('are not stored if events of a call are in another order', async () => {
    const several = [...recordedBlocks().values()]
      .flatMap(({ transactions }) => transactions)
      .find(({ transaction, call }) => {
        const log = call?.['log'];
        return (
          Array.isArray(log) &&
          log.length > 1 &&
          expected.states[transaction.hash] === undefined &&
          transaction.type === 'ContractCallTx'
        );
      })!;
    const { hash } = several.transaction;
    const found = await askAgain(
      lying(node, (last) =>
        last.hash === hash
          ? { ...last, call: { ...last.call!, log: [...(last.call!['log'] as JsonObject[])].reverse() } }
          : last,
      ),
    );
    expect(found.states[hash]).to.equal('differs');
  });

  it('are not stored where the payments are not those of which the node says that they changed balances', async () => {
    const [first, second] = rowsOf(FIVE, expected.rows).map(({ function: key, tx: { type: _, ...info } }) => ({
      key,
      info,
    }));
    const rest = rowsOf(FIVE, expected.rows)
      .slice(2)
      .map(({ function: key, tx: { type: _, ...info } }) => ({ key, info }));
    const lies = {
      'an amount is another': [{ ...first!, info: { ...first!.info, amount: 1 } }, second!, ...rest],
      'one is missing': [second!, ...rest],
      'one is there twice': [first!, first!, second!, ...rest],
      'two are swapped': [second!, first!, ...rest],
      'another one is paid': [
        { ...first!, info: { ...first!.info, recipient_id: encodeId('ak', new Uint8Array(32)) } },
        second!,
        ...rest,
      ],
      none: [],
    };
    for (const [lie, events] of Object.entries(lies)) {
      const found = await askAgain(lying(node, (last) => (last.hash.startsWith(FIVE) ? { ...last, events } : last)));
      expect(stateOf(FIVE, found), lie).to.equal('differs');
      expect(rowsOf(FIVE, found.rows), lie).to.deep.equal([]);
    }
    // Of a call without payments the node's list keeps nothing.
    const plain = [...recordedBlocks().values()]
      .flatMap(({ transactions }) => transactions)
      .find(
        ({ transaction, call, events }) =>
          call?.['return_type'] === 'ok' && transaction.type === 'ContractCallTx' && events.length === 0,
      )!;
    const { hash } = plain.transaction;
    const found = await askAgain(lying(node, (last) => (last.hash === hash ? { ...last, events: [first!] } : last)));
    expect(found.states[hash]).to.equal('differs');
  });

  it('that come back to where they came from are kept', () => {
    expect(rowsOf(ROUND_TRIP, whole.rows)).to.have.length(2);
  });

  it('have a state of their own where a node refuses the replay, and keep nothing from the others', async () => {
    for (const refusal of ['refused', 'no_state', 'too_much_gas'] as const) {
      const five = await positionOf(FIVE);
      const block = await prevHashOf(five);
      const found = await askAgain({
        ...node,
        replay: (at, replay) => (at === block ? Promise.resolve(refusal) : node.replay(at, replay)),
      });
      expect(stateOf(FIVE, found)).to.equal(refusal);
      expect(rowsOf('th_2EUFJCt7zib', found.rows)).to.have.length(1);
      await replayAll(database, node);
      expect(stateOf(FIVE, await stored())).to.equal(refusal);
    }
  });

  it('of which a release does not know the function are no rows', async () => {
    const found = await askAgain(
      lying(node, (last) =>
        last.hash.startsWith(FIVE) ? { ...last, events: [...last.events, { key: 'Chain.new', info: {} }] } : last,
      ),
    );
    expect(stateOf(FIVE, found)).to.equal('unsupported');
    expect(rowsOf(FIVE, found.rows)).to.deep.equal([]);
  });

  it('are asked for again, without end, where a node is away or busy or has no answer', async () => {
    const faults: (() => Promise<null>)[] = [
      () => Promise.reject(nodeFault('node_unreachable', 'away')),
      () => Promise.reject(nodeFault('node_busy', 'busy')),
      () => Promise.reject(nodeFault('node_timeout', 'slow')),
      () => Promise.resolve(null),
    ];
    await forget();
    for (const fault of faults) {
      await replayAll(database, { ...node, replay: fault });
      const left = new Set(Object.values((await stored()).states));
      expect([...left]).to.include('due');
      expect(['due', 'too_much_gas']).to.include.members([...left]);
      await tamper(database, ['UPDATE call_replays SET due_at = now(), attempts = 1000']);
    }
    await replayAll(database, node);
    expect(await stored()).to.deep.equal(expected);
  });

  it('are asked for with the transactions before them in their micro block, without those of which a dry run knows nothing', async () => {
    const asked = new Map<string, Replay[]>();
    await askAgain({
      ...node,
      replay(block, replay) {
        asked.set(block, [...(asked.get(block) ?? []), replay]);
        return node.replay(block, replay);
      },
    });
    let several = 0;
    for (const [block, replays] of asked) {
      const { transactions } = recordedBlocks().get(block)!;
      for (const { transactions: texts } of replays) {
        const at = transactions.findIndex(({ text, inner }) => [text, inner?.text].includes(texts.at(-1)));
        const before = transactions.slice(0, at).filter(({ inner }) => inner === undefined);
        expect(texts.slice(0, -1)).to.deep.equal(before.map(({ text }) => text));
        if (texts.length > 2) several += 1;
      }
    }
    expect(several).to.be.above(5);
  });

  it('follow reorgs: what is gone is forgotten, what comes is asked for', async () => {
    for (const height of [36, 38, 85, 190]) {
      await database.transaction((tx) => truncate(tx, keyPosition(height)));
      const { rows } = await stored();
      expect(rows).to.deep.equal(expected.rows.slice(0, rows.length));
      const { rows: left } = await database.query<{ position: string; progress: string }>({
        name: 'test.progress',
        text: `
          SELECT GREATEST((SELECT max(position) FROM internal_calls), (SELECT max(position) FROM call_replays)) AS position,
            (SELECT position FROM call_replay_progress) AS progress`,
      });
      expect(heightOf(BigInt(left[0]!.position))).to.be.below(height);
      expect(BigInt(left[0]!.progress)).to.equal(keyPosition(height) - 1n);
      expect(await differing()).to.deep.equal([]);
      await syncFully(syncContext(database, node));
      await decodeAll(database, node);
      await tamper(database, ['DELETE FROM node_money']);
      await keepPayments(database);
      await replayAll(database, node);
      expect(await stored()).to.deep.equal(expected);
      expect(await differing()).to.deep.equal([]);
    }
  });

  it('are not stored if the block went while the node was asked', async () => {
    await forget();
    await replayAll(
      database,
      {
        ...node,
        async replay(block, replay) {
          await tamper(database, [`UPDATE micro_blocks SET hash = 'mh_other' || hash WHERE hash NOT LIKE 'mh_other%'`]);
          return node.replay(block, replay);
        },
      },
      { steps: 1 },
    );
    expect((await stored()).rows).to.deep.equal([]);
    await tamper(database, [`UPDATE micro_blocks SET hash = substr(hash, 9) WHERE hash LIKE 'mh_other%'`]);
    await replayAll(database, node);
    expect(await stored()).to.deep.equal(expected);
  });

  it('are the same after an end between any two batches', async () => {
    await forget();
    for (let i = 0; i < 20; i++) await replayAll(database, node, { steps: 1 });
    expect(await stored()).to.deep.equal(expected);
  });

  it('wait for call information that is still to be read, and come when it came later', async () => {
    const five = await positionOf(FIVE);
    await forget();
    await tamper(database, [`INSERT INTO due_infos (position, due_at) VALUES (${five}, 'infinity')`]);
    await replayAll(database, node);
    const waiting = await stored();
    expect(waiting.rows.length).to.be.within(1, expected.rows.length - 5);
    expect(rowsOf(FIVE, waiting.rows)).to.deep.equal([]);
    await tamper(database, [`DELETE FROM due_infos`]);
    await replayAll(database, node);
    expect(await stored()).to.deep.equal(expected);
    // A node that had it later than the calls after it.
    await forget();
    await tamper(database, [
      `DELETE FROM infos WHERE position = ${five}`,
      `INSERT INTO unknown_infos (position, due_at) VALUES (${five}, now())`,
    ]);
    await replayAll(database, node);
    expect((await stored()).rows).to.deep.equal(expected.rows.filter(({ hash }) => !hash.startsWith(FIVE)));
    await tamper(database, [
      'DELETE FROM unknown_infos',
      `INSERT INTO due_infos (position, due_at) VALUES (${five}, now())`,
    ]);
    await decodeAll(database, node);
    await replayAll(database, node);
    expect(await stored()).to.deep.equal(expected);
  });

  it('are asked for again when a height is stored again', async () => {
    const heights = [{ from: 36, to: 38 }];
    const rows = (await stored()).rows;
    expect((await replaceHeights({ database, node, heights })).failed).to.deep.equal([]);
    expect((await stored()).rows).to.deep.equal(rows);
    await decodeAll(database, node);
    await dueNow();
    await replayAll(database, node);
    expect(await stored()).to.deep.equal(expected);
    expect(await differing()).to.deep.equal([]);
  });

  it('go with the blocks of heights that are replaced, and come again with the others, whatever is above', async () => {
    for (const { from, to } of [
      { from: 36, to: 38 },
      { from: 134, to: 150 },
    ]) {
      const range = `position >> 33 BETWEEN ${from} AND ${to}`;
      // As if other blocks had been stored there.
      await tamper(database, [`UPDATE micro_blocks SET body = body || ' ' WHERE ${range}`]);
      const { rows } = await database.query<{ hash: string }>({
        name: 'test.replaced',
        text: 'SELECT hash FROM transactions WHERE position >> 33 BETWEEN $1 AND $2',
        values: [from, to],
      });
      const replaced = rows.map(({ hash }) => hash);
      expect((await replaceHeights({ database, node, heights: [{ from, to }] })).failed).to.deep.equal([]);
      const left = await stored();
      expect(left.rows).to.deep.equal(expected.rows.filter(({ hash }) => !replaced.includes(hash)));
      expect(expected.rows.length - left.rows.length).to.be.above(0);
      expect(await differing()).to.deep.equal([]);
      await decodeAll(database, node);
      await replayAll(database, node);
      expect(await stored()).to.deep.equal(expected);
    }
    await tamper(database, ['DELETE FROM node_money']);
    await keepPayments(database);
  });

  it('are found changed by -v, and asked for again', async () => {
    const five = await positionOf(FIVE);
    const changes = [
      `UPDATE internal_calls SET tx = replace(tx, '"fee":0', '"fee":1') WHERE position = ${five} AND index = 1`,
      `UPDATE internal_calls SET function = 'Chain.spent' WHERE position = ${five} AND index = 4`,
      `UPDATE internal_calls SET contract_id = contract_id || 'x' WHERE position = ${five} AND index = 0`,
      `UPDATE internal_calls SET answer = answer || 'x' WHERE position = ${five} AND index = 0`,
      `UPDATE internal_calls SET index = 5 WHERE position = ${five} AND index = 4`,
      `UPDATE internal_calls SET position = position + 1000003 WHERE position = ${five} AND index = 4`,
      `DELETE FROM internal_calls WHERE position = ${five} AND index = 4`,
      `DELETE FROM internal_calls WHERE position = ${five}`,
      `DELETE FROM internal_call_parties WHERE position = ${five} AND index = 2`,
      `UPDATE internal_call_parties SET id = id || 'x' WHERE position = ${five} AND index = 2`,
      `UPDATE internal_call_parties SET index = 9 WHERE position = ${five} AND index = 2`,
    ];
    const fence = (): Promise<void> => Promise.resolve();
    for (const change of changes) {
      await tamper(database, [change]);
      const found = await differing();
      expect(found, change).to.have.length.above(0);
      await mendProjections({ database, fence, signal: new AbortController().signal }, found, []);
      await replayAll(database, node);
      expect(await differing(), change).to.deep.equal([]);
      expect(await stored(), change).to.deep.equal(expected);
    }
  });

  it('are not asked for where that is off', async () => {
    await forget();
    const stopping = new AbortController();
    let turns = 0;
    const asked: string[] = [];
    const silentNode: ChainNode = {
      ...node,
      replay(block, replay) {
        asked.push(block);
        return node.replay(block, replay);
      },
    };
    await enrich(enrichContext(database, silentNode, stopping.signal), () => {
      if (++turns === 3) stopping.abort();
      return Promise.resolve();
    });
    expect(asked).to.deep.equal([]);
    expect(await stored()).to.deep.equal({ rows: [], states: {} });
  });

  async function prevHashOf(position: bigint): Promise<string> {
    const { rows } = await database.query<{ hash: string }>({
      name: 'test.prev-hash',
      text: 'SELECT prev_hash AS hash FROM micro_blocks WHERE position <= $1 ORDER BY position DESC LIMIT 1',
      values: [position],
    });
    return rows[0]!.hash;
  }

  it('of a transaction in one that another account authenticates are not known', () => {
    expect(stateOf(AUTHENTICATED, whole)).to.equal('unsupported');
  });
});

describe('a populator that is to show what contracts did inside calls', () => {
  it('asks the node for it by dry runs, and another one does not', async () => {
    const server = await testDatabase();
    const recordings = await replayServer(OF);
    const node = await startServer(async (request, response) => {
      if (request.method === 'POST') {
        const { status, text } = recordedReplay(await bodyOf(request));
        return reply(response, status, text);
      }
      const answer = await fetch(`${recordings.url}${request.url}`);
      return reply(response, answer.status, await answer.text());
    });
    const isRead = async (database: Database): Promise<boolean> => {
      const { rows } = await database.query<{ read: boolean }>({
        name: 'test.read',
        text: 'SELECT EXISTS (SELECT FROM contract_logs) AND NOT EXISTS (SELECT FROM due_infos) AS read',
      });
      return rows[0]!.read;
    };
    const calls = async (database: Database): Promise<number> => {
      const { rows } = await database.query<{ count: string }>({
        name: 'test.count',
        text: 'SELECT count(*) FROM internal_calls',
      });
      return Number(rows[0]!.count);
    };
    const posts = (): string[] => node.requests.filter((request) => request.startsWith('POST'));
    try {
      const off = await startPopulating(server, 'inside', [node.url]);
      await eventually(
        () => isRead(off.database),
        (done) => done,
      );
      await off.stop();
      expect(posts()).to.deep.equal([]);
      const on = populateInto(openCopy(server.url, 'inside'), [node.url], {}, { internalCalls: 'on' });
      await eventually(
        () => nothingToReplay(on.database),
        (done) => done,
      );
      expect(await calls(on.database)).to.equal(expectedRows().rows.length);
      await on.stop();
      expect(new Set(posts())).to.deep.equal(new Set(['POST /v3/dry-run']));
    } finally {
      await node.close();
      await recordings.close();
      await server.drop();
    }
  });
});
