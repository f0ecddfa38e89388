import { expect } from 'chai';
import type { Exchange } from '../../src/api/exchange.js';
import { keyExport } from '../../src/api/key-pages.js';
import { transferList } from '../../src/api/token-lists.js';
import { decodeId, encodeId } from '../../src/chain/encoding/encoding.js';
import { eventHash } from '../../src/chain/event-names.js';
import { recordedService } from '../support/compat.js';
import type { RecordedService } from '../support/compat.js';
import { exportedRows, rowsOf as readRows } from '../support/key-lists.js';
import type { Row } from '../support/key-lists.js';
import { recordedLogs } from '../support/recorded-logs.js';
import { LIARS, recordedTokens, tokenStates } from '../support/recorded-tokens.js';
import type { TokenState } from '../support/recorded-tokens.js';

const TRANSFER = eventHash('Transfer');
const MOVES = ['Transfer', 'Mint', 'TemplateMint'].map(eventHash);
/** Of each token the last state. */
const last = [...new Map(tokenStates.map((state) => [state.token, state])).values()];
const isToldByEvents = ({ label, balances }: TokenState): boolean => balances !== undefined && !LIARS.includes(label);
const ofWord = (word: bigint | number): string =>
  encodeId('ak', Buffer.from(BigInt(word).toString(16).padStart(64, '0'), 'hex'));
const wordOf = (id: string): bigint => BigInt(`0x${Buffer.from(decodeId(id)).toString('hex')}`);

/** An amount with its point, by the words of the documentation. */
function pointed(amount: string, decimals: number): string {
  const negative = amount.startsWith('-');
  const digits = amount.replace('-', '').padStart(decimals + 1, '0');
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  return `${negative ? '-' : ''}${digits.slice(0, digits.length - decimals)}${fraction === '' ? '' : `.${fraction}`}`;
}

describe('tokens', () => {
  let service: RecordedService;

  before(async () => (service = await recordedService('realnode-tokens')));
  after(() => service.close());

  async function get(path: string): Promise<Row> {
    const asText = `${path}${path.includes('?') ? '&' : '?'}int-as-string=true`;
    const { status, body } = await service.api.get(asText);
    expect(status, `${path} ${body}`).to.equal(200);
    return JSON.parse(body) as Row;
  }

  const rowsOf = (path: string): Promise<Row[]> => readRows(service.api, path, 500);

  const exported = (path: string): Promise<Row[]> => exportedRows(service.api, path);

  it('of AEX-9 and collections are listed with what they say of themselves', async () => {
    for (const standard of ['aex9', 'aex141'] as const) {
      const member = `${standard}_extensions` as const;
      const rows = await rowsOf(`/middleware/tokens/${standard}?limit=3`);
      const names = rows.map(({ name }) => ((name ?? '') as string).slice(0, 100).toLowerCase().replaceAll('\0', ''));
      expect(names).to.deep.equal([...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
      const known = Object.entries(recordedTokens).filter(([, token]) => token[member] !== undefined);
      expect(rows.map((row) => row['contract_id'])).to.include.members(known.map(([id]) => id));
      for (const [id, { label, meta_info: info, [member]: extensions }] of known) {
        const row = rows.find((one) => one['contract_id'] === id)!;
        expect(await get(`/middleware/tokens/${id}`), label).to.deep.equal(row);
        const fails = 'failed' in info!;
        expect(row, label).to.include({ standard, meta_state: fails ? 'failed' : 'ok' });
        if (fails) expect(row, label).to.include({ name: null, symbol: null, decimals: null });
        else expect(row, label).to.deep.include({ name: info!.name, symbol: info!.symbol, extensions });
        if (!fails && standard === 'aex9') expect(row['decimals'], label).to.equal(info!.decimals);
      }
    }
    const newest = await rowsOf('/middleware/tokens/aex9?by=creation&limit=4');
    const heights = newest.map(({ height }) => Number(height));
    expect(heights).to.deep.equal([...heights].sort((a, b) => b - a));
    expect(await rowsOf('/middleware/tokens/aex9?by=creation&order=asc')).to.deep.equal([...newest].reverse());
    const found = await rowsOf('/middleware/tokens/aex9?prefix=MADE&limit=1');
    expect(found.map(({ name }) => name)).to.deep.equal(['Made One', 'Made Three', 'Made Two']);
    expect((await rowsOf('/middleware/tokens/aex9?by=symbol&exact=RC23')).map(({ name }) => name)).to.deep.equal([
      'Recorded Coin 23',
    ]);
  });

  it('have supply, holders by amount and transfers', async () => {
    const logs = recordedLogs('realnode-tokens').filter(
      ({ topics }) => topics.length === 4 && BigInt(topics[0]!) === TRANSFER,
    );
    for (const { token, label, balances, owners, total_supply: supply } of last) {
      const path = `/middleware/tokens/${token}`;
      const held = Object.entries(balances ?? countsOf(owners!)).filter(([, amount]) => amount !== '0');
      const rows = await rowsOf(`${path}/holders?limit=2`);
      const shown = rows.map((row) => [row['account_id'], row['amount']] as [string, string]);
      expect(shown, label).to.have.deep.members(held);
      expect(await get(path), label).to.include({
        // The supply that `noMeta` tells is not the sum of its balances.
        supply: LIARS.includes(label) ? String(held.reduce((sum, [, amount]) => sum + BigInt(amount), 0n)) : supply,
        holders: String(held.length),
        invalid_reason: LIARS.includes(label) ? 'balances_differ' : null,
      });
      const amounts = shown.map(([, amount]) => BigInt(amount));
      expect(amounts).to.deep.equal([...amounts].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
      expect(await rowsOf(`${path}/holders?order=asc&limit=3`)).to.deep.equal([...rows].reverse());
      const byAccount = await rowsOf(`${path}/holders?by=account&limit=3`);
      expect(byAccount.map((row) => wordOf(String(row['account_id'])))).to.deep.equal(
        held.map(([account]) => wordOf(account)).sort((a, b) => (a < b ? -1 : 1)),
      );
      const own = logs.filter(({ contract_id: id }) => id === token).reverse();
      const transfers = await rowsOf(`${path}/transfers?limit=2`);
      const moved = owners === undefined ? 'amount' : 'token_id';
      expect(
        transfers.map((row) => [
          row['transaction_hash'],
          row['log_index'],
          row['sender'],
          row['recipient'],
          row[moved],
        ]),
        label,
      ).to.deep.equal(
        own.map((log) => [
          ...[log.transaction_hash, String(log.log_index), ofWord(log.topics[1]!), ofWord(log.topics[2]!)],
          String(log.topics[3]),
        ]),
      );
      const [first] = transfers;
      if (first === undefined) continue;
      expect(await rowsOf(`${path}/transfers?order=asc&limit=3`)).to.deep.equal([...transfers].reverse());
      const account = first['sender'];
      expect(await rowsOf(`${path}/transfers?account=${String(account)}&limit=1`)).to.deep.equal(
        transfers.filter(({ sender, recipient }) => sender === account || recipient === account),
      );
      expect(await rowsOf(`${path}/transfers?sender=${String(account)}`)).to.deep.equal(
        transfers.filter(({ sender }) => sender === account),
      );
      expect(await rowsOf(`${path}/transfers?recipient=${String(account)}`)).to.deep.equal(
        transfers.filter(({ recipient }) => recipient === account),
      );
    }
  });

  it('have the course of their supply, as they told it after each block', async () => {
    let changed = 0;
    for (const { token, label } of last.filter(isToldByEvents)) {
      const path = `/middleware/tokens/${token}/supply`;
      const { rows, complete } = (await get(path)) as { rows: Row[]; complete: boolean };
      expect(complete, label).to.equal(true);
      const { supply, initial_supply: initial } = await get(`/middleware/tokens/${token}`);
      const supplies = [...rows.map((row) => row['supply']), initial ?? '0'];
      expect(supplies[0], label).to.equal(supply);
      for (const [i, row] of rows.entries())
        expect(BigInt(row['supply'] as string) - BigInt(row['change'] as string), label).to.equal(
          BigInt(supplies[i + 1] as string),
        );
      // Of each height the last state. Before the first change, the supply is that of the creation.
      for (const [height, total] of new Map(
        tokenStates.filter((state) => state.token === token).map((state) => [state.height, state.total_supply]),
      )) {
        const at = rows.findIndex((row) => Number(row['height']) <= height);
        expect(supplies.at(at), `${label} ${height}`).to.equal(total);
        changed++;
      }
      if (rows.length < 2) continue;
      expect(await get(`${path}?limit=1`)).to.deep.equal({ rows: rows.slice(0, 1), complete: false });
    }
    expect(changed).to.be.above(20);
    for (const { token } of last.filter(({ label }) => LIARS.includes(label)))
      expect(await get(`/middleware/tokens/${token}/supply`)).to.deep.equal({ rows: [], complete: false });
  });

  it('of accounts are what they hold and the single tokens that they own', async () => {
    const accounts = new Set(last.filter(isToldByEvents).flatMap(({ balances }) => Object.keys(balances!)));
    for (const account of accounts) {
      const rows = await rowsOf(`/middleware/accounts/${account}/tokens?limit=2`);
      for (const { token, balances, label } of last.filter(isToldByEvents)) {
        const amount = balances![account] ?? '0';
        const row = rows.find((one) => one['contract_id'] === token);
        expect(row?.['amount'] ?? '0', `${label} ${account}`).to.equal(amount);
        if (row === undefined) continue;
        const { name, symbol, decimals } = await get(`/middleware/tokens/${token}`);
        expect(row).to.include({ name, symbol, decimals });
      }
    }
    const logs = recordedLogs('realnode-tokens');
    const collections = last.filter(({ owners }) => owners !== undefined);
    for (const { token, owners } of collections) {
      const rows = await rowsOf(`/middleware/tokens/${token}/owners?limit=2`);
      expect(rows.map((row) => [row['token_id'], row['owner']])).to.deep.equal(
        Object.entries(owners!).sort(([a], [b]) => (BigInt(a) < BigInt(b) ? -1 : 1)),
      );
      const own = logs.filter(({ contract_id: id, topics }) => id === token && topics.length > 2).reverse();
      for (const row of rows) {
        const event = own.find(
          ({ topics }) => MOVES.includes(BigInt(topics[0]!)) && String(topics.at(-1)) === row['token_id'],
        );
        expect(row['transaction_hash']).to.equal(event!.transaction_hash);
      }
    }
    for (const owner of new Set(collections.flatMap(({ owners }) => Object.values(owners!)))) {
      const expected = collections.flatMap(({ token, owners }) =>
        Object.entries(owners!).flatMap(([id, own]) => (own === owner ? [[token, id]] : [])),
      );
      const rows = await rowsOf(`/middleware/accounts/${owner}/owned-tokens?limit=2`);
      expect(rows.map((row) => [row['contract_id'], row['token_id']])).to.have.deep.members(expected);
      const one = expected[0]![0]!;
      expect(await rowsOf(`/middleware/accounts/${owner}/owned-tokens?contract=${one}`)).to.deep.equal(
        rows.filter((row) => row['contract_id'] === one),
      );
    }
  });

  it('have the same rows as CSV and NDJSON, with amounts by their decimals', async () => {
    const account = Object.keys(last.find(isToldByEvents)!.balances!)[0]!;
    const owner = Object.values(last.find(({ owners }) => owners !== undefined)!.owners!)[0]!;
    const lists = [
      '/middleware/tokens/aex9',
      '/middleware/tokens/aex9?by=creation&limit=5',
      '/middleware/tokens/aex141?by=symbol&order=desc',
      `/middleware/accounts/${account}/tokens`,
      `/middleware/accounts/${owner}/owned-tokens?limit=2`,
      ...last.flatMap(({ token, owners }) => [
        `/middleware/tokens/${token}/holders`,
        `/middleware/tokens/${token}/transfers`,
        ...(owners === undefined ? [] : [`/middleware/tokens/${token}/owners`]),
      ]),
    ];
    for (const path of lists) {
      const rows = (await get(path))['rows'] as Row[];
      const table = await exported(path);
      expect(table, path).to.have.length(rows.length);
      for (const [i, row] of rows.entries()) {
        const other = table[i]!;
        expect(other['contract']).to.equal(row['contract_id'] ?? path.split('/')[3]);
        expect(other['tx_hash'], path).to.equal(row['transaction_hash']);
        expect(other['height']).to.equal(Number(row['height']));
        for (const member of ['amount', 'token_id', 'supply', 'name', 'symbol', 'sender', 'recipient', 'owner'])
          expect(other[member], `${path} ${member}`).to.equal(row[member]);
        if (row['amount'] === undefined || row['decimals'] === undefined) continue;
        const decimals = Number(row['decimals'] ?? -1);
        const expected = decimals < 0 || decimals > 255 ? null : pointed(row['amount'] as string, decimals);
        expect(other['amount_decimal'], path).to.equal(expected);
      }
      const { body, headers } = await service.api.get(path, { headers: { accept: 'text/csv' } });
      expect(headers['content-type']).to.equal('text/csv; charset=utf-8; header=present');
      const [head] = body.split('\r\n');
      if (table[0] !== undefined) expect(head).to.equal(Object.keys(table[0]).join(','));
    }
  });

  it('continue a table of transfers behind a transaction, and refuse one that is gone', async () => {
    const { token } = last.find(isToldByEvents)!;
    const path = `/middleware/tokens/${token}/transfers`;
    for (const order of ['', '&order=asc']) {
      const all = await exported(`${path}?${order}`);
      const middle = all[Math.floor(all.length / 2)]!['tx_hash'];
      const behind = all.slice(all.map((row) => row['tx_hash']).lastIndexOf(middle) + 1);
      expect(behind).not.to.deep.equal([]);
      expect(await exported(`${path}?after=${String(middle)}${order}`)).to.deep.equal(behind);
    }
    const unknown = 'th_SZufyzxPitBWd9GcwUX6Wsam4yFJFF8qgD3sXytBYAPRScyfj';
    const { status } = await service.api.get(`${path}?after=${unknown}`, { headers: { accept: 'text/csv' } });
    expect(status).to.equal(400);
  });

  it('continue a table behind any of its rows, also one that is no longer there', async () => {
    const { token, balances } = last.find(isToldByEvents)!;
    const { token: collection, owners } = last.find((state) => Object.keys(state.owners ?? {}).length > 1)!;
    const heldBy = (account: string): number =>
      last.filter((state) => (state.balances?.[account] ?? '0') !== '0').length;
    const account = Object.keys(balances!).reduce((a, b) => (heldBy(a) >= heldBy(b) ? a : b));
    const ownedBy = (one: string): number =>
      last.flatMap((state) => Object.values(state.owners ?? {})).filter((own) => own === one).length;
    const owner = Object.values(owners!).reduce((a, b) => (ownedBy(a) >= ownedBy(b) ? a : b));
    const places: [path: string, columns: string[]][] = [
      ['/middleware/tokens/aex9?', ['contract']],
      ['/middleware/tokens/aex9?by=creation&', ['contract']],
      ['/middleware/tokens/aex141?by=symbol&order=desc&', ['contract']],
      [`/middleware/accounts/${account}/tokens?`, ['contract']],
      [`/middleware/accounts/${owner}/owned-tokens?`, ['contract', 'token_id']],
      [`/middleware/tokens/${token}/holders?`, ['amount', 'account']],
      [`/middleware/tokens/${token}/holders?by=account&`, ['account']],
      [`/middleware/tokens/${collection}/owners?`, ['token_id']],
      [`/middleware/tokens/${token}/transfers?`, ['tx_hash', 'log_index']],
      [`/middleware/tokens/${token}/transfers?order=asc&`, ['tx_hash', 'log_index']],
    ];
    for (const [path, columns] of places) {
      const all = await exported(path);
      expect(all, path).to.have.length.above(1);
      expect(await exported(`${path}after=`)).to.deep.equal(all);
      for (const [i, row] of all.entries()) {
        const after = columns.map((column) => String(row[column])).join();
        expect(await exported(`${path}after=${after}`), `${path} ${after}`).to.deep.equal(all.slice(i + 1));
      }
    }
    // Nobody has the key 1.
    const holders = `/middleware/tokens/${token}/holders?by=account`;
    const others = (await exported(holders)).filter((row) => wordOf(String(row['account'])) > 1n);
    expect(await exported(`${holders}&after=${ofWord(1n)}`)).to.deep.equal(others);
    for (const path of [
      `${holders}&after=5,${account}`,
      `${holders}&after=${token}`,
      `/middleware/tokens/${token}/holders?after=${account}`,
      `/middleware/tokens/${collection}/owners?after=-1`,
      `/middleware/tokens/${collection}/owners?after=${2n ** 256n}`,
      `/middleware/tokens/${collection}/owners?after='`,
      `/middleware/accounts/${owner}/owned-tokens?after=${collection}`,
      `/middleware/tokens/${token}/transfers?after=${token}`,
      '/middleware/tokens/aex9?after=ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a',
      `/middleware/tokens/aex9?after=${collection}`,
    ]) {
      const { status, body } = await service.api.get(path, { headers: { accept: 'text/csv' } });
      expect([status, body.startsWith('{"reason":"Invalid input: after ')], `${path} ${body}`).to.deep.equal([
        400,
        true,
      ]);
    }
  });

  it('end a table when the newest row that was sent is no longer on the chain', async () => {
    const { token } = last.find(isToldByEvents)!;
    const list = transferList(service.database, { kind: 9, contract: token });
    const ctx = { path: '', query: {}, state: { endpoint: { linkedParameters: [] } } } as unknown as Exchange;
    const pages = { ascending: undefined, cursor: '', take: 10, wanted: null };
    const { next, anchor } = keyExport(ctx, service.database, list, pages, { columns: [], row: () => ({}) });
    const [row] = (await next(null, null)).rows;
    expect((await next(row!, anchor(row!))).isValid).to.equal(true);
    for (const gone of [
      { ...anchor(row!), position: String(BigInt(row!.position) + 65_536n) },
      { ...anchor(row!), hash: 'th_SZufyzxPitBWd9GcwUX6Wsam4yFJFF8qgD3sXytBYAPRScyfj' },
    ])
      expect((await next(row!, gone)).isValid).to.equal(false);
  });

  it('are not other contracts, and a cursor is of one list', async () => {
    const other = 'ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a';
    const collection = last.find(({ owners }) => owners !== undefined)!.token;
    const token = last.find(isToldByEvents)!.token;
    for (const path of ['', '/holders', '/transfers', '/owners'])
      expect((await service.api.get(`/middleware/tokens/${other}${path}`)).status, path).to.equal(404);
    expect((await service.api.get(`/middleware/tokens/${token}/owners`)).status).to.equal(404);
    const { next } = await get('/middleware/tokens/aex9?limit=1');
    const cursor = new URL(String(next), 'http://localhost').searchParams.get('cursor')!;
    for (const path of [
      `/middleware/tokens/aex141?limit=1&cursor=${cursor}`,
      `/middleware/tokens/aex9?by=symbol&cursor=${cursor}`,
      `/middleware/tokens/${collection}/holders?cursor=${cursor}`,
      '/middleware/tokens/aex9?cursor=abc',
      '/middleware/tokens/aex9?prefix=a&exact=b',
      '/middleware/tokens/aex9?by=creation&prefix=a',
      '/middleware/tokens/aex9?by=nothing',
    ]) {
      const { status, body } = await service.api.get(path);
      expect([status, body.startsWith('{"reason":"Invalid input: ')], `${path} ${body}`).to.deep.equal([400, true]);
    }
  });
});

/** How many single tokens each account owns. */
function countsOf(owners: Record<string, string>): Record<string, string> {
  const counts: Record<string, string> = {};
  for (const owner of Object.values(owners)) counts[owner] = String(Number(counts[owner] ?? 0) + 1);
  return counts;
}
