/** The guide: the documents as web pages, in the style of the explorer. */
import type { Router } from '@koa/router';
import { access, readFile } from 'node:fs/promises';
import type { Layer } from '../exchange.js';
import { createDocument } from '../prepared.js';
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

const HEADERS = { 'Content-Security-Policy': POLICY };

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
    router.get(
      `/guide/${name}`,
      layer,
      createDocument(type, HEADERS, () => readFile(new URL(name, FOLDER))),
    );
  }
  /** The pages that exist, by name. */
  const pages = new Map<string, Layer>();
  router.get('/guide/:page', layer, async (ctx, next) => {
    const name = ctx.params['page']!;
    const known = pages.get(name) ?? (PAGE.test(name) ? await findPage(name) : undefined);
    if (known === undefined) return refuse(ctx, 404, 'Not found');
    pages.set(name, known);
    await known(ctx, next);
  });
}

async function findPage(name: string): Promise<Layer | undefined> {
  const file = new URL(`${name}.html`, FOLDER);
  const exists = await access(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  return exists ? createDocument('text/html; charset=utf-8', HEADERS, () => readFile(file)) : undefined;
}
