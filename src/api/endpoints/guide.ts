/** The guide: the documents as web pages, in the style of the explorer. */
import type { Router } from '@koa/router';
import { readFile } from 'node:fs/promises';
import type { Exchange, Layer } from '../exchange.js';
import { refuse } from '../reply.js';

/** The pages as `npm run build` makes them. The relative path is right both from `src` and from `dist`. */
const FOLDER = new URL('../../../dist/guide/', import.meta.url);

/** Files other than pages, by their names under `/guide`, with their media types. */
const FILES: Record<string, string> = {
  'guide.css': 'text/css; charset=utf-8',
  'node.yaml': 'text/plain; charset=utf-8',
};

const PAGE = /^[a-z][a-z-]*$/;
const FIRST = 'introduction';

/** The pages run no code at all, and load from this server only. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Paths that are not forwarded to the node while the guide is served. */
export const GUIDE_PATHS = ['/guide'];

export function guideRoutes(router: Router, layer: Layer): void {
  router.get('/guide', layer, (ctx) => {
    // Relative, for servers behind a path prefix. This route also gets `/guide/`.
    ctx.status = 302;
    ctx.set('Location', ctx.originalUrl.split('?', 1)[0]!.endsWith('/') ? FIRST : `guide/${FIRST}`);
    ctx.body = '';
  });
  for (const [name, type] of Object.entries(FILES)) {
    router.get(`/guide/${name}`, layer, async (ctx) => send(ctx, type, await readFile(new URL(name, FOLDER))));
  }
  router.get('/guide/:page', layer, async (ctx) => {
    const body = PAGE.test(ctx.params['page']!) ? await page(ctx.params['page']!) : undefined;
    if (body === undefined) refuse(ctx, 404, 'Not found');
    else send(ctx, 'text/html; charset=utf-8', body);
  });
}

async function page(name: string): Promise<Buffer | undefined> {
  try {
    return await readFile(new URL(`${name}.html`, FOLDER));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function send(ctx: Exchange, type: string, body: Buffer): void {
  ctx.body = body;
  ctx.set('Content-Type', type);
  ctx.set('Content-Security-Policy', POLICY);
}
