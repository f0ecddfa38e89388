import type { IncomingMessage } from 'node:http';
import { MAX_BODY_BYTES } from './posting.js';

/** Reads the whole body. Returns undefined if it is too big; the rest is discarded. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return length > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks);
}
