import type { Exchange } from '../exchange.js';
import { Readable } from 'node:stream';
import { MiddlewareError } from '../../observe/errors.js';
import type { Logger } from '../../observe/logger.js';
import { createSlices } from '../../runtime/slices.js';
import type { Anchor, Batch } from '../../store/queries/export-transactions.js';
import { contentType, head, line } from './format.js';
import type { Format, Row } from './format.js';

/** Rows of a slice. */
const SLICE_ROWS = 20;
/** Of all exports, one is made in a turn of the event loop. */
const nextSlice = createSlices(1);

export interface Export<Stored> {
  columns: readonly string[];
  row: (stored: Stored) => Row;
  /** The transaction of a row, by which the next batch checks that the row still exists. */
  anchor: (stored: Stored) => Anchor;
  /** Reads the rows after the last one sent (null: from the beginning). An empty batch ends the export. */
  next: (last: Stored | null, anchor: Anchor | null) => Promise<Batch<Stored>>;
  /** Max rows; null for all. */
  max: bigint | null;
}

/** Answers with the whole list in one of the formats. */
export type SendTable = (format: Format) => Promise<void>;

/** Prepares the answer; the caller chooses the format. `name` is that of the file, without its extension. */
export const sendTable =
  <Stored>(ctx: Exchange, name: string, logger: Logger, exported: Export<Stored>): SendTable =>
  (format) =>
    sendExport(ctx, format, name, logger, exported);

/**
 * Streams a list and reads it in batches. No database transaction is open between batches, so each batch checks that the
 * newest row that was sent still exists. If a reorg removed it, the connection is closed: the rest would belong to another
 * branch.
 */
async function sendExport<Stored>(
  ctx: Exchange,
  format: Format,
  name: string,
  logger: Logger,
  exported: Export<Stored>,
): Promise<void> {
  const texts = lines(format, exported, ctx.req.socket.remoteAddress ?? '');
  // The first batch is read before anything is sent, so that a failure is answered like any error.
  const first = await texts.next();
  ctx.status = 200;
  ctx.set('Content-Disposition', `attachment; filename="${name}.${format}"`);
  ctx.set('Cache-Control', 'no-store');
  if (ctx.method === 'HEAD') {
    await texts.return(undefined);
    ctx.body = '';
  } else {
    const stream = Readable.from(bytesOf(first.value ?? '', texts), { highWaterMark: 1 });
    stream.on('error', (error) => {
      logger.info({ err: error, path: ctx.path }, 'Export was interrupted');
      ctx.res.destroy();
    });
    ctx.body = stream;
  }
  ctx.set('Content-Type', contentType(format));
}

async function* bytesOf(first: string, rest: AsyncGenerator<string>): AsyncGenerator<Buffer> {
  try {
    if (first !== '') yield Buffer.from(first);
    for await (const text of rest) yield Buffer.from(text);
  } finally {
    await rest.return(undefined);
  }
}

/** `address`: the client for which they are made. */
async function* lines<Stored>(
  format: Format,
  exported: Export<Stored>,
  address: string,
): AsyncGenerator<string, undefined> {
  const { columns, row, anchor, next } = exported;
  let remaining = exported.max;
  let last: Stored | null = null;
  let newest: Anchor | null = null;
  let text = head(format, columns);
  while (remaining === null || remaining > 0n) {
    const { isValid, rows }: Batch<Stored> = await next(last, newest);
    if (!isValid) throw new MiddlewareError('list_changed', 'A reorg removed rows that were already sent');
    const sent: Stored[] =
      remaining !== null && remaining < BigInt(rows.length) ? rows.slice(0, Number(remaining)) : rows;
    for (const [i, stored] of sent.entries()) {
      if (i % SLICE_ROWS === 0) await nextSlice(address);
      const at = anchor(stored);
      if (newest === null || BigInt(at.position) > BigInt(newest.position)) newest = at;
      text += line(format, columns, row(stored));
    }
    if (remaining !== null) remaining -= BigInt(sent.length);
    if (rows.length === 0) break;
    yield text;
    text = '';
    last = rows.at(-1) ?? null;
  }
  if (text !== '') yield text;
  return undefined;
}
