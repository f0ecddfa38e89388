import type { Exchange } from './exchange.js';
import type { ParsedUrlQuery } from 'node:querystring';
import type { z } from 'zod';
import { MiddlewareError } from '../observe/errors.js';
import type { Page } from '../store/queries/paging/slice.js';
import * as schemas from './schemas/parameters.js';

export function badRequest(message: string): MiddlewareError {
  return new MiddlewareError('invalid_input', message);
}

/** Reads the parameters of the path with their schemas. Throws a bad request that names the first malformed one. */
export function parsePath<P extends Record<string, z.ZodType>>(
  ctx: Exchange,
  schemas: P,
): { [Name in keyof P]: z.output<P[Name]> } {
  const texts = ctx.params as Record<string, string | undefined>;
  const values = Object.entries(schemas).map(([name, schema]) => [name, check(schema, name, texts[name] ?? '')]);
  return Object.fromEntries(values) as { [Name in keyof P]: z.output<P[Name]> };
}

/** Reads a parameter with its schema. Throws a bad request that names the parameter. */
function check<T>(schema: z.ZodType<T>, name: string, text: string): T {
  const { data, error } = schema.safeParse(text);
  if (error === undefined) return data;
  throw badRequest(`Invalid input: ${name} ${error.issues[0]?.message ?? 'is malformed'}`);
}

/**
 * Reads `limit` and `page`. Text that is not an integer counts as absent, because existing clients send such values.
 * Without `limit` the client wants the whole list, and `page` is ignored. `cap` limits the rows of one answer, but page
 * numbers still count in steps of `limit`. Throws a bad request.
 */
export function parsePage(query: ParsedUrlQuery, cap: number): Page {
  const limit = queryParameter(schemas.limit, 'limit', query);
  if (limit === undefined) return { by: 'number', skip: 0n, take: cap, wanted: null };
  const page = queryParameter(schemas.page, 'page', query) ?? 1n;
  const skip = (page - 1n) * limit;
  return {
    by: 'number',
    // No list is longer, and sums with it do not exceed 64 bits.
    skip: skip > 2n ** 61n ? 2n ** 61n : skip,
    take: limit > BigInt(cap) ? cap : Number(limit),
    wanted: limit > 2n ** 61n ? 2n ** 61n : limit,
  };
}

/** Types that have several names, because a release of the node renamed them. */
const RENAMED_TYPES: readonly (readonly string[])[] = [['oraclerespondtx', 'oracleresponsetx']];

/** Reads `txtype` (or `tx_type`): all names of the transaction type, in lower case; null if it is absent. */
export function parseType(query: ParsedUrlQuery): readonly string[] | null {
  const text =
    queryParameter(schemas.transactionType, 'txtype', query) ??
    queryParameter(schemas.transactionType, 'tx_type', query) ??
    '';
  if (text === '') return null;
  const name = text.toLowerCase();
  return RENAMED_TYPES.find((names) => names.includes(name)) ?? [name];
}

/** The value of a query parameter, the first one if it is repeated; undefined if it is absent. Throws a bad request. */
export function queryParameter<T>(schema: z.ZodType<T>, name: string, query: ParsedUrlQuery): T | undefined {
  const value = query[name];
  const text = Array.isArray(value) ? value[0] : value;
  return text === undefined ? undefined : check(schema, name, text);
}
