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

const PAGE = /^[a-z][a-z0-9-]*$/;
const PICTURE = /^[a-z][a-z-]*\.webp$/;
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
  router.get('/guide/pictures/:name', layer, namedFiles(PICTURE, 'image/webp', 'pictures/', ''));
  router.get('/guide/:name', layer, namedFiles(PAGE, HTML, '', '.html'));
}

/** Answers with the file that the path names, if there is one. Files that were requested are kept. */
function namedFiles(names: RegExp, type: string, before: string, after: string): Layer {
  const files = new Map<string, ReturnType<typeof createDocument>>();
  return async (ctx) => {
    const name = ctx.params!['name']!;
    if (!names.test(name)) return refuse(ctx, 404, 'Not found');
    const file =
      files.get(name) ?? createDocument(type, STATIC_PAGE, () => readFile(new URL(before + name + after, FOLDER)));
    files.set(name, file);
    try {
      await file(ctx);
    } catch (error) {
      files.delete(name);
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      refuse(ctx, 404, 'Not found');
    }
  };
}
