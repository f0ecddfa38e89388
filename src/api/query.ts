/** Parts of the query that several endpoints have. */
import type { z } from 'zod';
import type { Slice } from '../store/queries/slice.js';
import { parseRanked, parseWalk } from './cursor.js';
import type { QueryPart } from './endpoint.js';
import { given, parseSlice, parseType } from './parse.js';
import * as p from './schemas/parameters.js';

/** A parameter that may be absent. */
export const optional = <Value>(name: string, schema: z.ZodType<Value>): QueryPart<Value | undefined> => ({
  parameters: { [name]: schema },
  read: (query) => given(schema, name, query),
});

/** A parameter that says yes by being there, whatever its value. */
export const present = (name: string, schema: z.ZodType): QueryPart<boolean> => ({
  parameters: { [name]: schema },
  read: (query) => name in query,
});

/** A page of a list by its number. */
export const pages: QueryPart<Slice> = { parameters: { limit: p.limit, page: p.page }, read: parseSlice };

/** A page of a list of transactions, by its number or by the cursor that the page before links to. */
export const walk: QueryPart<Slice> = { parameters: { ...pages.parameters, cursor: p.cursor }, read: parseWalk };

/** The same of lists that are kept in another order. */
export const ranked: QueryPart<Slice> = {
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

/** Of lists that are also given as tables: goes on with one that was cut. */
export const after: QueryPart<string | null> = {
  parameters: { after: p.after },
  read: (query) => given(p.after, 'after', query) ?? null,
};
