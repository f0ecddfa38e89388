import { expect } from 'chai';
import { decodeId, encodeId } from '../../src/chain/encoding/encoding.js';
import { parseExact } from '../../src/chain/encoding/json.js';
import { EVENT_NAMES, eventHash } from '../../src/chain/event-names.js';
import type { Database } from '../../src/store/connection/database.js';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { syncContext, syncFully } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedLogs } from '../support/recorded-logs.js';
import type { RecordedLog } from '../support/recorded-logs.js';
import { recordedGenerations } from '../support/recording.js';
import { recordedNode } from '../support/recorded-node.js';
import { emptyCopy } from '../support/roles.js';
import { nextOf } from '../support/walks.js';

const OF = 'realnode-tokens';
const LOGS = '/middleware/contracts/logs';
/** Height of the transaction whose call information the recorded node never answers. */
const UNANSWERED = recordedGenerations(OF)
  .flatMap(({ height, microBlocks }) => microBlocks.map(({ transactions }) => ({ height, transactions })))
  .find(({ transactions }) => transactions.includes('"hash":"th_t5tt3pihfrH'))!.height;

type Listed = RecordedLog & { event: string | null };

describe('logs of contracts', () => {
  let server: TestDatabase;
  let database: Database;
  let api: TestApi;
  const logs = recordedLogs(OF).map((log) => ({ ...log, event: EVENT_NAMES.get(BigInt(log.topics[0]!)) ?? null }));

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    const node = recordedNode(undefined, OF);
    await syncFully(syncContext(database, node));
    api = await testApi(database);
  });
  after(async () => {
    await api.close();
    await database.close();
    await server.drop();
  });

  async function answer(path: string): Promise<{ complete: boolean; logs: Listed[] }> {
    const { status, body } = await api.get(path);
    expect(status, `${path} ${body}`).to.equal(200);
    return parseExact(body) as unknown as { complete: boolean; logs: Listed[] };
  }

  /** All pages of a list, by its links. */
  async function walk(path: string): Promise<Listed[]> {
    const found: Listed[] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const { headers, body } = await api.get(next);
      found.push(...(parseExact(body) as unknown as { logs: Listed[] }).logs);
      next = nextOf(next, headers.link);
    }
    return found;
  }

  const newestFirst = (list: readonly Listed[]): Listed[] => [...list].reverse();

  it('are not complete before the call information is read', async () => {
    const { complete, logs: found } = await answer(LOGS);
    expect(complete).to.equal(false);
    expect(found.length).to.be.below(logs.length);
    await decodeAll(database, recordedNode(undefined, OF));
  });

  it('are those of the node: all contracts of each call and creation, in the order in which they were emitted', async () => {
    expect(logs).to.have.length.above(150);
    expect(logs.some(({ contract_id, called_id }) => contract_id !== called_id)).to.equal(true);
    expect((await answer(`${LOGS}?order=oldest`)).logs).to.deep.equal(logs);
    expect((await answer(LOGS)).logs).to.deep.equal(newestFirst(logs));
  });

  it('are complete but for the heights of which a node does not have all call information', async () => {
    expect((await answer(LOGS)).complete).to.equal(false);
    expect((await answer(`${LOGS}?to=${UNANSWERED - 1}`)).complete).to.equal(true);
    expect((await answer(`${LOGS}?from=${UNANSWERED + 1}`)).complete).to.equal(true);
    expect((await answer(`${LOGS}?from=${UNANSWERED}&to=${UNANSWERED}`)).complete).to.equal(false);
  });

  it('are the same page by page, in both directions', async () => {
    for (const limit of [3, 40]) {
      expect(await walk(`${LOGS}?limit=${limit}`)).to.deep.equal(newestFirst(logs));
      expect(await walk(`${LOGS}?limit=${limit}&order=oldest`)).to.deep.equal(logs);
    }
    expect((await answer(`${LOGS}?limit=0`)).logs).to.deep.equal([]);
  });

  it('of a contract, of the calls of a contract, of an event, with an argument, and of heights', async () => {
    const isOf = (path: string, has: (log: Listed) => boolean) => ({ path, expected: newestFirst(logs.filter(has)) });
    const foreign = logs.find(({ contract_id, called_id }) => contract_id !== called_id)!;
    const cases = [...new Set(logs.flatMap((log) => [log.contract_id, log.called_id]))].flatMap((id) => [
      isOf(`contract=${id}`, (log) => log.contract_id === id),
      isOf(`called=${id}`, (log) => log.called_id === id),
      isOf(`contract=${id}&event=Transfer`, (log) => log.contract_id === id && log.event === 'Transfer'),
    ]);
    const hash = eventHash('Transfer').toString(16).padStart(64, '0');
    const transfer = logs.find(({ event }) => event === 'Transfer')!;
    const word = transfer.topics[1]!;
    cases.push(
      isOf('event=Transfer', ({ event }) => event === 'Transfer'),
      isOf(`event=${hash}`, ({ event }) => event === 'Transfer'),
      isOf('event=Nothing', () => false),
      isOf(`topic1=${word}`, ({ topics }) => topics[1] === word),
      isOf(`topic2=${word}`, ({ topics }) => topics[2] === word),
      isOf(
        `topic3=${transfer.topics[3]}&event=Transfer`,
        (log) => log.topics[3] === transfer.topics[3] && log.event === 'Transfer',
      ),
      isOf('from=20&to=30', ({ block_height: height }) => height >= 20 && height <= 30),
      isOf(
        `contract=${foreign.contract_id}&called=${foreign.called_id}`,
        (log) => log.contract_id === foreign.contract_id && log.called_id === foreign.called_id,
      ),
    );
    expect(cases.filter(({ expected }) => expected.length > 0)).to.have.length.above(40);
    for (const { path, expected } of cases) {
      expect((await answer(`${LOGS}?${path}`)).logs, path).to.deep.equal(expected);
      expect(await walk(`${LOGS}?${path}&limit=2`), path).to.deep.equal(expected);
    }
  });

  it('take an identifier as an argument: its 32 bytes', async () => {
    const account = logs.find(({ event, topics }) => event === 'Transfer' && topics.length === 4)!.topics[1]!;
    const hex = BigInt(account).toString(16).padStart(64, '0');
    const id = encodeId('ak', Buffer.from(hex, 'hex'));
    expect(Buffer.from(decodeId(id)).toString('hex')).to.equal(hex);
    expect((await answer(`${LOGS}?topic1=${id}`)).logs).to.deep.equal((await answer(`${LOGS}?topic1=${account}`)).logs);
  });

  it('are exported as CSV and NDJSON, also from a transaction on', async () => {
    const csv = await api.get(`${LOGS}?event=Transfer`, { headers: { accept: 'text/csv' } });
    const transfers = newestFirst(logs.filter(({ event }) => event === 'Transfer'));
    const lines = csv.body.trim().split('\r\n');
    expect(lines[0]).to.equal('time,height,block_hash,tx_hash,log_index,contract,called,event,topics,data');
    expect(lines.slice(1).map((line) => line.split(',').slice(3, 6))).to.deep.equal(
      transfers.map((log) => [log.transaction_hash, String(log.log_index), log.contract_id]),
    );
    const all = newestFirst(logs);
    const { body } = await api.get(LOGS, { headers: { accept: 'application/x-ndjson' } });
    const rows = body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { tx_hash: string; topics: string });
    expect(rows.map(({ tx_hash, topics }) => [tx_hash, topics])).to.deep.equal(
      all.map((log) => [log.transaction_hash, log.topics.join(' ')]),
    );
    const middle = all[40]!.transaction_hash;
    const rest = await api.get(`${LOGS}?after=${middle}`, { headers: { accept: 'application/x-ndjson' } });
    const last = all.findLastIndex(({ transaction_hash }) => transaction_hash === middle);
    expect(rest.body.trim().split('\n')).to.have.length(all.length - 1 - last);
  });

  it('continue an export behind any of its rows, also within a transaction', async () => {
    const ndjson = { headers: { accept: 'application/x-ndjson' } };
    const rowsOf = async (query: string): Promise<string[]> => {
      const { status, body } = await api.get(`${LOGS}${query}`, ndjson);
      expect(status, `${query} ${body}`).to.equal(200);
      return body.split('\n').slice(0, -1);
    };
    const all = await rowsOf('');
    const places = all.map((line) => JSON.parse(line) as { tx_hash: string; log_index: number });
    const cut = places.findIndex(({ tx_hash: hash }, i) => hash === places[i + 1]?.tx_hash);
    for (const i of [0, cut, Math.floor(all.length / 2), all.length - 1])
      expect(await rowsOf(`?after=${places[i]!.tx_hash},${places[i]!.log_index}`), `row ${i}`).to.deep.equal(
        all.slice(i + 1),
      );
    const transfers = await rowsOf('?event=Transfer');
    const { tx_hash: hash, log_index: index } = JSON.parse(transfers[0]!) as (typeof places)[number];
    expect(await rowsOf(`?event=Transfer&after=${hash},${index}`)).to.deep.equal(transfers.slice(1));
    for (const after of ['x', `${hash},`, `${hash},x`, `${hash},1,2`, places[0]!.tx_hash.replace('th_', 'mh_')]) {
      const { status, body } = await api.get(`${LOGS}?after=${after}`, ndjson);
      expect(status, after).to.equal(400);
      expect((JSON.parse(body) as { reason: string }).reason).to.match(/^Invalid input: after must be/);
    }
  });

  it('refuse malformed parameters, and name them', async () => {
    const wrong: [string, string][] = [
      ['contract', 'ct_x'],
      ['called', 'x'],
      ['event', 'transfer'],
      ['event', 'ff'],
      ['topic1', '-1'],
      ['topic2', String(2n ** 256n)],
      ['topic3', 'ak_1'],
      ['from', 'a'],
      ['to', ''],
      ['order', 'newer'],
      ['cursor', '1'],
      ['limit', '-1'],
    ];
    for (const [name, value] of wrong) {
      const { status, body } = await api.get(`${LOGS}?${name}=${value}`);
      expect(status, `${name}=${value}`).to.equal(400);
      expect((JSON.parse(body) as { reason: string }).reason).to.include(name);
    }
  });
});
