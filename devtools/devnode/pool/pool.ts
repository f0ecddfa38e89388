/** The pool: transactions that wait for a block, and the rules by which posted ones are accepted. */
import { decodeId, encodeId, hash } from '../../../src/chain/encoding/encoding.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { stringifyExact } from '../../../src/chain/encoding/json.js';
import { MalformedError } from '../../../src/chain/malformed.js';
import { parseSigned } from '../../../src/chain/serialize/parse.js';
import type { ParsedSigned } from '../../../src/chain/serialize/parse.js';
import { isAllowed } from '../ledger/execute.js';
import { feeFault, MAX_AUTHENTICATION_GAS } from '../ledger/fees.js';
import { big, originOf, text } from '../ledger/members.js';
import { pointerOf, recipientOf } from '../ledger/execution.js';
import type { Rules } from '../ledger/rules.js';
import { isSigned } from '../ledger/signatures.js';
import type { State } from '../ledger/state.js';
import { Refusal } from '../ledger/types.js';

export interface Pending {
  /** th_ */
  id: string;
  hash: Uint8Array;
  /** The signed transaction, serialised. */
  signed: Uint8Array;
  /** As the node prints it. */
  tx: JsonObject;
  /** ak_ */
  origin: string;
  /** Absent for a GAMetaTx. */
  nonce: bigint | undefined;
  fee: bigint;
  /** Gas price of a contract transaction; 0 for others. */
  gasPrice: bigint;
  /** Height at which it was posted. */
  addedAt: number;
  /** End of the envelope from `encoded_tx` on, which is the same in every block. */
  tail: string;
  /** The envelope as the node prints it while the transaction waits. */
  envelope(): string;
}

type PoolCode =
  | 'broken_tx'
  | 'already_accepted'
  | 'already_known'
  | 'invalid_at_protocol'
  | 'signature_check_failed'
  | 'insufficient_funds'
  | 'generalized_account_cant_sign_non_meta_tx'
  | 'nonce_too_low'
  | 'nonce_too_high'
  | 'too_much_gas_for_auth_function'
  | 'too_low_fee'
  | 'too_low_gas_price'
  | 'too_low_gas_price_for_miner'
  | 'account_is_not_payable'
  | 'could_not_resolve_recipient'
  | 'ttl_expired';

export interface Pool {
  readonly size: number;
  /** Adds a serialised signed transaction, or returns the code of the rejection. */
  post(signed: Uint8Array): { id: string } | { code: PoolCode };
  find(id: string): Pending | undefined;
  /** All transactions: highest fee first, then highest gas price, then by account and nonce. */
  list(): Pending[];
  of(account: string): Pending[];
  /**
   * Next nonce of an account: one more than its highest nonce, pending ones included; with `continuity` the first free nonce. Undefined if there is
   * no such account; 0 for a generalized account.
   */
  nextNonce(account: string, strategy?: 'max' | 'continuity'): bigint | undefined;
  /** Removes a transaction. */
  drop(id: string): void;
  /** `included`, `includable`, or the reason why it cannot be included now; undefined if the transaction is not known. */
  check(id: string): string | undefined;
  /** A serialised signed transaction as an entry of the pool; undefined if it is not a valid transaction. */
  pending(signed: Uint8Array): Pending | undefined;
  /** Adds a transaction that lost its block again. */
  restore(signed: Uint8Array): void;
  /** Removes transactions that are in a block or can never be in one. Returns the latter. */
  clean(): Pending[];
}

interface PoolParts {
  rules: Rules;
  networkId: string;
  /** State after the newest block. */
  state(): State;
  /** Whether a transaction is in a block of the main chain. */
  isIncluded(hash: Uint8Array): boolean;
  /** Why a transaction cannot be executed now; undefined if it can. */
  refusal(transaction: Pending): string | undefined;
}

/** Max difference between the nonce of a transaction and that of its account. */
const NONCE_WINDOW = 5n;
/** Max number of generations that a transaction waits. */
const LIFETIME = 6_720;

export function createPool({ rules, networkId, state, isIncluded, refusal }: PoolParts): Pool {
  const pending = new Map<string, Pending>();

  function rejectionCode(parsed: ParsedSigned, id: string, bytes: Uint8Array): PoolCode | undefined {
    const now = state();
    if (isIncluded(bytes)) return 'already_accepted';
    if (pending.has(id)) return 'already_known';
    const { tx } = parsed;
    if (!isAllowed(tx, now.version)) return 'invalid_at_protocol';
    if (!isSigned(parsed, now, networkId)) return 'signature_check_failed';
    return (
      originFault(tx, now) ??
      gasFault(tx) ??
      feeFault(tx, now.height, rules) ??
      recipientFault(tx, now) ??
      (tx['ttl'] !== undefined && big(tx, 'ttl') < BigInt(now.height) ? 'ttl_expired' : undefined)
    );
  }

  /**
   * Real nodes accept transactions of an account that cannot pay, but never include them. The specification refuses transactions of an account
   * without any coins, and so does this pool.
   */
  function originFault(tx: JsonObject, now: State): PoolCode | undefined {
    const account = now.account(originOf(tx));
    if (text(tx, 'type') === 'GAMetaTx') return account === undefined ? 'insufficient_funds' : undefined;
    if (account?.authentication !== undefined) return 'generalized_account_cant_sign_non_meta_tx';
    const nonce = big(tx, 'nonce');
    if (nonce <= (account?.nonce ?? 0n)) return 'nonce_too_low';
    if (nonce > (account === undefined ? 1n : account.nonce + NONCE_WINDOW)) return 'nonce_too_high';
    return account === undefined || account.balance === 0n ? 'insufficient_funds' : undefined;
  }

  function toPending(parsed: ParsedSigned, signed: Uint8Array, id: string, bytes: Uint8Array): Pending {
    const { tx } = parsed;
    const tail = tailOf(parsed, signed, id);
    return {
      id,
      hash: bytes,
      signed,
      tx,
      origin: originOf(tx),
      nonce: tx['nonce'] === undefined ? undefined : big(tx, 'nonce'),
      fee: big(tx, 'fee'),
      gasPrice: big(tx, 'gas_price'),
      addedAt: state().height,
      tail,
      envelope: () => `{"block_hash":"none","block_height":-1,${tail}`,
    };
  }

  function post(signed: Uint8Array): { id: string } | { code: PoolCode } {
    const parsed = tryParse(signed);
    if (parsed === undefined) return { code: 'broken_tx' };
    const bytes = hash(signed);
    const id = encodeId('th', bytes);
    const code = rejectionCode(parsed, id, bytes);
    if (code !== undefined) return { code };
    pending.set(id, toPending(parsed, signed, id, bytes));
    return { id };
  }

  function pendingOf(signed: Uint8Array): Pending | undefined {
    const parsed = tryParse(signed);
    const bytes = hash(signed);
    return parsed === undefined ? undefined : toPending(parsed, signed, encodeId('th', bytes), bytes);
  }

  function isExpired({ tx, origin, nonce, addedAt }: Pending, now: State): boolean {
    if (tx['ttl'] !== undefined && big(tx, 'ttl') < BigInt(now.height)) return true;
    if (now.height > addedAt + LIFETIME) return true;
    return nonce !== undefined && nonce <= (now.account(origin)?.nonce ?? 0n);
  }

  const of = (account: string): Pending[] =>
    [...pending.values()].filter(({ origin }) => origin === account).sort(byNonce);

  return {
    get size() {
      return pending.size;
    },
    post,
    find: (id) => pending.get(id),
    list: () => [...pending.values()].sort(byPriority),
    of,
    nextNonce(account, strategy = 'max') {
      const known = state().account(account);
      if (known === undefined) return undefined;
      if (known.authentication !== undefined) return 0n;
      const waiting = of(account).map(({ nonce }) => nonce ?? 0n);
      if (strategy === 'max') return 1n + waiting.reduce((max, nonce) => (nonce > max ? nonce : max), known.nonce);
      let next = known.nonce + 1n;
      while (waiting.includes(next)) next += 1n;
      return next;
    },
    drop: (id) => void pending.delete(id),
    check(id) {
      if (isIncluded(decodeId(id, 'th'))) return 'included';
      const waiting = pending.get(id);
      return waiting === undefined ? undefined : (refusal(waiting) ?? 'includable');
    },
    pending: pendingOf,
    restore(signed) {
      const one = pendingOf(signed);
      if (one !== undefined) pending.set(one.id, one);
    },
    clean() {
      const now = state();
      const expired: Pending[] = [];
      for (const one of [...pending.values()]) {
        if (isIncluded(one.hash)) pending.delete(one.id);
        else if (isExpired(one, now)) {
          pending.delete(one.id);
          expired.push(one);
        }
      }
      return expired;
    },
  };
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
const byNonce = (a: Pending, b: Pending): number => compare(a.nonce ?? 0n, b.nonce ?? 0n);

const byPriority = (a: Pending, b: Pending): number =>
  compare(b.fee, a.fee) ||
  compare(b.gasPrice, a.gasPrice) ||
  Buffer.compare(decodeId(a.origin), decodeId(b.origin)) ||
  byNonce(a, b);

function gasFault(tx: JsonObject): PoolCode | undefined {
  const isMeta = text(tx, 'type') === 'GAMetaTx';
  return isMeta && big(tx, 'gas') > MAX_AUTHENTICATION_GAS ? 'too_much_gas_for_auth_function' : undefined;
}

function recipientFault(tx: JsonObject, state: State): PoolCode | undefined {
  if (text(tx, 'type') !== 'SpendTx') return undefined;
  const recipient = text(tx, 'recipient_id');
  if (recipient.startsWith('nm_') && pointerOf(state, recipient, 'account_pubkey') === undefined) {
    return 'could_not_resolve_recipient';
  }
  return state.account(recipientOf(state, recipient))?.payable === false ? 'account_is_not_payable' : undefined;
}

function tryParse(signed: Uint8Array): ParsedSigned | undefined {
  try {
    const parsed = parseSigned(signed);
    return text(parsed.tx, 'type') === 'ChannelOffchainTx' ? undefined : parsed;
  } catch (error) {
    if (error instanceof MalformedError || error instanceof Refusal) return undefined;
    throw error;
  }
}

function tailOf({ signatures, tx }: ParsedSigned, signed: Uint8Array, id: string): string {
  const members = { encoded_tx: encodeId('tx', signed), hash: id };
  const isMeta = text(tx, 'type') === 'GAMetaTx';
  return stringifyExact(isMeta ? { ...members, tx } : { ...members, signatures, tx }).slice(1);
}
