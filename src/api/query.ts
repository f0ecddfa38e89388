/** Query parameters that several endpoints have. */
import type { z } from 'zod';
import type { Include } from '../chain/lists.js';
import type { KeysetPage, Page, RankedKeysetPage } from '../store/queries/paging/slice.js';
import { parseRankedKeysetPage, parseKeysetPage } from './cursor.js';
import type { QueryPart } from './endpoint.js';
import { badRequest, ignoredPage, ignoredTypes, ignoredValue, parsePage, parseType, queryParameter } from './parse.js';
import * as p from './schemas/parameters.js';

/** A parameter that may be absent. */
export const optional = <Value>(name: string, schema: z.ZodType<Value>): QueryPart<Value | undefined> => ({
  parameters: { [name]: schema },
  read: (query) => queryParameter(schema, name, query),
});

/** The same for one whose schema reads some values as absent (undefined); `fault` says which it should have. */
export const lenient = <Value>(
  name: string,
  schema: z.ZodType<Value>,
  fault: string,
): QueryPart<Value | undefined> => ({
  ...optional(name, schema),
  ignored: (query) => ignoredValue(schema, name, fault, query),
});

/** A flag: true if the parameter is present, with any value. */
export const present = (name: string, schema: z.ZodType): QueryPart<boolean> => ({
  parameters: { [name]: schema },
  read: (query) => name in query,
});

/** A page by its number. */
export const pages: QueryPart<Page> = {
  parameters: { limit: p.limit, page: p.page },
  read: parsePage,
  ignored: ignoredPage,
};

/** A page of a list of transactions, by its number or by a cursor from the link to the next page. */
export const keysetPages: QueryPart<Page | KeysetPage> = {
  parameters: { ...pages.parameters, cursor: p.cursor },
  read: parseKeysetPage,
  ignored: ignoredPage,
};

/** The same for lists in another order. */
export const rankedKeysetPages: QueryPart<Page | RankedKeysetPage> = {
  parameters: { ...pages.parameters, cursor: p.rankedCursor },
  read: parseRankedKeysetPage,
  ignored: ignoredPage,
};

export const byType: QueryPart<readonly string[] | null> = {
  parameters: {
    txtype: p.transactionType,
    tx_type: p.transactionType.meta({ description: 'Another spelling of `txtype`.' }),
  },
  read: parseType,
  ignored: ignoredTypes,
};

/** Widens a list of the transactions of an account; null where it is not. The list has no numbers then, and no types. */
export const include: QueryPart<readonly Include[] | null> = {
  parameters: { include: p.include },
  read(query) {
    const wanted = queryParameter(p.include, 'include', query) ?? null;
    const other = ['page', 'txtype', 'tx_type'].find((name) => query[name] !== undefined);
    if (wanted !== null && other !== undefined) throw badRequest(`Invalid input: ${other} cannot be used with include`);
    return wanted;
  },
};

/** How much of a list is read from its beginning, or from a cursor. */
export const taken: QueryPart<{ take: number; wanted: bigint | null }> = {
  parameters: { limit: p.limit },
  read(query, cap) {
    const wanted = queryParameter(p.limit, 'limit', query) ?? null;
    return { take: wanted === null || wanted > BigInt(cap) ? cap : Number(wanted), wanted };
  },
  ignored: (query) => ignoredValue(p.limit, 'limit', 'must be an integer of 0 or more', query),
};

/** Continues a list of CSV or NDJSON that was interrupted, after the row with this hash. */
export const after: QueryPart<string | null> = {
  parameters: { after: p.after },
  read: (query) => queryParameter(p.after, 'after', query) ?? null,
};

/** The same for lists whose rows are found by other columns. */
export function afterRow(columns: string): QueryPart<string | null> {
  const schema = p.afterRow(columns);
  return { parameters: { after: schema }, read: (query) => queryParameter(schema, 'after', query) ?? null };
}

/** Of lists of events of contracts. */
export const afterEvent = afterRow(
  '`tx_hash`, behind all rows of the transaction, or of `tx_hash` and `log_index`, separated by a comma',
);
