import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

let text: Buffer | undefined;

/** Recorded answer of a node of release 7.2.2 to `GET /api`. Older SDKs generate their methods from it. */
export const description = (): Buffer =>
  (text ??= gunzipSync(readFileSync(new URL('description.json.gz', import.meta.url))));
