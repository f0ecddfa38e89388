import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

let text: Buffer | undefined;

/** What a node of release 7.2.2 answers to `GET /api`, as recorded: older SDKs make their methods from it. */
export const description = (): Buffer =>
  (text ??= gunzipSync(readFileSync(new URL('description.json.gz', import.meta.url))));
