import type { z } from 'zod';
import * as p from './parameters.js';

/** Media types of lists that are also told as tables, one entry a line. */
export const TABLES = ['text/csv', 'application/x-ndjson'] as const;

/** One row of the table of endpoints, from which all documents of the API are made. */
export interface Endpoint {
  method: 'get' | 'post';
  /** With `{parameter}` in braces. */
  path: string;
  operationId: string;
  tag: 'transactions' | 'blocks' | 'names' | 'contracts' | 'oracles' | 'channels' | 'service' | 'node';
  summary: string;
  description?: string;
  /** Parameters of the path, in its order. */
  params?: Record<string, z.ZodType>;
  query?: Record<string, z.ZodType>;
  body?: z.ZodType;
  /** The answer of status 200. */
  answer: z.ZodType;
  /** Media type of the answer, if it is not JSON. */
  mediaType?: string;
  /** A list, though it has no `limit`. */
  list?: boolean;
  /** Also given as a table by `Accept`. */
  tables?: boolean;
  /** Statuses besides those that every endpoint may have, or that follow from its parameters. */
  refusals?: readonly (404 | 405 | 410 | 413 | 415 | 422)[];
  /** Has this schema instead of the error's when status 503 is answered. */
  unavailable?: z.ZodType;
  /** Made without the database: neither names the top nor fails with it. */
  fixed?: boolean;
  /** The node is asked for what is not stored; its refusals are handed on. */
  forwarded?: boolean;
  /** Part of the older description that wallets build their clients from. */
  wallets?: boolean;
}

export const slice = { limit: p.limit, page: p.page };

/** Lists of transactions, which also have links from page to page. */
export const walk = { ...slice, cursor: p.cursor };

/** The same of lists that are kept in another order. */
export const ranked = { ...slice, cursor: p.rankedCursor };

export const byType = {
  txtype: p.transactionType,
  tx_type: p.transactionType.meta({ description: 'Another spelling of `txtype`.' }),
};
