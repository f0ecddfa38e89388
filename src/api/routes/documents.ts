import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createOpenApi } from '../schemas/openapi.js';
import { createSwagger } from '../schemas/swagger.js';
import { withIntegersAsText } from '../schemas/integers-as-text.js';

/** Pieces of the page by their names under `/docs`; all but the last are those of swagger-ui. */
const PIECES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Chain middleware</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="page"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** The validator's badge would be asked for from another host. */
const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#page',
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
});
`;

/** Whatever the page is made to load comes from here. The bundle sets styles of its own and draws with data: images. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The API as it describes itself: OpenAPI, the older description for wallets, and a page. */
export function documentRoutes(router: Router): void {
  // Made when first asked for: it takes longer than all else at the start of the process.
  const openApi = once(() => bytes(createOpenApi()));
  const openApiOfText = once(() => bytes(withIntegersAsText(createOpenApi())));
  const swagger = once(() => bytes(createSwagger()));

  router.get('/openapi.json', (ctx) => {
    const text = [ctx.query['int-as-string']].flat()[0] === 'true';
    send(ctx, 'application/json', text ? openApiOfText() : openApi());
  });
  router.get('/middleware/api', (ctx) => send(ctx, 'application/json', swagger()));

  router.get('/docs', (ctx) => sendPiece(ctx, 'text/html; charset=utf-8', PAGE));
  router.get('/docs/start.js', (ctx) => sendPiece(ctx, 'text/javascript; charset=utf-8', START));
  const folder = once(() => dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')));
  for (const [name, type] of Object.entries(PIECES)) {
    router.get(`/docs/${name}`, async (ctx) => sendPiece(ctx, type, await readFile(join(folder(), name))));
  }
}

function sendPiece(ctx: Context, type: string, body: string | Buffer): void {
  ctx.set('Content-Security-Policy', POLICY);
  ctx.set('X-Content-Type-Options', 'nosniff');
  send(ctx, type, body);
}

/** Bodies that are bytes are nobody's to change on their way. */
function send(ctx: Context, type: string, body: string | Buffer): void {
  ctx.set('Content-Type', type);
  ctx.body = Buffer.from(body);
}

const bytes = (document: unknown): Buffer => Buffer.from(JSON.stringify(document));

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
