import type { Exchange } from './exchange.js';
import type { ParsedUrlQuery } from 'node:querystring';
import type { z } from 'zod';
import { MiddlewareError } from '../observe/errors.js';
import type { Page } from '../store/queries/paging/slice.js';
import * as schemas from './schemas/parameters.js';

export function badRequest(message: string): MiddlewareError {
  return new MiddlewareError('invalid_input', message);
}

/** The parameters of the path, read by their schemas. Throws a bad request that names the first that is malformed. */
export function parsePath<P extends Record<string, z.ZodType>>(
  ctx: Exchange,
  schemas: P,
): { [Name in keyof P]: z.output<P[Name]> } {
  const texts = ctx.params as Record<string, string | undefined>;
  const values = Object.entries(schemas).map(([name, schema]) => [name, check(schema, name, texts[name] ?? '')]);
  return Object.fromEntries(values) as { [Name in keyof P]: z.output<P[Name]> };
}

/** The value that the schema of a parameter reads from its text. Throws a bad request that names the parameter. */
function check<T>(schema: z.ZodType<T>, name: string, text: string): T {
  const { data, error } = schema.safeParse(text);
  if (error === undefined) return data;
  throw badRequest(`Invalid input: ${name} ${error.issues[0]?.message ?? 'is malformed'}`);
}

/**
 * `limit` and `page`: text that is no integer counts as absent, because existing clients send such values. Without `limit`
 * the whole list is meant and `page` is ignored. `cap` bounds the rows of one answer without shifting the pages.
 */
export function parsePage(query: ParsedUrlQuery, cap: number): Page {
  const limit = given(schemas.limit, 'limit', query);
  if (limit === undefined) return { by: 'number', skip: 0n, take: cap, wanted: null };
  const page = given(schemas.page, 'page', query) ?? 1n;
  const skip = (page - 1n) * limit;
  return {
    by: 'number',
    // No list is longer; it leaves room for sums in 64 bits.
    skip: skip > 2n ** 61n ? 2n ** 61n : skip,
    take: limit > BigInt(cap) ? cap : Number(limit),
    wanted: limit > 2n ** 61n ? 2n ** 61n : limit,
  };
}

/** Types whose name changed between releases of the node. */
const SAME_TYPES: readonly (readonly string[])[] = [['oraclerespondtx', 'oracleresponsetx']];

/** `txtype` (or `tx_type`): spellings of a transaction type in small letters; null when not given. */
export function parseType(query: ParsedUrlQuery): readonly string[] | null {
  const text =
    given(schemas.transactionType, 'txtype', query) ?? given(schemas.transactionType, 'tx_type', query) ?? '';
  if (text === '') return null;
  const name = text.toLowerCase();
  return SAME_TYPES.find((names) => names.includes(name)) ?? [name];
}

/** The value of a query parameter, the first one if it is repeated; undefined when it is absent. */
export function given<T>(schema: z.ZodType<T>, name: string, query: ParsedUrlQuery): T | undefined {
  const value = query[name];
  const text = Array.isArray(value) ? value[0] : value;
  return text === undefined ? undefined : check(schema, name, text);
}
