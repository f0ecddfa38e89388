/** The explorer: a web page at `/` that shows the chain. It uses the API like any other client. */
import type { Router } from '@koa/router';
import { readFile } from 'node:fs/promises';
import { ROOT } from '../../observe/root.js';
import type { Layer } from '../exchange.js';
import { createDocument } from '../prepared.js';

/** The explorer as `npm run build` makes it. */
const FOLDER = new URL('dist/explorer/', ROOT);

/** Files of the page by their names under `/explorer`. */
const FILES: Record<string, string> = {
  'main.js': 'text/javascript; charset=utf-8',
  // chunk.js is the code that main.js and later.js share; later.js is loaded when one of its pages is opened.
  'chunk.js': 'text/javascript; charset=utf-8',
  'later.js': 'text/javascript; charset=utf-8',
  'main.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** The page loads from this server only, and runs no inline code. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Paths that are not forwarded to the node while the explorer is served. */
export const EXPLORER_PATHS = ['/', '/explorer'];

const HEADERS = { 'Content-Security-Policy': POLICY };

export function explorerRoutes(router: Router, layer: Layer): void {
  const file = (type: string, name: string): Layer =>
    createDocument(type, HEADERS, () => readFile(new URL(name, FOLDER)));
  router.get('/', layer, file('text/html; charset=utf-8', 'index.html'));
  for (const [name, type] of Object.entries(FILES)) router.get(`/explorer/${name}`, layer, file(type, name));
}
