import type { Queryable } from '../../../store/connection/database.js';
import * as queries from '../../../store/queries/compat/objects.js';
import { compatTokenKinds } from '../../../store/queries/compat/tokens.js';
import { compatTransactionsAt } from '../../../store/queries/compat/transactions.js';
import { effectOf } from '../effects.js';
import { compatible } from '../endpoint.js';
import { notAvailable, notFound } from '../errors.js';
import { inOrder, list, rangeOf } from '../page.js';
import type { Row } from '../page.js';
import { id } from '../parameters.js';
import * as s from '../schemas.js';
import { positionsOf } from '../scope.js';

async function contractRows(db: Queryable, created: readonly { id: string; position: string }[]): Promise<Row[]> {
  const positions = created.map(({ position }) => BigInt(position));
  const { rows } = await compatTransactionsAt(db, positions);
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  const tokens = await compatTokenKinds(
    db,
    created.map(({ id: contract }) => contract),
  );
  const kinds = new Map(tokens.rows.map((token) => [token.contract_id, `aex${token.kind}`]));
  return created.flatMap(({ id: contract, position }): Row[] => {
    const row = byPosition.get(position);
    const effect = row === undefined ? undefined : effectOf(row, ['ContractCreateTx', 'GAAttachTx']);
    if (effect === undefined) return [];
    const { type: _type, version: _version, ...members } = effect.tx;
    const { block_hash: block, source_tx_hash: source, source_tx_type: type } = effect.common;
    const value = {
      contract,
      aexn_type: kinds.get(contract) ?? null,
      block_hash: block!,
      source_tx_hash: source!,
      source_tx_type: type!,
      create_tx: members,
    };
    return [{ key: [BigInt(position)], value }];
  });
}

export const contracts = list({
  v3: { path: '/contracts', id: 'GetContracts' },
  tag: 'Contracts',
  summary: 'Contracts by the transactions that created them, newest first',
  row: s.contract,
  key: ['int'],
  scopes: ['gen', 'time', 'transaction'],
  async open({ scope }, { db }) {
    const { forward, ...range } = await positionsOf(db, scope);
    return {
      forward,
      async read(part) {
        const { rows, head } = await queries.compatContracts(db, rangeOf(part, range), part);
        return { rows: inOrder(await contractRows(db, rows), part), head };
      },
    };
  },
});

export const contract = compatible({
  v3: { path: '/contracts/{id}', id: 'GetContract' },
  v2: { path: '/contracts/{id}', id: 'get_contract' },
  tag: 'Contracts',
  summary: 'A contract and the transaction that created it',
  params: { id: id('A contract.', 'ct') },
  answer: s.contract,
  async handle({ params }, { db }) {
    const { rows, head } = await queries.compatContract(db, params.id);
    const [row] = await contractRows(db, rows);
    if (row !== undefined) return { value: row.value, head };
    // No stored transaction says by which call it was made, but 404 would say that it does not exist.
    throw (await queries.isMadeOtherwise(db, params.id)).row?.made === true ? notAvailable() : notFound(params.id);
  },
});
