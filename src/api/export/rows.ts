import { integer, readTransaction } from '../../chain/facts.js';
import type { Transaction } from '../../chain/facts.js';
import { isObject, parseExact } from '../../chain/encoding/json.js';
import { callIn } from '../../chain/effective.js';
import type { ExportedMovement } from '../../store/queries/ledger.js';
import type { LogRow } from '../../store/queries/contract-logs.js';
import { inCoins, movementOf, viewOf } from '../../chain/movements.js';
import type { View } from '../../chain/movements.js';
import { AE } from '../../chain/networks.js';
import type { Currency } from '../../chain/networks.js';
import type { ExportedCall, ExportedName } from '../../store/queries/export-objects.js';
import type { AccountTransaction, ExportedTransaction } from '../../store/queries/export-transactions.js';
import type { Row } from './format.js';

const TRANSACTION_COLUMNS = ['time', 'height', 'block_hash', 'hash', 'type'];
const AMOUNT_COLUMNS = ['amount_aettos', 'amount_ae', 'fee_aettos', 'fee_ae', 'nonce'];

export const COLUMNS = {
  account: [...TRANSACTION_COLUMNS, 'direction', 'counterparty', ...AMOUNT_COLUMNS, 'fees_paid_aettos', 'effect'],
  interval: [...TRANSACTION_COLUMNS, 'sender', 'recipient', ...AMOUNT_COLUMNS, 'effect'],
  names: [
    'time',
    'height',
    'block_hash',
    'tx_hash',
    'name',
    'name_hash',
    'owner',
    'created_at_height',
    'auction_end_height',
    'expires_at',
    'pointers',
    'source',
  ],
  ledger: [
    ...['time', 'height', 'block_hash', 'tx_hash', 'kind', 'counterparty'],
    ...['amount_aettos', 'amount_ae', 'balance_aettos', 'balance_ae', 'currency', 'source'],
  ],
  logs: ['time', 'height', 'block_hash', 'tx_hash', 'log_index', 'contract', 'called', 'event', 'topics', 'data'],
  calls: [
    ...TRANSACTION_COLUMNS,
    'caller',
    'contract',
    'function',
    'arguments',
    'return_type',
    'result',
    ...AMOUNT_COLUMNS,
  ],
};

/**
 * A transaction from the view of an account: whether it receives or pays, from or to whom, and what it pays. `digits`: those of the coin after the
 * point, here and below.
 */
export function accountRow(exported: AccountTransaction, account: string, digits = AE.digits): Row {
  const { columns, amountColumns, transaction } = read(exported, digits);
  const stated = viewOf(transaction, account, exported.payees);
  const { direction, counterparty, amount, paid, effect } = changeOf(exported, stated);
  const fees_paid_aettos = paid === null ? null : String(paid);
  return { ...columns, direction, counterparty, ...amountColumns(amount), fees_paid_aettos, effect };
}

/** What the transaction states, with the amounts of the movements where they say all that happened to the account. */
function changeOf({ moved, paid, moved_with: other }: AccountTransaction, stated: View): View {
  if (moved === null || paid === null) return stated;
  const change = BigInt(moved);
  // Who pays oneself has movements in both directions.
  const nothing = stated.direction === 'self' ? stated.amount : 0n;
  return {
    direction: change === 0n ? stated.direction : change > 0n ? 'in' : 'out',
    counterparty: stated.counterparty ?? other,
    amount: change === 0n ? nothing : change > 0n ? change : -change,
    paid: BigInt(paid),
    effect: 'exact',
  };
}

/** A transaction from nobody's view: sender, recipient and amount. */
export function intervalRow(exported: ExportedTransaction, digits = AE.digits): Row {
  const { columns, amountColumns, transaction } = read(exported, digits);
  const { from: sender, to: recipient, amount, effect } = movementOf(transaction);
  return { ...columns, sender, recipient, ...amountColumns(amount), effect };
}

export const nameRow = ({ position, time, ...name }: ExportedName): Row => ({
  time: iso(time),
  height: Number(BigInt(position) >> 33n),
  block_hash: name.block_hash,
  tx_hash: name.tx_hash,
  name: name.name,
  name_hash: name.name_hash,
  owner: name.owner,
  created_at_height: Number(name.created_at_height),
  auction_end_height: Number(name.auction_end_height),
  expires_at: Number(name.expires_at),
  pointers: name.pointers,
  source: name.source,
});

export function callRow(exported: ExportedCall, digits = AE.digits): Row {
  const { columns, amountColumns, transaction } = read(exported, digits);
  const { from: caller, amount } = movementOf(transaction);
  const decoded = parseExact(exported.arguments);
  const called = isObject(decoded) ? decoded['function'] : null;
  const call = exported.info === null ? undefined : callIn(parseExact(exported.info));
  const returned = call?.['return_type'];
  return {
    ...columns,
    caller,
    contract: exported.contract_id,
    function: typeof called === 'string' ? called : null,
    arguments: exported.arguments,
    return_type: typeof returned === 'string' ? returned : null,
    result: exported.result,
    ...amountColumns(amount),
  };
}

/** The topics are one text, separated by spaces: they have too many digits for numbers. */
export const logRow = ({ position, time, hash, ...log }: LogRow): Row => ({
  time: iso(time),
  height: Number(BigInt(position) >> 33n),
  block_hash: log.block_hash,
  tx_hash: hash,
  log_index: log.log_index,
  contract: log.contract_id,
  called: log.called_id ?? log.contract_id,
  event: log.event,
  topics: log.topics.join(' '),
  data: log.data,
});

export const ledgerRow = (
  { position, time, ...movement }: ExportedMovement,
  { digits, symbol }: Pick<Currency, 'digits' | 'symbol'> = AE,
): Row => ({
  time: iso(time),
  height: Number(BigInt(position) >> 33n),
  block_hash: movement.block_hash,
  tx_hash: movement.tx_hash,
  kind: movement.kind,
  counterparty: movement.counterparty,
  amount_aettos: movement.amount,
  amount_ae: inCoins(BigInt(movement.amount), digits),
  balance_aettos: movement.balance,
  balance_ae: inCoins(BigInt(movement.balance), digits),
  currency: symbol,
  source: movement.from_node ? 'node' : 'chain',
});

interface ReadTransaction {
  /** The values of TRANSACTION_COLUMNS. */
  columns: Row;
  /** The values of AMOUNT_COLUMNS. */
  amountColumns: (amount: bigint | null) => Row;
  transaction: Transaction;
}

function read(exported: ExportedTransaction, digits: number): ReadTransaction {
  const transaction = { ...readTransaction(exported.body), info: exported.info };
  const nonce = integer(transaction.tx['nonce']);
  return {
    columns: {
      time: iso(exported.time),
      height: Number(exported.height),
      block_hash: exported.block_hash,
      hash: exported.hash,
      type: transaction.type,
    },
    amountColumns: (amount) => ({
      amount_aettos: amount === null ? null : String(amount),
      amount_ae: amount === null ? null : inCoins(amount, digits),
      fee_aettos: String(transaction.fee),
      fee_ae: inCoins(transaction.fee, digits),
      nonce: nonce === undefined ? null : String(nonce),
    }),
    transaction,
  };
}

const iso = (time: string): string => new Date(Number(time)).toISOString();
