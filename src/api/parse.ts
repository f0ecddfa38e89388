import type { Exchange } from './exchange.js';
import type { ParsedUrlQuery } from 'node:querystring';
import type { z } from 'zod';
import { TRANSACTION_TYPES } from '../chain/transactions/catalogue.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Page } from '../store/queries/paging/slice.js';
import * as schemas from './schemas/parameters.js';

/** A parameter of a request that has no effect on the answer. */
export interface Ignored {
  name: string;
  /** What is wrong with it. Completes the sentence `Invalid input: <name> …`. */
  fault: string;
}

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

/** All names of each transaction type by each of them, in lower case: releases of the node renamed some. */
const TYPE_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  TRANSACTION_TYPES.flatMap(({ name, formerly }) => {
    const names = [name, ...(formerly === undefined ? [] : [formerly])].map((one) => one.toLowerCase());
    return names.map((one) => [one, names] as const);
  }),
);

/** Reads `txtype` (or `tx_type`): all names of the transaction type, in lower case; null if it is absent. */
export function parseType(query: ParsedUrlQuery): readonly string[] | null {
  const text =
    queryParameter(schemas.transactionType, 'txtype', query) ??
    queryParameter(schemas.transactionType, 'tx_type', query) ??
    '';
  if (text === '') return null;
  const name = text.toLowerCase();
  return TYPE_NAMES.get(name) ?? [name];
}

const UNKNOWN_TYPE = `must be one of ${TRANSACTION_TYPES.map(({ name }) => name).join(', ')}`;

/** `txtype` or `tx_type` with a type that this release does not know, and `tx_type` if there are both. */
export function ignoredTypes(query: ParsedUrlQuery): Ignored[] {
  const [type, other] = ['txtype', 'tx_type'].map((name) => firstOf(query, name));
  const isUnknown = (text = ''): boolean => text !== '' && !TYPE_NAMES.has(text.toLowerCase());
  return [
    ...(isUnknown(type) ? [{ name: 'txtype', fault: UNKNOWN_TYPE }] : []),
    ...(type === undefined && isUnknown(other) ? [{ name: 'tx_type', fault: UNKNOWN_TYPE }] : []),
    ...(type !== undefined && other !== undefined
      ? [{ name: 'tx_type', fault: 'is another spelling of txtype: give one of them' }]
      : []),
  ];
}

/** `limit` and `page` that are not integers, and `page` without `limit`. */
export function ignoredPage(query: ParsedUrlQuery): Ignored[] {
  const limit = ignoredValue(schemas.limit, 'limit', 'must be an integer of 0 or more', query);
  const page = ignoredValue(schemas.page, 'page', 'must be an integer of 1 or more', query);
  const hasPage = page.length === 0 && query['page'] !== undefined;
  const needsLimit = hasPage && (limit.length > 0 || query['limit'] === undefined);
  return [...limit, ...page, ...(needsLimit ? [{ name: 'page', fault: 'needs a limit' }] : [])];
}

/** The parameter, if its value counts as absent. A value that is refused is not ignored. */
export function ignoredValue(schema: z.ZodType, name: string, fault: string, query: ParsedUrlQuery): Ignored[] {
  const text = firstOf(query, name);
  if (text === undefined) return [];
  const { success, data } = schema.safeParse(text);
  return success && data === undefined ? [{ name, fault }] : [];
}

/** The value of a query parameter, the first one if it is repeated; undefined if it is absent. Throws a bad request. */
export function queryParameter<T>(schema: z.ZodType<T>, name: string, query: ParsedUrlQuery): T | undefined {
  const text = firstOf(query, name);
  return text === undefined ? undefined : check(schema, name, text);
}

/** The value of a query parameter, the first one if it is repeated. */
export function firstOf(query: ParsedUrlQuery, name: string): string | undefined {
  const value = query[name];
  return Array.isArray(value) ? value[0] : value;
}
