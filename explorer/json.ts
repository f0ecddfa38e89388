import { parse, stringify } from 'lossless-json';

/** An integer of the chain: a number where that is exact. */
export type Integer = number | bigint;

/** JSON with every digit: integers that a number cannot hold are bigint. */
export const parseExactly = (text: string): unknown => parse(text, undefined, integer);

/** JSON with every digit. */
export const writeExactly = (value: unknown): string => stringify(value) ?? '';

function integer(text: string): Integer {
  const number = Number(text);
  if (Number.isSafeInteger(number) || !/^-?\d+$/.test(text)) return number;
  return BigInt(text);
}

/** A type whose numbers may be bigint, as `parseExactly` returns them. */
export type Exact<T> = T extends number ? Integer : T extends object ? { [Key in keyof T]: Exact<T[Key]> } : T;
