import { withPrefix } from '../../../chain/encoding/encoding.js';
import type { JsonObject } from '../../../chain/encoding/json.js';
import { LAST_POSITION } from '../../../chain/position.js';
import type { Queryable } from '../../../store/connection/database.js';
import * as queries from '../../../store/queries/compat/objects.js';
import { compatTokenKinds } from '../../../store/queries/compat/tokens.js';
import { compatTransactionsAt } from '../../../store/queries/compat/transactions.js';
import { effectOf } from '../effects.js';
import { compatible } from '../endpoint.js';
import { notAvailable, notFound } from '../errors.js';
import { inOrder, list } from '../page.js';
import type { ReadPart, Row } from '../page.js';
import { id } from '../parameters.js';
import * as s from '../schemas.js';
import { positionsOf } from '../scope.js';

/** Types of the transactions that run contracts, which may create others. */
const RUNNING = ['ContractCallTx', 'ContractCreateTx', 'GAAttachTx'];

/** FATE: no other machine lets contracts create others. */
const ABI_VERSION = 3;

/** What is known of a creation by a contract, in the form of a transaction. Nothing tells the arguments of its `init`, nor its version of the machine. */
const createdBy = (creator: string, { nonce, amount, code }: queries.CreatedRow): JsonObject => ({
  owner_id: withPrefix('ak', creator),
  nonce: BigInt(nonce!),
  code,
  vm_version: null,
  abi_version: ABI_VERSION,
  deposit: 0,
  amount: BigInt(amount!),
  gas: 0,
  gas_price: 0,
  call_data: null,
  fee: 0,
});

async function contractRows(db: Queryable, created: readonly queries.CreatedRow[]): Promise<Row[]> {
  const positions = created.map(({ position }) => BigInt(position));
  const { rows } = await compatTransactionsAt(db, positions);
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  const tokens = await compatTokenKinds(
    db,
    created.map(({ id: contract }) => contract),
  );
  const kinds = new Map(tokens.rows.map((token) => [token.contract_id, `aex${token.kind}`]));
  return created.flatMap((one): Row[] => {
    const { id: contract, position, index, creator } = one;
    const row = byPosition.get(position);
    const effect =
      row === undefined ? undefined : effectOf(row, creator === null ? ['ContractCreateTx', 'GAAttachTx'] : RUNNING);
    if (effect === undefined) return [];
    const { type: _type, version: _version, ...members } = creator === null ? effect.tx : createdBy(creator, one);
    const { block_hash: block, source_tx_hash: source, source_tx_type: type } = effect.common;
    const value = {
      contract,
      aexn_type: kinds.get(contract) ?? null,
      block_hash: block!,
      source_tx_hash: source!,
      source_tx_type: type!,
      create_tx: members,
    };
    return [{ key: [BigInt(position), BigInt(index)], value }];
  });
}

/** The place after which a part begins. */
function afterOf({ ascending, from, inclusive }: Parameters<ReadPart>[0]): { position: bigint; index: number } {
  if (from === undefined) return ascending ? { position: -1n, index: 0 } : { position: LAST_POSITION, index: 0 };
  const [position, index] = from as [bigint, bigint];
  const before = ascending ? -1 : 1;
  return { position, index: Number(index) + (inclusive ? before : 0) };
}

export const contracts = list({
  v3: { path: '/contracts', id: 'GetContracts' },
  tag: 'Contracts',
  summary: 'Contracts by the transactions that created them, also by calls within them, newest first',
  row: s.contract,
  key: ['int', 'int'],
  hasCount: true,
  scopes: ['gen', 'time', 'transaction'],
  async open({ scope }, { db }) {
    const { forward, ...range } = await positionsOf(db, scope);
    return {
      forward,
      total: () => queries.compatContractTotal(db, range),
      async read(part) {
        const { ascending, take } = part;
        const { rows, head } = await queries.compatContracts(db, range, { ascending, after: afterOf(part), take });
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
