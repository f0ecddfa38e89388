import type { Exchange } from '../exchange.js';
import { Readable } from 'node:stream';
import { MiddlewareError } from '../../observe/errors.js';
import type { Logger } from '../../observe/logger.js';
import type { Anchor, Batch } from '../../store/queries/export-transactions.js';
import { contentType, head, line } from './format.js';
import type { Format, Row } from './format.js';

export interface Export<Stored> {
  columns: readonly string[];
  row: (stored: Stored) => Row;
  /** The row's transaction and its position. */
  anchor: (stored: Stored) => Anchor;
  /** Rows after the last one sent (null: from the beginning); an empty batch ends the export. */
  next: (last: Stored | null, anchor: Anchor | null) => Promise<Batch<Stored>>;
  /** Max rows; null for all. */
  max: bigint | null;
}

/** Sends the whole list in one of the formats. */
export type SendTable = (format: Format) => Promise<void>;

/** Prepares a list for sending; the format is chosen later. */
export const sendTable =
  <Stored>(ctx: Exchange, name: string, logger: Logger, exported: Export<Stored>): SendTable =>
  (format) =>
    sendExport(ctx, format, name, logger, exported);

/**
 * Sends a list row by row, reading it in batches. No database transaction stays open meanwhile: each batch checks that
 * the newest row sent still exists. If a reorg removed it, the connection is cut, for the rest would be of another branch.
 */
async function sendExport<Stored>(
  ctx: Exchange,
  format: Format,
  name: string,
  logger: Logger,
  exported: Export<Stored>,
): Promise<void> {
  const texts = lines(format, exported);
  // Read before anything is sent: a failure is then answered like any error.
  const first = await texts.next();
  ctx.status = 200;
  ctx.set('Content-Disposition', `attachment; filename="${name}.${format}"`);
  ctx.set('Cache-Control', 'no-store');
  if (ctx.method === 'HEAD') {
    await texts.return(undefined);
    ctx.body = '';
  } else {
    const stream = Readable.from(whole(first.value ?? '', texts), { highWaterMark: 1 });
    stream.on('error', (error) => {
      logger.info({ err: error, path: ctx.path }, 'Broke off an export');
      ctx.res.destroy();
    });
    ctx.body = stream;
  }
  ctx.set('Content-Type', contentType(format));
}

async function* whole(first: string, rest: AsyncGenerator<string>): AsyncGenerator<Buffer> {
  try {
    if (first !== '') yield Buffer.from(first);
    for await (const text of rest) yield Buffer.from(text);
  } finally {
    await rest.return(undefined);
  }
}

async function* lines<Stored>(format: Format, exported: Export<Stored>): AsyncGenerator<string, undefined> {
  const { columns, row, anchor, next } = exported;
  let left = exported.max;
  let last: Stored | null = null;
  let youngest: Anchor | null = null;
  let text = head(format, columns);
  while (left === null || left > 0n) {
    const { isValid, rows }: Batch<Stored> = await next(last, youngest);
    if (!isValid) throw new MiddlewareError('list_changed', 'a reorg took rows already given');
    const given: Stored[] = left !== null && left < BigInt(rows.length) ? rows.slice(0, Number(left)) : rows;
    for (const stored of given) {
      const at = anchor(stored);
      if (youngest === null || BigInt(at.position) > BigInt(youngest.position)) youngest = at;
      text += line(format, columns, row(stored));
    }
    if (left !== null) left -= BigInt(given.length);
    if (rows.length === 0) break;
    yield text;
    text = '';
    last = rows.at(-1) ?? null;
  }
  if (text !== '') yield text;
  return undefined;
}
