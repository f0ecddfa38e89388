import { parse, stringify } from 'lossless-json';

/** An integer of the chain: a number if that is exact, otherwise a bigint. */
export type Integer = number | bigint;

/** Parses JSON without losing digits: integers that are not exact as a number become bigint. */
export const parseExactly = (text: string): unknown => parse(text, undefined, integer);

/** Writes JSON with all digits. */
export const writeExactly = (value: unknown): string => stringify(value) ?? '';

function integer(text: string): Integer {
  const number = Number(text);
  if (Number.isSafeInteger(number) || !/^-?\d+$/.test(text)) return number;
  return BigInt(text);
}

/** A type whose numbers may be bigint, as `parseExactly` returns them. */
export type Exact<T> = T extends number ? Integer : T extends object ? { [Key in keyof T]: Exact<T[Key]> } : T;
