import { expect } from 'chai';
import { recordedService } from '../support/compat.js';
import type { RecordedService } from '../support/compat.js';
import { exportedRows, rowsOf as readRows } from '../support/key-lists.js';
import type { Row } from '../support/key-lists.js';
import { recordedTokens } from '../support/recorded-tokens.js';
import { tamper } from '../support/roles.js';

const MEMBERS = ['contract_id', 'owner', 'spender', 'amount', 'name', 'symbol'] as const;

/** As recorded tokens told them at the last block. */
const recorded = Object.entries(recordedTokens).flatMap(([contract, { allowances, meta_info: info }]) =>
  Object.values(allowances ?? []).map(([{ from_account: owner, for_account: spender }, amount]) => ({
    ...{ contract_id: contract, owner, spender, amount },
    ...{ name: (info as Row)['name'], symbol: (info as Row)['symbol'] },
    decimals: info !== undefined && 'decimals' in info ? info.decimals! : '',
  })),
);

describe('allowances of tokens', () => {
  let service: RecordedService;

  before(async () => (service = await recordedService('realnode-tokens')));
  after(() => service.close());

  const rowsOf = (path: string): Promise<Row[]> => readRows(service.api, path);

  const known = (rows: readonly Row[]): Row[] =>
    rows.map((row) => Object.fromEntries(MEMBERS.map((member) => [member, row[member]])));
  const expected = (of: (one: (typeof recorded)[number]) => boolean): Row[] => known(recorded.filter(of));

  it('of a token are what it tells, page by page in one order', async () => {
    expect(recorded).to.have.length.above(4);
    for (const contract of new Set(recorded.map(({ contract_id: id }) => id))) {
      const rows = await rowsOf(`/middleware/tokens/${contract}/allowances?limit=1`);
      expect(known(rows)).to.have.deep.members(expected(({ contract_id: id }) => id === contract));
      expect(await rowsOf(`/middleware/tokens/${contract}/allowances?limit=1&order=desc`)).to.deep.equal(
        [...rows].reverse(),
      );
      for (const row of rows) {
        const { body } = await service.api.get(`/v3/transactions/${String(row['transaction_hash'])}`);
        expect(String((JSON.parse(body) as Row)['block_height'])).to.equal(row['height']);
      }
    }
  });

  it('of an account are those that it gave, or that it has, of all tokens or of one', async () => {
    for (const as of ['owner', 'spender'] as const)
      for (const account of new Set(recorded.map((one) => one[as]))) {
        const path = `/middleware/accounts/${account}/allowances?limit=1&as=${as}`;
        const rows = await rowsOf(path);
        expect(known(rows)).to.have.deep.members(expected((one) => one[as] === account));
        const ids = rows.map(({ contract_id: id }) => id as string);
        expect(ids).to.deep.equal([...ids].sort());
        if (as === 'owner') expect(await rowsOf(path.replace('&as=owner', ''))).to.deep.equal(rows);
        for (const contract of new Set(ids))
          expect(await rowsOf(`${path}&contract=${contract}`)).to.deep.equal(
            rows.filter(({ contract_id: id }) => id === contract),
          );
      }
  });

  const exported = (path: string): Promise<Row[]> => exportedRows(service.api, path);

  it('are tables, too', async () => {
    const [{ owner }] = recorded as [(typeof recorded)[number]];
    const rows = await exported(`/middleware/accounts/${owner}/allowances`);
    expect(rows).to.have.length(recorded.filter((one) => one.owner === owner).length);
    for (const row of rows) {
      const one = recorded.find(
        ({ contract_id: id, spender }) => id === row['contract'] && spender === row['spender'],
      )!;
      expect(row).to.include({ owner, amount: one.amount, event_amount: one.amount, state: 'ok' });
      const decimals = Number(one.decimals);
      const [whole, fraction = ''] = String(row['amount_decimal']).split('.');
      expect(BigInt(`${whole}${fraction.padEnd(decimals, '0')}`)).to.equal(BigInt(one.amount));
    }
  });

  it('continue a table behind any of its rows', async () => {
    for (const { contract_id: contract, owner, spender } of recorded)
      for (const [path, columns] of [
        [`/middleware/tokens/${contract}/allowances?`, ['owner', 'spender']],
        [`/middleware/accounts/${owner}/allowances?`, ['contract', 'spender']],
        [`/middleware/accounts/${spender}/allowances?as=spender&`, ['contract', 'owner']],
      ] as const) {
        const all = await exported(path);
        for (const [i, row] of all.entries()) {
          const after = columns.map((column) => String(row[column])).join();
          expect(await exported(`${path}after=${after}`), `${path} ${after}`).to.deep.equal(all.slice(i + 1));
        }
      }
  });

  it('have no amount before the token has told it, and what the event says beside', async () => {
    const [{ contract_id: contract, amount }] = recorded as [(typeof recorded)[number]];
    await tamper(service.database, [
      `UPDATE token_allowances SET state = 'due', told = NULL, answer = NULL, due_at = 'infinity' WHERE contract_id = '${contract}'`,
    ]);
    const [row] = await rowsOf(`/middleware/tokens/${contract}/allowances`);
    expect(row).to.include({ amount: null, state: 'due' });
    expect(recorded.map((one) => one.amount)).to.include(row!['event_amount']);
    expect(amount).to.be.a('string');
  });

  it('are refused of contracts that are no tokens of AEX-9, and with another side', async () => {
    const collection = Object.entries(recordedTokens).find(([, token]) => token.aex141_extensions !== undefined)![0];
    expect((await service.api.get(`/middleware/tokens/${collection}/allowances`)).status).to.equal(404);
    const [{ owner }] = recorded as [(typeof recorded)[number]];
    expect((await service.api.get(`/middleware/accounts/${owner}/allowances?as=other`)).status).to.equal(400);
  });
});
