/** The page to look at the chain, at `/`: a client of the API like any other. */
import type { Router } from '@koa/router';
import { readFile } from 'node:fs/promises';
import type { Exchange, Layer } from '../exchange.js';

/** What `npm run build` makes of the folder `explorer`; the same from `src` and from `dist`. */
const FOLDER = new URL('../../../dist/explorer/', import.meta.url);

/** Files of the page by their names under `/explorer`. */
const FILES: Record<string, string> = {
  'main.js': 'text/javascript; charset=utf-8',
  // What main.js and charts.js share, and the charts, which are loaded when they are looked at.
  'chunk.js': 'text/javascript; charset=utf-8',
  'charts.js': 'text/javascript; charset=utf-8',
  'main.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** The page loads from this server only, and runs no code that stands in the page itself. */
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

/** What never goes to the node where the page is served. */
export const EXPLORER_PATHS = ['/', '/explorer'];

export function explorerRoutes(router: Router, layer: Layer): void {
  router.get('/', layer, (ctx) => send(ctx, 'text/html; charset=utf-8', 'index.html'));
  for (const [name, type] of Object.entries(FILES)) {
    router.get(`/explorer/${name}`, layer, (ctx) => send(ctx, type, name));
  }
}

async function send(ctx: Exchange, type: string, file: string): Promise<void> {
  ctx.body = await readFile(new URL(file, FOLDER));
  ctx.set('Content-Type', type);
  ctx.set('Content-Security-Policy', POLICY);
  ctx.set('X-Content-Type-Options', 'nosniff');
}
