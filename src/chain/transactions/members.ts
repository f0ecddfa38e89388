/** Reads members of a transaction. Each reader throws MalformedError if the member is missing or has a wrong type. */
import type { Json, JsonObject } from '../encoding/json.js';
import { integer } from '../facts.js';
import { MalformedError } from '../malformed.js';
import { isIdText } from '../operations.js';

export function readId(tx: JsonObject, member: string): string {
  const value = tx[member];
  if (isIdText(value)) return value;
  throw new MalformedError(`${member}: not an identifier`);
}

export function readText(tx: JsonObject, member: string): string {
  const value = tx[member];
  // PostgreSQL cannot store U+0000.
  if (typeof value === 'string' && value !== '' && !value.includes('\0')) return value;
  throw new MalformedError(`${member}: not text`);
}

export function readAmount(tx: JsonObject, member: string): bigint {
  const value = integer(tx[member]);
  if (value !== undefined && value >= 0n) return value;
  throw new MalformedError(`${member}: not an amount`);
}

/** A number of generations, small enough that its sum with a height is exact. */
export function readGenerations(value: Json | undefined, member: string): number {
  const number = integer(value);
  if (number !== undefined && number >= 0n && number < 2n ** 52n) return Number(number);
  throw new MalformedError(`${member}: not a number of generations`);
}
