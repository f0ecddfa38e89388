/** The guide: the documents as web pages, in the style of the explorer. */
import type { Router } from '@koa/router';
import { readFile } from 'node:fs/promises';
import { ROOT } from '../../observe/root.js';
import type { Layer } from '../exchange.js';
import { HTML, STATIC_PAGE, createDocument } from '../prepared.js';
import { refuse } from '../reply.js';

/** The pages as `npm run build` makes them. */
const FOLDER = new URL('dist/guide/', ROOT);

/** Files other than pages, by their names under `/guide`, with their media types. */
const FILES: Record<string, string> = {
  'guide.css': 'text/css; charset=utf-8',
  'node.yaml': 'text/plain; charset=utf-8',
};

const PAGE = /^[a-z][a-z-]*$/;
const FIRST = 'introduction';

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
      createDocument(type, STATIC_PAGE, () => readFile(new URL(name, FOLDER))),
    );
  }
  /** The pages that were requested, by name. */
  const pages = new Map<string, ReturnType<typeof createDocument>>();
  router.get('/guide/:page', layer, async (ctx) => {
    const name = ctx.params['page']!;
    if (!PAGE.test(name)) return refuse(ctx, 404, 'Not found');
    const page = pages.get(name) ?? createDocument(HTML, STATIC_PAGE, () => readFile(new URL(`${name}.html`, FOLDER)));
    pages.set(name, page);
    try {
      await page(ctx);
    } catch (error) {
      pages.delete(name);
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      refuse(ctx, 404, 'Not found');
    }
  });
}
