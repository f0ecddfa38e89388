/** Parts of the query that several endpoints have. */
import type { z } from 'zod';
import type { KeysetPage, Page, RankedKeysetPage } from '../store/queries/paging/slice.js';
import { parseRanked, parseWalk } from './cursor.js';
import type { QueryPart } from './endpoint.js';
import { given, parsePage, parseType } from './parse.js';
import * as p from './schemas/parameters.js';

/** A parameter that may be absent. */
export const optional = <Value>(name: string, schema: z.ZodType<Value>): QueryPart<Value | undefined> => ({
  parameters: { [name]: schema },
  read: (query) => given(schema, name, query),
});

/** A flag: it is set if it is present, with any value. */
export const present = (name: string, schema: z.ZodType): QueryPart<boolean> => ({
  parameters: { [name]: schema },
  read: (query) => name in query,
});

/** A page of a list by its number. */
export const pages: QueryPart<Page> = { parameters: { limit: p.limit, page: p.page }, read: parsePage };

/** A page of a list of transactions, by its number or by the cursor that the page before links to. */
export const walk: QueryPart<Page | KeysetPage> = {
  parameters: { ...pages.parameters, cursor: p.cursor },
  read: parseWalk,
};

/** The same for lists in another order. */
export const ranked: QueryPart<Page | RankedKeysetPage> = {
  parameters: { ...pages.parameters, cursor: p.rankedCursor },
  read: parseRanked,
};

export const byType: QueryPart<readonly string[] | null> = {
  parameters: {
    txtype: p.transactionType,
    tx_type: p.transactionType.meta({ description: 'Another spelling of `txtype`.' }),
  },
  read: parseType,
};

/** For lists that are also sent as CSV or NDJSON: continues one that broke off. */
export const after: QueryPart<string | null> = {
  parameters: { after: p.after },
  read: (query) => given(p.after, 'after', query) ?? null,
};
