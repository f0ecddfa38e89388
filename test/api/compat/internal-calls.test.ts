import { expect } from 'chai';
import type { Database } from '../../../src/store/connection/database.js';
import { below, pagesBefore, pagesOf, recordedService, rowsOf, withLimit } from '../../support/compat.js';
import type { Page, RecordedService } from '../../support/compat.js';
import { recordedNode } from '../../support/recorded-node.js';
import { recordedBlocks } from '../../support/recorded-replay.js';
import { replayAll } from '../../support/replays.js';
import { tamper } from '../../support/roles.js';

const OF = 'realnode-tokens';
const NOT_YET = [503, '{"error":"not available yet"}'];

/** It pays. */
const CONTRACT = 'ct_uJEN4yyQopTMnLwS22V92xNCTLfWGJfc3n8PvSc5ZyeDkDmU8';
const PAYER = `ak_${CONTRACT.slice(3)}`;
const NAMES = 'ak_3ctjhTDDBJnARjFXbdCj3BetfLd8nGEhiEvv1zjbRqWBbckiV';

interface Row {
  contract_id: string;
  contract_tx_hash: string | null;
  call_tx_hash: string;
  block_hash: string;
  height: number;
  micro_index: number;
  local_idx: number;
  function: string;
  internal_tx: Record<string, unknown>;
  call_txi?: number;
  contract_txi?: number | null;
}

interface Activity {
  height: number;
  block_hash: string;
  block_time: number;
  type: string;
  payload: Record<string, unknown>;
}

describe('what contracts did inside calls, in the compatible API', () => {
  let service: RecordedService;
  let database: Database;
  /** Oldest first. */
  let all: Row[];

  before(async () => {
    service = await recordedService(OF);
    ({ database } = service);
  });
  after(() => service.close());

  const rows = async (path: string): Promise<Row[]> =>
    (await rowsOf(service.api, withLimit(path, 100))) as unknown as Row[];
  const answerOf = async (path: string): Promise<[number, string]> => {
    const { status, body } = await service.api.get(below(path));
    return [status, body];
  };

  it('is not available before the first replay', async () => {
    for (const path of ['/v3/contracts/calls', `/v3/contracts/${CONTRACT}/calls`, '/v2/contracts/calls'])
      expect(await answerOf(path), path).to.deep.equal(NOT_YET);
    await replayAll(database, recordedNode(undefined, OF));
    all = await rows('/v3/contracts/calls?direction=forward');
  });

  it('is listed in the order of the chain with its place, its transactions and what was done', async () => {
    const known = [...recordedBlocks().values()].flatMap(({ transactions }) =>
      transactions.map(({ transaction, events, call }) => ({
        hash: transaction.hash,
        events,
        call,
        envelope: JSON.parse(transaction.body) as { block_hash: string; block_height: number },
      })),
    );
    expect(all).to.have.length.above(50);
    for (const row of all) {
      const { events, call, envelope } = known.find(({ hash }) => hash === row.call_tx_hash)!;
      const { key, info } = events[row.local_idx]!;
      expect(row.function).to.equal(key);
      expect([row.block_hash, row.height]).to.deep.equal([envelope.block_hash, envelope.block_height]);
      expect(row.contract_id).to.equal(call!['contract_id']);
      expect(Object.keys(row).sort()).to.deep.equal([
        'block_hash',
        'call_tx_hash',
        'contract_id',
        'contract_tx_hash',
        'function',
        'height',
        'internal_tx',
        'local_idx',
        'micro_index',
      ]);
      if (key !== 'Chain.spend' && key !== 'Call.amount') continue;
      expect(row.internal_tx).to.deep.equal({ type: 'SpendTx', ...info, amount: Number(info['amount']) });
      expect(
        Buffer.from((info['payload'] as string).slice(3), 'base64')
          .subarray(0, -4)
          .toString(),
      ).to.equal(key);
    }
    const calls = [...new Set(all.map(({ call_tx_hash: hash }) => hash))];
    const order = known.map(({ hash }) => hash).filter((hash) => calls.includes(hash));
    expect(calls).to.deep.equal(order);
    expect(await rows('/v3/contracts/calls')).to.deep.equal([...all].reverse());
  });

  it('shows names and oracles as transactions do', () => {
    const shown = (name: string): Record<string, unknown> => all.find(({ function: one }) => one === name)!.internal_tx;
    expect(shown('AENS.claim')).to.deep.include({
      type: 'NameClaimTx',
      name: 'bycontract23xx.chain',
      nonce: 0,
      fee: 0,
    });
    expect(shown('AENS.claim')['name_id']).to.match(/^nm_/);
    expect(shown('AENS.update')).to.deep.include({ type: 'NameUpdateTx' });
    expect(shown('Oracle.register')['oracle_id']).to.equal(
      `ok_${String(shown('Oracle.register')['account_id']).slice(3)}`,
    );
    expect(shown('Oracle.query')['query_id']).to.match(/^oq_/);
    expect(Buffer.from(String(shown('Oracle.query')['query']), 'base64').toString()).to.contain('recipient_id');
  });

  it('has exact amounts as texts where that is asked for', async () => {
    const [row] = await rows('/v3/contracts/calls?function=AENS.claim&int-as-string=true');
    expect(row!.internal_tx['name_fee']).to.equal('1094600000000000000');
  });

  it('has numbers of transactions in version 2', async () => {
    const old = await rows('/v2/contracts/calls?direction=forward');
    expect(old.map(({ call_txi: _, contract_txi: __, ...row }) => row)).to.deep.equal(all);
    for (const { call_txi, contract_txi, call_tx_hash, contract_tx_hash } of old.slice(0, 20)) {
      const { hash } = (await service.api.json(below(`/v2/txs/${call_txi}`))) as { hash: string };
      expect(hash).to.equal(call_tx_hash);
      const made = (await service.api.json(below(`/v2/txs/${contract_txi}`))) as { hash: string };
      expect(made.hash).to.equal(contract_tx_hash);
    }
  });

  it('has the same rows in version 2 with each filter, in both directions', async () => {
    for (const filter of [
      '',
      'function=C',
      `contract=${CONTRACT}`,
      `recipient_id=${recipient()}`,
      `contract=${CONTRACT}&recipient_id=${recipient()}`,
    ]) {
      for (const direction of ['forward', 'backward']) {
        const [old, now] = await Promise.all(
          ['v2', 'v3'].map((version) => rows(`/${version}/contracts/calls?direction=${direction}&${filter}`)),
        );
        expect(now, filter).to.have.length.above(1);
        expect(
          old!.map(({ call_txi: _, contract_txi: __, ...row }) => row),
          filter,
        ).to.deep.equal(now);
      }
    }
  });

  it('is walked in both directions with any limit', async () => {
    for (const path of [
      '/v3/contracts/calls',
      '/v3/contracts/calls?direction=forward',
      '/v2/contracts/calls',
      '/v3/contracts/calls?function=C',
      `/v3/contracts/${CONTRACT}/calls`,
      `/v3/contracts/calls?recipient_id=${recipient()}`,
    ]) {
      const whole = await rows(path);
      expect(whole, path).to.have.length.above(1);
      for (const limit of [1, 3, 10]) {
        const pages = await pagesOf(service.api, withLimit(path, limit));
        const ofPages = (some: readonly Page[]): unknown[] => some.flatMap(({ data }) => data);
        expect(ofPages(pages), `${path} ${limit}`).to.deep.equal(whole);
        expect(ofPages(await pagesBefore(service.api, pages.at(-1)!)), `${path} ${limit}`).to.deep.equal(whole);
        expect(
          pages.every(({ complete }) => complete === false),
          path,
        ).to.equal(true);
      }
    }
  });

  it('is filtered by contract, function and ids, as the contract of the API allows', async () => {
    const to = recipient();
    const cases: [string, (row: Row) => boolean][] = [
      [`contract=${CONTRACT}`, (row) => row.contract_id === CONTRACT],
      [`contract_id=${CONTRACT}`, (row) => row.contract_id === CONTRACT],
      ['function=Chain.spend', (row) => row.function === 'Chain.spend'],
      ['function=AENS', (row) => row.function.startsWith('AENS')],
      ['function=C', (row) => row.function.startsWith('C')],
      ['function=Nothing', () => false],
      [`contract=${CONTRACT}&function=Call`, (row) => row.contract_id === CONTRACT && row.function === 'Call.amount'],
      [`recipient_id=${to}`, (row) => row.internal_tx['recipient_id'] === to],
      [`recipient_id=ct_${to.slice(3)}`, (row) => row.internal_tx['recipient_id'] === to],
      [`spend.recipient_id=${to}`, (row) => row.internal_tx['recipient_id'] === to],
      [`name_transfer.recipient_id=${to}`, () => false],
      [`sender_id=${PAYER}`, (row) => row.internal_tx['sender_id'] === PAYER],
      [
        `contract=${CONTRACT}&recipient_id=${to}`,
        (row) => row.contract_id === CONTRACT && row.internal_tx['recipient_id'] === to,
      ],
      [`account_id=${NAMES}`, (row) => row.internal_tx['account_id'] === NAMES],
      [`name_claim.account_id=${NAMES}`, (row) => row.function === 'AENS.claim'],
      [`recipient_id=${NAMES}`, (row) => row.internal_tx['recipient_id'] === NAMES],
      ['name_id=plainname23xxx.chain', (row) => row.function === 'AENS.update'],
      ['oracle_id=ok_2HKX1E1cUB5EXZSECZ5C2rP7dacrkM3qW3epoFVFFP2yczgKZ3', (row) => row.function === 'Oracle.query'],
      ['scope=gen:36-38', (row) => row.height >= 36 && row.height <= 38],
      [`scope=transaction:${all[5]!.call_tx_hash}`, (row) => row.call_tx_hash === all[5]!.call_tx_hash],
      [
        `scope=gen:36-38&function=Call`,
        (row) => row.height >= 36 && row.height <= 38 && row.function === 'Call.amount',
      ],
    ];
    for (const [query, isWanted] of cases) {
      const expected = all.filter(isWanted);
      const found = await rows(`/v3/contracts/calls?direction=forward&${query}`);
      expect(found, query).to.deep.equal(expected);
    }
    const ofContract = all.filter(({ contract_id: id }) => id === CONTRACT);
    expect(await rows(`/v3/contracts/${CONTRACT}/calls?direction=forward`)).to.deep.equal(ofContract);
    expect(await rows(`/v3/contracts/${CONTRACT}/calls?direction=forward&function=Call`)).to.deep.equal(
      ofContract.filter(({ function: name }) => name === 'Call.amount'),
    );
    const empty = cases.filter(([, isWanted]) => !all.some(isWanted)).map(([query]) => query);
    expect(empty).to.deep.equal(['function=Nothing', `name_transfer.recipient_id=${to}`, `recipient_id=${NAMES}`]);
  });

  it('refuses other combinations and malformed values', async () => {
    const to = recipient();
    for (const query of [
      `function=C&recipient_id=${to}`,
      `sender_id=${to}&recipient_id=${to}`,
      `spend.sender_id=${to}&sender_id=${to}`,
      'function=',
      'moon=1',
      'contract=ct_x',
      `contract=${to}`,
      'recipient_id=ak_x',
      'limit=0',
      'limit=101',
      'direction=up',
      'cursor=x',
      'scope=gen:x',
      `contract=ct_${to.slice(3)}`,
    ]) {
      const [status, body] = await answerOf(`/v3/contracts/calls?${query}`);
      expect(status, query).to.equal(400);
      expect(Object.keys(JSON.parse(body) as object), query).to.deep.equal(['error']);
    }
    const [status, body] = await answerOf(`/v3/contracts/ct_${to.slice(3)}/calls`);
    expect([status, body]).to.deep.equal([400, `{"error":"invalid id: ct_${to.slice(3)}"}`]);
  });

  it('says whether something is left out', async () => {
    let asked = 0;
    // Each request is another one: answers are kept until a commit of the populator.
    const complete = async (query: string): Promise<unknown> =>
      (
        (await service.api.json(below(`/v3/contracts/calls?${query}&_n=${(asked += 1)}`))) as {
          complete: boolean;
        }
      ).complete;
    expect(await complete('scope=gen:36-38')).to.equal(true);
    expect(await complete('scope=gen:28-29')).to.equal(false);
    expect(await complete('scope=gen:700-701')).to.equal(true);
    const state = 'UPDATE call_replay_progress SET position =';
    const { rows: saved } = await database.query<{ position: string }>({
      name: 'test.progress',
      text: 'SELECT position FROM call_replay_progress',
    });
    await tamper(database, [`${state} ${36n << 33n}`]);
    expect(await complete('scope=gen:36-38')).to.equal(false);
    expect(await complete('scope=gen:20-22')).to.equal(true);
    await tamper(database, [
      `${state} ${saved[0]!.position}`,
      `INSERT INTO due_infos (position, due_at) VALUES (${(36n << 33n) + 65536n}, now())`,
    ]);
    expect(await complete('scope=gen:36-38')).to.equal(false);
    await tamper(database, ['DELETE FROM due_infos']);
    expect(await complete('scope=gen:36-38')).to.equal(true);
  });

  it('is among the activities of who takes part and of the contract that was called, before the transaction', async () => {
    const to = recipient();
    const takesPart = (id: string) => (row: Row) =>
      Object.entries(row.internal_tx).some(
        ([member, value]) => member.endsWith('_id') && String(value).slice(3) === id.slice(3),
      );
    const cases: [id: string, query: string, isWanted: (row: Row) => boolean][] = [
      [to, '', takesPart(to)],
      [CONTRACT, '', (row) => row.contract_id === CONTRACT || takesPart(CONTRACT)(row)],
      [to, `&contract=${CONTRACT}`, (row) => row.contract_id === CONTRACT && takesPart(to)(row)],
      [to, '&owned_only=true', () => false],
      [CONTRACT, '&owned_only=true', (row) => row.contract_id === CONTRACT],
    ];
    for (const [id, query, isWanted] of cases) {
      const path = `/v3/accounts/${id}/activities?direction=forward${query}`;
      const expected = all.filter(isWanted);
      const shown = (await rowsOf(service.api, `${path}&type=contract&limit=100`)) as unknown as Activity[];
      expect(
        shown.map(({ payload }) => payload),
        path,
      ).to.deep.equal(expected);
      for (const row of shown) {
        expect(row).to.deep.include({ type: 'InternalContractCallEvent', height: row.payload['height'] });
        expect([row.block_hash, typeof row.block_time]).to.deep.equal([row.payload['block_hash'], 'number']);
      }
      const { total } = (await service.api.json(below(`${path}&type=contract&count=true`))) as { total: number };
      expect(total, path).to.equal(expected.length);
      const whole = (await rowsOf(service.api, `${path}&limit=100`)) as unknown as Activity[];
      expect(whole.filter(({ type }) => type === 'InternalContractCallEvent')).to.deep.equal(shown);
      for (const limit of [1, 3, 10]) {
        const pages = await pagesOf(service.api, withLimit(path, limit));
        expect(
          pages.flatMap(({ data }) => data),
          `${path} ${limit}`,
        ).to.deep.equal(whole);
        expect((await pagesBefore(service.api, pages.at(-1)!)).flatMap(({ data }) => data)).to.deep.equal(whole);
      }
      const backward = await rowsOf(service.api, path.replace('forward', 'backward'));
      expect(backward.reverse()).to.deep.equal(whole);
      const own = whole.findIndex(
        ({ type, payload }) => type === 'ContractCallTxEvent' && payload['hash'] === expected[0]?.call_tx_hash,
      );
      if (own > 0) expect(whole[own - 1]!.type).to.equal('InternalContractCallEvent');
    }
    expect(all.filter(takesPart(to))).to.have.length.above(1);
  });

  it('is described', async () => {
    const { paths } = (await service.api.json('/mdw/v3/api')) as {
      paths: Record<string, { get: { operationId: string } }>;
    };
    expect(paths['/contracts/calls']!.get.operationId).to.equal('GetContractCalls');
    expect(Object.keys(paths)).to.include('/contracts/{id}/calls');
  });

  const recipient = (): string =>
    String(
      all
        .filter(({ function: name }) => name === 'Chain.spend')
        .map(({ internal_tx: tx }) => tx['recipient_id'])
        .find((id, i, ids) => ids.indexOf(id) !== i),
    );
});
