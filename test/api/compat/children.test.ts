import { expect } from 'chai';
import { encodeId, withPrefix } from '../../../src/chain/encoding/encoding.js';
import { keyPosition } from '../../../src/chain/position.js';
import { createRosettaNode } from '../../../src/node/rosetta.js';
import { writeIdentity } from '../../../src/store/chain-state.js';
import { below, pagesBefore, pagesOf, recordedService, rowsOf } from '../../support/compat.js';
import type { Page, RecordedService } from '../../support/compat.js';
import { keepMoney } from '../../support/keep-money.js';
import { recordedChildren, recordedNodeBlocks } from '../../support/recorded-money.js';
import { recordedNode } from '../../support/recorded-node.js';
import { recordedTokens } from '../../support/recorded-tokens.js';
import { tamper } from '../../support/roles.js';
import { startRosetta } from '../../support/rosetta.js';

const OF = 'realnode-tokens';

interface Contract {
  contract: string;
  aexn_type: string | null;
  block_hash: string;
  source_tx_hash: string;
  source_tx_type: string;
  create_tx: Record<string, unknown>;
}

describe('contracts that calls created, in the compatible API', () => {
  let service: RecordedService;
  let all: Contract[];

  before(async () => {
    service = await recordedService(OF);
    const rosetta = await startRosetta(OF);
    const client = createRosettaNode({ url: rosetta.url, timeoutMs: 10_000 });
    const { database } = service;
    await writeIdentity(database, { networkId: 'ae_dev', genesisHash: 'kh_genesis' });
    await keepMoney(
      { database, node: recordedNode(undefined, OF), rosetta: client, rewards: { delay: 10, treasury: null } },
      async () => {
        const { rows } = await database.query<{ is_done: boolean }>({
          name: 'test.ledger',
          text: 'SELECT position >= $1 AND NOT EXISTS (SELECT FROM ledger_questions) AS is_done FROM ledger',
          values: [keyPosition(703)],
        });
        return rows[0]?.is_done === true;
      },
    );
    client.close();
    await rosetta.close();
    all = (await rowsOf(service.api, '/v3/contracts?direction=forward&limit=100')) as unknown as Contract[];
  });
  after(() => service.close());

  it('are listed among the others, where they were created', async () => {
    const children = all.filter(({ contract }) => recordedChildren[contract] !== undefined);
    expect(Object.fromEntries(children.map((row) => [row.contract, row.source_tx_hash]))).to.deep.equal(
      recordedChildren,
    );
    for (const row of children) {
      const transaction = (await service.api.json(below(`/v3/transactions/${row.source_tx_hash}`))) as {
        block_hash: string;
        tx: { type: string };
      };
      expect([row.block_hash, row.source_tx_type]).to.deep.equal([transaction.block_hash, transaction.tx.type]);
    }
    expect(new Set(children.map((row) => row.source_tx_type))).to.include('ContractCallTx');
    const order = await Promise.all(
      all.map(async ({ source_tx_hash: hash }) => {
        const row = (await service.api.json(below(`/v2/txs/${hash}`))) as { tx_index: number };
        return row.tx_index;
      }),
    );
    expect(order).to.deep.equal([...order].sort((a, b) => a - b));
  });

  it('say who created them, with how many coins, and what is not known', () => {
    let withCode = 0;
    for (const { contract, aexn_type: type, create_tx: tx } of all) {
      if (recordedChildren[contract] === undefined) continue;
      const { owner_id: owner, nonce, amount, code, ...rest } = tx;
      expect(rest).to.deep.equal({
        ...{ vm_version: null, abi_version: 3, deposit: 0, gas: 0, gas_price: 0, fee: 0, call_data: null },
      });
      const creator = withPrefix('ct', owner as string);
      expect(
        all.some((one) => one.contract === creator),
        creator,
      ).to.equal(true);
      const paid = [...recordedNodeBlocks(OF).values()]
        .flatMap(({ transactions }) => transactions.get(recordedChildren[contract]!) ?? [])
        .find(({ account, type: kind }) => kind === 'Spend.amount' && account === withPrefix('ak', contract));
      expect(BigInt(amount as number)).to.equal(paid!.amount);
      expect(nonce).to.be.a('number').above(0);
      if (code !== null) expect(code).to.match(/^cb_/);
      withCode += code === null ? 0 : 1;
      if (recordedTokens[contract] !== undefined) expect(type).to.equal('aex9');
    }
    expect(withCode).to.be.above(0);
  });

  it('are paged as all lists, forwards and backwards', async () => {
    const ids = (pages: Page[]): unknown[] => pages.flatMap(({ data }) => data.map(({ contract }) => contract));
    for (const direction of ['forward', 'backward'])
      for (const limit of [1, 2, 7]) {
        const pages = await pagesOf(service.api, `/v3/contracts?direction=${direction}&limit=${limit}`);
        const expected = all.map(({ contract }) => contract);
        expect(ids(pages)).to.deep.equal(direction === 'forward' ? expected : expected.reverse());
        expect(ids(await pagesBefore(service.api, pages.at(-1)!))).to.deep.equal(ids(pages));
      }
    const { rows } = await service.database.query<{ height: number }>({
      name: 'test.heights',
      text: 'SELECT (position >> 33)::int AS height FROM child_contracts',
    });
    const heights = rows.map(({ height }) => height);
    const [low, high] = [Math.min(...heights), Math.max(...heights)];
    const inScope = await rowsOf(service.api, `/v3/contracts?scope=gen:${low}-${high}&limit=100`);
    expect(inScope.filter(({ contract }) => recordedChildren[contract as string] !== undefined)).to.have.length(
      heights.length,
    );
    expect(await rowsOf(service.api, `/v3/contracts?scope=gen:${high + 1}-703&limit=100`)).to.not.deep.include({
      contract: Object.keys(recordedChildren)[0],
    });
  });

  it('are objects of their own, in both versions', async () => {
    for (const row of all)
      for (const version of ['v2', 'v3'])
        expect(await service.api.json(below(`/${version}/contracts/${row.contract}`))).to.deep.equal(row);
    const unknown = encodeId('ct', Buffer.alloc(32, 7));
    expect((await service.api.get(below(`/v3/contracts/${unknown}`))).status).to.equal(404);
  });

  it('are named by logs with the transaction that created them', async () => {
    const rows = await rowsOf(service.api, '/v3/contracts/logs?limit=100');
    const made = new Map(all.map((row) => [row.contract, row.source_tx_hash]));
    expect(rows.some(({ contract_id: id }) => recordedChildren[id as string] !== undefined)).to.equal(true);
    for (const { contract_id: id, contract_tx_hash: hash } of rows) expect(hash).to.equal(made.get(id as string));
  });

  it('that may have failed are there only if something else proves that they exist', async () => {
    const { rows } = await service.database.query<{ id: string; is_seen: boolean }>({
      name: 'test.seen',
      text: `
        SELECT c.id, EXISTS (SELECT FROM contract_logs AS l WHERE l.contract_id = c.id)
          OR EXISTS (SELECT FROM contract_codes AS o WHERE o.contract_id = c.id AND o.code IS NOT NULL) AS is_seen
        FROM child_contracts AS c`,
    });
    const idsOf = (isSeen: boolean): string[] => rows.flatMap((row) => (row.is_seen === isSeen ? [row.id] : []));
    expect(Math.min(idsOf(true).length, idsOf(false).length)).to.be.above(1);
    await tamper(service.database, 'UPDATE child_contracts SET is_certain = false');
    const ids = (await rowsOf(service.api, '/v3/contracts?limit=100')).map(({ contract }) => contract);
    expect(ids).to.include.members(idsOf(true));
    for (const id of idsOf(false)) expect(ids).to.not.include(id);
    for (const [isSeen, status] of [
      [true, 200],
      [false, 404],
    ] as const)
      for (const id of idsOf(isSeen))
        expect((await service.api.get(below(`/v3/contracts/${id}`))).status).to.equal(status);
    await tamper(service.database, 'UPDATE child_contracts SET is_certain = true');
  });
});
