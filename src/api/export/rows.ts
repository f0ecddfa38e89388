import { effectiveOf } from '../../chain/effective.js';
import { integer, readTransaction } from '../../chain/facts.js';
import type { Transaction } from '../../chain/facts.js';
import { isObject, parseExact } from '../../chain/json.js';
import { inAe, movementsOf } from '../../chain/movements.js';
import type { Movement } from '../../chain/movements.js';
import type { Effective } from '../../chain/operations.js';
import type { ExportedCall, ExportedName } from '../../store/queries/export-objects.js';
import type { ExportedTransaction } from '../../store/queries/export-transactions.js';
import type { Row } from './format.js';

const PLACE = ['time', 'height', 'block_hash', 'hash', 'type'];
const FIGURES = ['amount_aettos', 'amount_ae', 'fee_aettos', 'fee_ae', 'nonce'];

export const COLUMNS = {
  account: [...PLACE, 'direction', 'counterparty', ...FIGURES],
  interval: [...PLACE, 'sender', 'recipient', ...FIGURES],
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
  ],
  calls: [...PLACE, 'caller', 'contract', 'function', 'arguments', 'return_type', 'result', ...FIGURES],
};

/** A transaction as an account sees it; what it paid is its own only where the direction is `out` or `self`. */
export function accountRow(exported: ExportedTransaction, account: string): Row {
  const { place, figures, effective } = read(exported);
  const movements = movementsOf(effective);
  // Where nothing names the account, a name does that pointed to it.
  const named = movements.filter(({ from, to }) => from === account || to === account);
  const own = named.length > 0 ? named : movements.filter(({ to }) => to?.startsWith('nm_') === true);
  const [first] = own;
  const direction = first === undefined ? null : directionOf(first, account);
  const counterparty = first === undefined ? null : first.from === account ? first.to : first.from;
  const amount = direction === null ? null : sum(own.filter((one) => directionOf(one, account) === direction));
  return { ...place, direction, counterparty, ...figures(amount) };
}

/** A transaction as such. */
export function intervalRow(exported: ExportedTransaction): Row {
  const { place, figures, effective } = read(exported);
  const movements = movementsOf(effective);
  const [first] = movements;
  const { from: sender = null, to: recipient = null } = first ?? {};
  return { ...place, sender, recipient, ...figures(first === undefined ? null : sum(movements)) };
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
});

export function callRow(exported: ExportedCall): Row {
  const { place, figures, effective } = read(exported);
  const { tx } = effective;
  const decoded = parseExact(exported.arguments);
  const called = isObject(decoded) ? decoded['function'] : null;
  const info = exported.info === null ? null : parseExact(exported.info);
  const call = isObject(info ?? undefined) ? (info as Record<string, unknown>)['call_info'] : null;
  const returned = (call as { return_type?: unknown } | null)?.return_type;
  return {
    ...place,
    caller: typeof tx['caller_id'] === 'string' ? tx['caller_id'] : null,
    contract: exported.contract_id,
    function: typeof called === 'string' ? called : null,
    arguments: exported.arguments,
    return_type: typeof returned === 'string' ? returned : null,
    result: exported.result,
    ...figures(sum(movementsOf(effective))),
  };
}

interface Read {
  place: Row;
  figures: (amount: bigint | null) => Row;
  effective: Pick<Effective, 'type' | 'tx'>;
}

function read(exported: ExportedTransaction): Read {
  const transaction = { ...readTransaction(exported.body), info: exported.info };
  const nonce = integer(transaction.tx['nonce']);
  return {
    place: {
      time: iso(exported.time),
      height: Number(exported.height),
      block_hash: exported.block_hash,
      hash: exported.hash,
      type: transaction.type,
    },
    figures: (amount) => ({
      amount_aettos: amount === null ? null : String(amount),
      amount_ae: amount === null ? null : inAe(amount),
      fee_aettos: String(transaction.fee),
      fee_ae: inAe(transaction.fee),
      nonce: nonce === undefined ? null : String(nonce),
    }),
    effective: effective(transaction),
  };
}

/** What cannot be taken apart is told as it stands. */
function effective(transaction: Transaction): Pick<Effective, 'type' | 'tx'> {
  try {
    return effectiveOf(transaction);
  } catch {
    return transaction;
  }
}

function directionOf({ from, to }: Movement, account: string): 'in' | 'out' | 'self' {
  if (from !== account) return 'in';
  return to === account ? 'self' : 'out';
}

const sum = (movements: readonly Movement[]): bigint => movements.reduce((total, { amount }) => total + amount, 0n);

const iso = (time: string): string => new Date(Number(time)).toISOString();
