/** Lists whose rows are sorted by several values: pages by cursors that name the key of the last row, and exports. */
import { stringifyExact } from '../chain/encoding/json.js';
import type { JsonObject } from '../chain/encoding/json.js';
import type { Logger } from '../observe/logger.js';
import type { Queryable } from '../store/connection/database.js';
import { positionOf, ROWS } from '../store/queries/export-transactions.js';
import type { Anchor } from '../store/queries/export-transactions.js';
import { isCapped } from '../store/queries/paging/slice.js';
import { decodeCursor, encodeCursor } from './compat/cursor.js';
import type { Key } from './compat/cursor.js';
import type { KeyList } from './compat/token-lists.js';
import { linkNext } from './cursor.js';
import { endpointOf } from './endpoint.js';
import type { QueryPart } from './endpoint.js';
import type { Exchange } from './exchange.js';
import type { Row } from './export/format.js';
import type { Export } from './export/stream.js';
import { nextText } from './ledger-query.js';
import { badRequest, queryParameter } from './parse.js';
import { taken } from './query.js';
import { reportCut, requireHead, sendJson } from './reply.js';
import * as p from './schemas/parameters.js';

interface KeyPages {
  /** Undefined: as the list is without it. */
  ascending: boolean | undefined;
  /** Empty at the beginning of the list. */
  cursor: string;
  take: number;
  /** How many rows the client asked for; null for all of them. */
  wanted: bigint | null;
}

export const keyPages: QueryPart<KeyPages> = {
  parameters: { ...taken.parameters, cursor: p.keyCursor, order: p.keyOrder },
  read(query, cap) {
    const order = queryParameter(p.keyOrder, 'order', query);
    return {
      ascending: order === undefined ? undefined : order === 'asc',
      cursor: queryParameter(p.keyCursor, 'cursor', query) ?? '',
      ...taken.read(query, cap),
    };
  },
  ignored: (query) => taken.ignored!(query),
};

/** A list with its filter and order in normal form: a cursor of another one is refused. */
const nameOf = (ctx: Exchange, ascending: boolean): string =>
  JSON.stringify([
    ctx.path,
    ...endpointOf(ctx)
      .linkedParameters.filter((name) => name !== 'limit' && name !== 'order')
      .map((name) => [ctx.query[name]].flat()[0] ?? null),
    ascending,
  ]);

function startOf({ types }: Pick<KeyList<never>, 'types'>, cursor: string, name: string): Key | undefined {
  if (cursor === '') return undefined;
  try {
    return decodeCursor(name, types, cursor);
  } catch {
    throw badRequest('Invalid input: cursor must be one that a link to a next page of this list gave');
  }
}

/** Answers with a page of a list. */
export async function sendKeyPage<Stored extends object>(
  ctx: Exchange,
  list: KeyList<Stored>,
  { ascending = list.ascending, cursor, take, wanted }: KeyPages,
  render: (rows: readonly Stored[]) => Promise<JsonObject[]> | JsonObject[],
  logger: Logger,
): Promise<void> {
  const name = nameOf(ctx, ascending);
  const from = startOf(list, cursor, name);
  const answer = await list.read({ ascending, from, inclusive: false, take: take + 1 });
  requireHead(ctx, answer);
  const page = answer.rows.slice(0, take);
  const end = page.at(-1);
  const next = answer.rows.length > take && end !== undefined ? encodeCursor(name, list.key(end)) : null;
  const more = linkNext(ctx, next);
  reportCut(ctx, next !== null && isCapped({ wanted, take }), logger);
  sendJson(ctx, `{"rows":${stringifyExact(await render(page))},"next":${nextText(ctx, more)}}`);
}

/**
 * The whole list as a table. `after`: the key after which it continues. Its statements do not look at the rows that were sent before, so the newest of
 * these is looked up after each batch.
 */
export function keyExport<Stored extends Anchor>(
  ctx: Exchange,
  db: Queryable,
  list: KeyList<Stored>,
  { ascending = list.ascending, cursor, wanted }: KeyPages,
  { columns, row }: { columns: readonly string[]; row: (stored: Stored) => Row },
  after: Key | null = null,
): Export<Stored> {
  const start = after ?? startOf(list, cursor, nameOf(ctx, ascending));
  return {
    columns,
    row,
    anchor: ({ position, hash }) => ({ position, hash }),
    async next(last, anchor) {
      const from = last === null ? start : list.key(last);
      const { rows } = await list.read({ ascending, from, inclusive: false, take: ROWS });
      const isValid = anchor === null || (await positionOf(db, anchor.hash)) === BigInt(anchor.position);
      return { isValid, rows };
    },
    max: wanted,
  };
}
