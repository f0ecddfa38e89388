/** The parameter `scope` of lists: generations, times, or transactions between two ends. The order of the ends is that of the rows. */
import { isId } from '../../chain/encoding/encoding.js';
import { keyPosition, MAX_HEIGHT } from '../../chain/position.js';
import type { Queryable } from '../../store/connection/database.js';
import { positionOfHash, positionOfIndex, positionsBetweenTimes } from '../../store/queries/compat/places.js';
import { invalid, notFound } from './errors.js';

/** A range of keys that are one integer; both ends are included. */
export interface Range {
  low: bigint;
  high: bigint;
}

/** Both ends are included, in the order in which they were given. */
export type Scope =
  | { by: 'gen'; ends: readonly [number, number] }
  /** Seconds since 1970. */
  | { by: 'time'; ends: readonly [number, number] }
  /** Hashes. */
  | { by: 'transaction'; ends: readonly [string, string] }
  /** Numbers of transactions, from 0. */
  | { by: 'txi'; ends: readonly [number, number] };

export type ScopeWord = Scope['by'];

/** Reads `gen:1-20`. Throws `invalid_input` for a text that is none, and for a word that the list does not have. */
export function parseScope(text: string, words: readonly ScopeWord[]): Scope {
  const [, word = '', range = ''] = /^([a-z]+):(.*)$/.exec(text) ?? [];
  const by = words.find((one) => one === word);
  if (by === undefined) throw invalid('scope', word === '' ? text : word);
  const [first = '', last = first, ...more] = range.split('-');
  if (more.length > 0) throw invalid('scope', range);
  if (by === 'transaction') {
    if (!isId(first, 'th') || !isId(last, 'th')) throw invalid('scope', range);
    return { by, ends: [first, last] };
  }
  if (!/^\d{1,20}$/.test(first) || !/^\d{1,20}$/.test(last)) throw invalid('scope', range);
  const max = by === 'gen' ? MAX_HEIGHT : Number.MAX_SAFE_INTEGER;
  return { by, ends: [Math.min(Number(first), max), Math.min(Number(last), max)] };
}

/** The range of a scope, and the direction that the order of its ends asks for; undefined if they are the same. */
interface ScopeRange extends Range {
  forward: boolean | undefined;
}

const forwardOf = <T extends number | bigint>([first, last]: readonly [T, T]): boolean | undefined =>
  first === last ? undefined : first < last;

/** Heights of a scope of generations; all heights without one. */
export function heightsOf(scope: Scope | undefined): ScopeRange {
  const ends = scope?.by === 'gen' ? scope.ends : ([0, MAX_HEIGHT] as const);
  return {
    low: BigInt(Math.min(...ends)),
    high: BigInt(Math.max(...ends)),
    forward: scope === undefined ? undefined : forwardOf(ends),
  };
}

/** Beyond every position; one more is still an integer of 64 bits. */
const LAST = (1n << 63n) - 2n;

/** The last position of a generation. */
export const endOf = (height: number): bigint => (height < MAX_HEIGHT ? keyPosition(height + 1) - 1n : LAST);

/** Positions of a scope; all positions without one. Nothing is in a range whose `low` is above its `high`. */
export async function positionsOf(db: Queryable, scope: Scope | undefined): Promise<ScopeRange> {
  if (scope === undefined) return { low: 0n, high: LAST, forward: undefined };
  switch (scope.by) {
    case 'gen': {
      const { low, high, forward } = heightsOf(scope);
      return { low: keyPosition(Number(low)), high: endOf(Number(high)), forward };
    }
    case 'time': {
      const times = scope.ends.map((seconds) => BigInt(seconds) * 1000n);
      const [from, to] = times[0]! < times[1]! ? times : times.reverse();
      const { row } = await positionsBetweenTimes(db, from!, to! + 999n);
      const found = row?.low != null && row.high !== null;
      return {
        low: found ? BigInt(row.low!) : 1n,
        high: found ? BigInt(row.high!) : 0n,
        forward: forwardOf(scope.ends),
      };
    }
    case 'transaction': {
      const ends = await Promise.all(scope.ends.map((hash) => transactionPosition(db, hash)));
      return between(ends[0]!, ends[1]!);
    }
    case 'txi': {
      const [first, last] = await Promise.all(scope.ends.map((index) => indexPosition(db, BigInt(index))));
      return between(first!, last!);
    }
  }
}

const between = (first: bigint, last: bigint): ScopeRange => ({
  low: first < last ? first : last,
  high: first < last ? last : first,
  forward: forwardOf([first, last]),
});

/** Position of the transaction with a number; beyond the last one, that of the end. */
async function indexPosition(db: Queryable, index: bigint): Promise<bigint> {
  const { row } = await positionOfIndex(db, index);
  return row === null ? LAST : BigInt(row.position);
}

/** Position of a stored transaction. Throws `not_found` for the hash of another one. */
async function transactionPosition(db: Queryable, hash: string): Promise<bigint> {
  const { row } = await positionOfHash(db, hash);
  if (row === null) throw notFound(hash);
  return BigInt(row.position);
}
