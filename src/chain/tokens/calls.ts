/** Calls of the functions of tokens, and what they return. */
import { decodeId, encodeId } from '../encoding/encoding.js';
import { encodeRlp, minimalBytes } from '../encoding/rlp.js';
import { bytesOfWord, wordOf } from '../encoding/words.js';
import { readValue } from '../fate/values.js';
import type { TypedValue } from '../fate/values.js';
import { MalformedError } from '../malformed.js';
import { functionId } from './standard.js';

/** First bytes of a pair, of a tuple with one member, and of a string of four bytes; the byte of an empty tuple. */
const PAIR = 0x2b;
const SINGLE = 0x1b;
const FOUR_BYTES = 0x11;
const EMPTY = 0x3f;

const called = (name: string, args: readonly number[]): string =>
  encodeId('cb', Uint8Array.from([PAIR, FOUR_BYTES, ...Buffer.from(functionId(name), 'hex'), ...args]));

/** Call data (cb_) of a function without arguments. */
export const callOf = (name: string): string => called(name, [EMPTY]);

/** First bytes of an account, and of integers from 64 on; smaller ones are one byte. */
const ACCOUNT = [0x9f, 0x00];
const LARGE = 0x6f;
const SMALL_INTEGERS = 64n;

/** The same of a function of an account, given by its bytes as an integer. */
export const callOfAccount = (name: string, account: bigint): string => {
  return called(name, [SINGLE, ...ACCOUNT, ...encodeRlp(bytesOfWord(account))]);
};

/** The same of a function of a record of two accounts, as `allowance` of AEX-9. */
export const callOfAccounts = (name: string, ...accounts: [bigint, bigint]): string => {
  const both = accounts.flatMap((account) => [...ACCOUNT, ...encodeRlp(bytesOfWord(account))]);
  return called(name, [SINGLE, PAIR, ...both]);
};

/** The same of a function of the number of a single token, which is not below 0. */
export const callOfSingle = (name: string, id: bigint): string => {
  const integer = id < SMALL_INTEGERS ? [Number(id) << 1] : [LARGE, ...encodeRlp(minimalBytes(id - SMALL_INTEGERS))];
  return called(name, [SINGLE, ...integer]);
};

/** The value of a result (cb_); null if it is none. */
export function resultOf(text: string): TypedValue | null {
  try {
    return readValue(decodeId(text, 'cb'));
  } catch (error) {
    if (error instanceof MalformedError) return null;
    throw error;
  }
}

const integerOf = (value: TypedValue | null | undefined): bigint | null =>
  value?.type === 'int' ? BigInt(value.value as number | bigint) : null;

const accountOf = (value: TypedValue | null | undefined): bigint | null =>
  value?.type === 'address' ? wordOf(value.value as string) : null;

/** The member of an option: undefined if it is none, null if it is empty. */
export function memberOf(value: TypedValue | null): TypedValue | null | undefined {
  if (value?.type !== 'variant' || !Array.isArray(value.value)) return undefined;
  const [constructor, member] = value.value as [number, TypedValue | undefined];
  return constructor === 0 ? null : member;
}

/** The amount in the result of `total_supply`; null if it is something else. */
export const readAmount = (text: string): bigint | null => integerOf(resultOf(text));

/** The amount in the result of `balance` or `allowance`, 0 where it is not known; null if it is something else. */
export function readBalance(text: string): bigint | null {
  const member = memberOf(resultOf(text));
  return member === null ? 0n : integerOf(member);
}

/** The owner in the result of `owner`, null if nobody owns the token; undefined if it is something else. */
export function readOwner(text: string): bigint | null | undefined {
  const member = memberOf(resultOf(text));
  return member === null ? null : (accountOf(member) ?? undefined);
}

/** The balances in the result of `balances`, by the bytes of accounts as integers; null if it is something else. */
export function readBalances(text: string): ReadonlyMap<bigint, bigint> | null {
  const map = resultOf(text);
  if (map?.type !== 'map' || !Array.isArray(map.value)) return null;
  const found = new Map<bigint, bigint>();
  for (const { key, val } of map.value as unknown as { key: TypedValue; val: TypedValue }[]) {
    const account = accountOf(key);
    const amount = integerOf(val);
    if (account === null || amount === null) return null;
    found.set(account, amount);
  }
  return found;
}
