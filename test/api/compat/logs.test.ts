import { expect } from 'chai';
import { encodeId } from '../../../src/chain/encoding/encoding.js';
import { EVENT_NAMES } from '../../../src/chain/event-names.js';
import type { ChainNode } from '../../../src/node/client.js';
import { nodeFault } from '../../../src/node/faults.js';
import type { Database, Statement } from '../../../src/store/connection/database.js';
import { testApi } from '../../support/api.js';
import type { TestApi } from '../../support/api.js';
import { below, pagesOf, recordedService, rowsOf } from '../../support/compat.js';
import type { Page, RecordedService } from '../../support/compat.js';
import { nodeAt, syncContext, syncFully } from '../../support/copy.js';
import { decodeAll, decodeUntil } from '../../support/decoding.js';
import { createWorld } from '../../support/events.js';
import { testDatabase } from '../../support/postgres.js';
import type { TestDatabase } from '../../support/postgres.js';
import { recordedLogs } from '../../support/recorded-logs.js';
import type { RecordedLog } from '../../support/recorded-logs.js';
import { recordedNode } from '../../support/recorded-node.js';
import { emptyCopy, tamper } from '../../support/roles.js';

const OF = 'realnode-tokens';

interface Row {
  contract_id: string;
  call_tx_hash: string;
  log_idx: number;
  ext_caller_contract_id: string | null;
  parent_contract_id: string | null;
}

/** Both rows of a log, as the list of all and those of its contracts have them. */
const ofCalled = (log: RecordedLog): Row => ({
  contract_id: log.called_id,
  call_tx_hash: log.transaction_hash,
  log_idx: log.log_index,
  ext_caller_contract_id: log.called_id === log.contract_id ? null : log.contract_id,
  parent_contract_id: null,
});

const ofEmitter = (log: RecordedLog): Row => ({
  ...ofCalled(log),
  contract_id: log.contract_id,
  ext_caller_contract_id: null,
  parent_contract_id: log.called_id,
});

const isForeign = ({ contract_id, called_id }: RecordedLog): boolean => contract_id !== called_id;

const nameOf = ({ topics }: RecordedLog): string | undefined => EVENT_NAMES.get(BigInt(topics[0]!));

describe('logs of contracts in the compatible API', () => {
  let service: RecordedService;
  const logs = recordedLogs(OF);

  before(async () => (service = await recordedService(OF)));
  after(() => service.close());

  const keysOf = async (path: string): Promise<Row[]> =>
    (await rowsOf(service.api, `${path}${path.includes('?') ? '&' : '?'}limit=100`)).map((row) => {
      const { contract_id, call_tx_hash, log_idx, ext_caller_contract_id, parent_contract_id } = row as unknown as Row;
      return { contract_id, call_tx_hash, log_idx, ext_caller_contract_id, parent_contract_id };
    });

  it('are listed under the called contract, each once, in both directions', async () => {
    const expected = logs.map(ofCalled);
    expect(await keysOf('/v3/contracts/logs?direction=forward')).to.deep.equal(expected);
    expect(await keysOf('/v3/contracts/logs')).to.deep.equal([...expected].reverse());
  });

  it('of a contract are those that it emitted and those of its calls', async () => {
    for (const id of new Set(logs.flatMap((log) => [log.contract_id, log.called_id]))) {
      const expected = logs.flatMap((log) =>
        log.called_id === id ? [ofCalled(log)] : log.contract_id === id ? [ofEmitter(log)] : [],
      );
      expect(await keysOf(`/v3/contracts/${id}/logs?direction=forward`), id).to.deep.equal(expected);
      expect(await keysOf(`/v3/contracts/logs?contract=${id}&direction=forward`), id).to.deep.equal(expected);
    }
  });

  it('of an event are listed under both contracts', async () => {
    const transfers = logs.filter((log) => nameOf(log) === 'Transfer');
    expect(transfers.some(isForeign)).to.equal(true);
    const expected = transfers.flatMap((log) => (isForeign(log) ? [ofCalled(log), ofEmitter(log)] : [ofCalled(log)]));
    expect(await keysOf('/v3/contracts/logs?event=Transfer&direction=forward')).to.deep.equal(expected);
  });

  it('of a generation, and page by page with the same other parameters, as the indexer asks for them', async () => {
    const [id, height] = [logs[5]!.called_id, logs[5]!.block_height];
    const own = logs.filter((log) => log.called_id === id || log.contract_id === id);
    const at = own.filter((log) => log.block_height === height);
    const rows = (some: RecordedLog[]): Row[] =>
      some.map((log) => (log.called_id === id ? ofCalled(log) : ofEmitter(log))).reverse();
    expect(await keysOf(`/v3/contracts/${id}/logs?scope=gen:${height}`)).to.deep.equal(rows(at));
    const scope = `scope=gen:0-${height + 10}`;
    const whole = await keysOf(`/v3/contracts/${id}/logs?${scope}`);
    for (const limit of [1, 3]) {
      const pages = await pagesOf(service.api, `/v3/contracts/${id}/logs?limit=${limit}&${scope}`);
      expect(pages.flatMap(({ data }) => data)).to.have.length(whole.length);
      const back = [];
      for (let prev = pages.at(-1)!.prev; prev !== null;) {
        const page = (await service.api.json(below(prev))) as { data: unknown[]; prev: string | null };
        back.unshift(...page.data);
        prev = page.prev;
      }
      expect([...back, ...pages.at(-1)!.data]).to.deep.equal(pages.flatMap(({ data }) => data));
    }
  });

  it('have arguments as digits, or as what they are, and the hash of the event in base 32', async () => {
    const log = logs.find((one) => nameOf(one) === 'Transfer' && one.topics.length === 4)!;
    const path = `/v3/contracts/${log.called_id}/logs?direction=forward&event=Transfer&limit=1`;
    const [plain] = ((await service.api.json(below(path))) as { data: Record<string, unknown>[] }).data;
    expect(plain).to.deep.include({
      contract_tx_hash: plain!['contract_tx_hash'],
      height: log.block_height,
      block_hash: log.block_hash,
      block_time: log.time,
      event_name: 'Transfer',
      event_hash: '48U3JOKTVTI6FVMTK2BLHM8NG72JEBG93VS6MENPSC8E71IM5FNG====',
      data: '',
    });
    const [typed] = (
      (await service.api.json(below(`${path}&aexn-args=true&int-as-string=true`))) as { data: { args: string[] }[] }
    ).data;
    const account = (word: number | bigint): string =>
      encodeId('ak', Buffer.from(BigInt(word).toString(16).padStart(64, '0'), 'hex'));
    expect(typed!.args).to.deep.equal([account(log.topics[1]!), account(log.topics[2]!), String(log.topics[3])]);
  });

  it('have topics and data as the node has them, too', async () => {
    const rows = await rowsOf(service.api, '/v3/contracts/logs?direction=forward&limit=100&aexn-args=true');
    expect(rows.map((row) => [row['topics'], row['raw_data']])).to.deep.equal(
      logs.map(({ topics, data }) => [topics.map(String), data]),
    );
    expect(logs.some(({ data }) => data.length > 12)).to.equal(true);
  });

  it('of a function, and by the beginning of the data', async () => {
    const all = await rowsOf(service.api, '/v3/contracts/logs?limit=100');
    const some = all.find(({ data }) => typeof data === 'string' && data.length > 3)!;
    const start = (some['data'] as string).slice(0, 3);
    const found = await rowsOf(service.api, `/v3/contracts/logs?limit=100&data=${encodeURIComponent(start)}`);
    expect(found).to.deep.equal(all.filter(({ data }) => (data as string).startsWith(start)));
    const mints = await rowsOf(service.api, '/v3/contracts/logs?limit=100&function=mint');
    expect(mints).to.not.be.empty;
    for (const { call_tx_hash: hash } of mints) {
      const { tx } = (await service.api.json(below(`/v3/transactions/${String(hash)}`))) as {
        tx: { function?: string; tx?: { tx: { function: string } } };
      };
      expect(JSON.stringify(tx)).to.include('"function":"mint"');
    }
  });

  it('of a transaction are those of its call, with either name of the parameter, in both versions', async () => {
    const emitted = logs.filter(isForeign)[0]!;
    const own = logs.filter(({ transaction_hash: hash }) => hash === emitted.transaction_hash);
    expect(own.length).to.be.above(1);
    const [hash, height] = [emitted.transaction_hash, emitted.block_height];
    for (const name of ['tx_hash', 'transaction_hash']) {
      const query = `${name}=${hash}&direction=forward`;
      for (const version of ['v2', 'v3'])
        expect(await keysOf(`/${version}/contracts/logs?${query}`), version).to.deep.equal(own.map(ofCalled));
      const ofContract = own.filter((log) => log.contract_id === emitted.contract_id).map(ofEmitter);
      expect(await keysOf(`/v3/contracts/${emitted.contract_id}/logs?${query}`)).to.deep.equal(ofContract);
      // As the backend that copies the whole chain asks for them.
      expect(await keysOf(`/v3/contracts/logs?contract_id=${emitted.contract_id}&${query}`)).to.deep.equal(ofContract);
      expect(await rowsOf(service.api, `/v3/contracts/logs?${query}&limit=1`)).to.have.length(own.length);
      expect(await keysOf(`/v3/contracts/logs?${query}&scope=gen:0-${height}`)).to.deep.equal(own.map(ofCalled));
      expect(await keysOf(`/v3/contracts/logs?${query}&scope=gen:${height + 1}-${height + 9}`)).to.deep.equal([]);
    }
  });

  it('of a transaction that emitted none are none, those of an unknown one are not found', async () => {
    const all = await rowsOf(service.api, '/v3/transactions?type=spend&limit=1');
    expect(await keysOf(`/v3/contracts/logs?tx_hash=${String(all[0]!['hash'])}`)).to.deep.equal([]);
    const unknown = encodeId('th', Buffer.alloc(32, 7));
    for (const [query, status, error] of [
      [`tx_hash=${unknown}`, 404, `not found: ${unknown}`],
      [`transaction_hash=${unknown}`, 404, `not found: ${unknown}`],
      ['tx_hash=th_x', 400, 'invalid hash: th_x'],
      ['transaction_hash=true', 400, 'invalid hash: true'],
    ] as const) {
      const { status: given, body } = await service.api.get(below(`/v3/contracts/logs?${query}`));
      expect([given, JSON.parse(body)], query).to.deep.equal([status, { error }]);
    }
  });

  it('are all, where the hash of the transaction is a flag of version 2', async () => {
    for (const flag of ['true', 'false'])
      expect(await keysOf(`/v2/contracts/logs?tx_hash=${flag}&direction=forward`)).to.deep.equal(logs.map(ofCalled));
  });

  it('refuse an unknown contract and malformed parameters', async () => {
    const unknown = encodeId('ct', Buffer.alloc(32, 7));
    for (const [path, text] of [
      [`/v3/contracts/${unknown}/logs`, `invalid id: ${unknown}`],
      ['/v3/contracts/ct_x/logs', 'invalid id: ct_x'],
      ['/v3/contracts/logs?contract=ak_1', 'invalid id: ak_1'],
      ['/v3/contracts/logs?event=', 'invalid query: event='],
      ['/v3/contracts/logs?topic=1', 'invalid query: topic=1'],
      ['/v3/contracts/logs?cursor=x', 'invalid cursor: x'],
      ['/v3/contracts/logs?limit=101', 'invalid query: limit too large `101`'],
    ]) {
      const { status, body } = await service.api.get(below(path!));
      expect(status, path).to.equal(400);
      expect((JSON.parse(body) as { error: string }).error, path).to.include(text!.slice(0, 13));
    }
  });
});

describe('logs of a transaction in the compatible API whose call information is not read yet', () => {
  const NOT_YET = [503, '{"error":"not available yet"}'];
  const logs = recordedLogs(OF);
  const withheld = logs.find(isForeign)!;
  const other = logs.find(({ transaction_hash: hash }) => hash !== withheld.transaction_hash)!;

  let server: TestDatabase;
  let database: Database;
  let api: TestApi;

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await syncFully(syncContext(database, recordedNode(undefined, OF)));
    api = await testApi(database);
  });
  after(async () => {
    await api.close();
    await database.close();
    await server.drop();
  });

  /** A node that does not tell it. */
  const withholding = (node: ChainNode): ChainNode => ({
    ...node,
    info: (hash) =>
      hash === withheld.transaction_hash ? Promise.reject(nodeFault('node_error', 'answered 500')) : node.info(hash),
  });

  const get = async (path: string): Promise<unknown[]> => {
    const { status, body } = await api.get(below(path));
    return status === 200 ? [status, (JSON.parse(body) as Page).data.length] : [status, body];
  };

  /** All ways to ask for the logs of the transaction alone. */
  const paths = ({ transaction_hash: hash, contract_id: contract }: RecordedLog): string[] => [
    `/v3/contracts/logs?tx_hash=${hash}`,
    `/v2/contracts/logs?transaction_hash=${hash}`,
    `/v3/contracts/logs?scope=transaction:${hash}`,
    `/v3/contracts/${contract}/logs?tx_hash=${hash}`,
  ];

  it('are not available, while those of another one are there', async () => {
    expect(await get(paths(withheld)[0]!)).to.deep.equal(NOT_YET);
    await decodeUntil(database, withholding(recordedNode(undefined, OF)), async () => {
      const { rows } = await database.query<{ hash: string }>({
        name: 'test.due',
        text: 'SELECT t.hash FROM due_infos AS d JOIN transactions AS t ON t.position = d.position',
      });
      return rows.length === 1 && rows[0]!.hash === withheld.transaction_hash;
    });
    for (const path of paths(withheld)) expect(await get(path), path).to.deep.equal(NOT_YET);
    for (const path of paths(other)) expect((await get(path))[0], path).to.equal(200);
    expect((await get('/v3/contracts/logs?limit=100'))[0]).to.equal(200);
  });

  it('are not available either if no node has it', async () => {
    const { rows } = await database.query<{ hash: string }>({
      name: 'test.unknown',
      text: 'SELECT t.hash FROM unknown_infos AS u JOIN transactions AS t ON t.position = u.position',
    });
    expect(rows).to.not.be.empty;
    for (const { hash } of rows) expect(await get(`/v3/contracts/logs?tx_hash=${hash}`), hash).to.deep.equal(NOT_YET);
  });

  it('are there as soon as it is read', async () => {
    // The node is asked again now.
    await tamper(database, 'UPDATE due_infos SET due_at = now()');
    await decodeAll(database, recordedNode(undefined, OF));
    const own = logs.filter(({ transaction_hash: hash }) => hash === withheld.transaction_hash);
    expect(await get(paths(withheld)[0]!)).to.deep.equal([200, own.length]);
    for (const path of paths(withheld)) expect((await get(path))[0], path).to.equal(200);
  });
});

describe('logs of a transaction that a reorg moves while they are asked for', () => {
  it('are those that it has after the reorg', async () => {
    const world = await createWorld({ seed: 'logs', generations: 6, txsPerGeneration: 40 });
    const node = nodeAt(world.devnode.externalUrl);
    await decodeAll(world.database, node);
    let change: (() => Promise<void>) | undefined;
    const moving = await testApi({
      ...world.database,
      async query<Row extends object>(statement: Statement) {
        if (statement.name.startsWith('contract_logs.rows')) {
          const now = change;
          change = undefined;
          await now?.();
        }
        return world.database.query<Row>(statement);
      },
    });
    const settled = await testApi(world.database);
    const placeOf = async (hash: string): Promise<unknown> => {
      const { rows } = await world.database.query({
        name: 'test.place',
        text: 'SELECT position FROM transactions_by_hash WHERE hash = $1',
        values: [hash],
      });
      return rows[0];
    };
    let moved = 0;
    for (const path of ['tx_hash=', 'transaction_hash=', 'scope=transaction:', 'tx_hash=']) {
      const [newest] = (JSON.parse((await settled.get(below('/v3/contracts/logs?limit=1'))).body) as Page).data;
      const hash = (newest as unknown as Row).call_tx_hash;
      const before = await placeOf(hash);
      change = async () => {
        await world.devnode.fork({ depth: 2, grow: 3, retainTxs: true });
        await world.sync();
        await decodeAll(world.database, node);
      };
      const list = below(`/v3/contracts/logs?${path}${hash}&limit=100`);
      const { status, body } = await moving.get(list);
      expect(change).to.equal(undefined);
      expect(status, body).to.equal(200);
      expect(JSON.parse(body), path).to.deep.equal(JSON.parse((await settled.get(list)).body));
      const { data } = JSON.parse(body) as Page;
      expect(data).to.have.length.above(0);
      for (const row of data) expect((row as unknown as Row).call_tx_hash).to.equal(hash);
      if (JSON.stringify(await placeOf(hash)) !== JSON.stringify(before)) moved++;
    }
    expect(moved).to.be.above(0);
    await moving.close();
    await settled.close();
    node.close();
    await world.close();
  });
});
