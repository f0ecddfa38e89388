import { MiddlewareError } from '../observe/errors.js';
import { whenClosed } from '../runtime/when-closed.js';
import type { Exchange } from './exchange.js';

/** Max size of all bodies that are read into memory, until their requests are answered, bytes. */
export const MAX_UNFINISHED = 32 * 1024 * 1024;

/** Reads the bodies of requests into memory, with one limit for all. */
export interface Bodies {
  /**
   * Reads the whole body; undefined if it is larger than `max`, bytes. Throws `overloaded` if all bodies together are too large. The rest
   * is not read in either case, so the connection is closed after the answer.
   */
  read(ctx: Exchange, max: number): Promise<Buffer | undefined>;
}

export function createBodies(): Bodies {
  let all = 0;

  return {
    async read(ctx, max) {
      const refuse = (): undefined => void ctx.set('Connection', 'close');
      if (Number(ctx.get('content-length')) > max) return refuse();
      const chunks: Buffer[] = [];
      let bytes = 0;
      whenClosed(ctx.res, () => {
        all -= bytes;
        bytes = 0;
      });
      // By default the iterator would destroy the socket before the refusal is sent.
      for await (const chunk of ctx.req.iterator({ destroyOnReturn: false })) {
        const { length } = chunk as Buffer;
        // What it had sent is not counted any more.
        if (ctx.res.destroyed) throw new MiddlewareError('overloaded', 'the client has left');
        bytes += length;
        all += length;
        if (bytes > max) return refuse();
        if (all > MAX_UNFINISHED) {
          refuse();
          throw new MiddlewareError('overloaded', 'more bodies of requests than fit into the memory');
        }
        chunks.push(chunk as Buffer);
      }
      return Buffer.concat(chunks);
    },
  };
}
