/** Descriptions of the API: OpenAPI, Swagger 2.0 for wallets, and a page that shows them. */
import type { Router } from '@koa/router';
import { pathToNormalizedUrl } from '../exchange.js';
import type { Exchange, Layer } from '../exchange.js';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { endpoint } from '../endpoint.js';

/** Files of swagger-ui that the page loads, by their names under `/docs`, with their media types. */
const FILES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** The page. `files` is the relative path of its files: it is relative so that it works behind a path prefix. */
const page = (files: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Chain middleware</title>
    <link rel="icon" type="image/png" href="${files}favicon-32x32.png" />
    <link rel="stylesheet" href="${files}swagger-ui.css" />
  </head>
  <body>
    <div id="page"></div>
    <script src="${files}swagger-ui-bundle.js"></script>
    <script src="${files}start.js"></script>
  </body>
</html>
`;

/** Without the validator badge, which would be loaded from another host. */
const START = `SwaggerUIBundle({
  url: new URL('../openapi.json', document.currentScript.src).href,
  dom_id: '#page',
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
});
`;

/** The page loads from this server only. swagger-ui needs inline styles and `data:` images. */
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

export const swaggerDocument = endpoint({
  method: 'get',
  path: '/middleware/api',
  operationId: 'getSwagger',
  tag: 'service',
  summary: 'The older description of the API (Swagger 2.0)',
  description: 'Wallets build their clients from it.',
  answer: z.looseObject({ swagger: z.literal('2.0'), basePath: z.literal('/middleware') }),
  fixed: true,
  cost: 'none',
  cache: 'short',
  evidence: { source: 'the schemas', test: 'api/swagger-client', plan: null },
  handle: ({ ctx }, { descriptions }) => send(ctx, 'application/json', descriptions.swagger()),
});

export const openApiDocument = endpoint({
  method: 'get',
  path: '/openapi.json',
  operationId: 'getOpenApi',
  tag: 'service',
  summary: 'This description of the API',
  description: 'With `int-as-string=true` as it is for requests with that parameter.',
  answer: z.looseObject({ openapi: z.string() }),
  fixed: true,
  cost: 'none',
  cache: 'short',
  evidence: { source: 'the schemas', test: 'api/documents', plan: null },
  handle({ ctx }, { descriptions }) {
    const text = [ctx.query['int-as-string']].flat()[0] === 'true';
    send(ctx, 'application/json', text ? descriptions.openApiOfText() : descriptions.openApi());
  },
});

export const documentationPage = endpoint({
  method: 'get',
  path: '/docs',
  operationId: 'getDocumentation',
  tag: 'service',
  summary: 'This description as a page',
  description: 'It loads nothing from other hosts.',
  answer: z.string(),
  mediaType: 'text/html',
  fixed: true,
  cost: 'none',
  cache: 'short',
  evidence: { source: 'the schemas', test: 'api/documents', plan: null },
  handle: ({ ctx }) => sendFile(ctx, 'text/html; charset=utf-8', page(`${pathToNormalizedUrl(ctx)}docs/`)),
});

/** Routes of the files that the page loads. They are not part of the API, so they are not described. */
export function documentationRoutes(router: Router, layer: Layer): void {
  router.get('/docs/start.js', layer, (ctx) => sendFile(ctx, 'text/javascript; charset=utf-8', START));
  const folder = (): string => dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const [name, type] of Object.entries(FILES)) {
    router.get(`/docs/${name}`, layer, async (ctx) => sendFile(ctx, type, await readFile(join(folder(), name))));
  }
}

function sendFile(ctx: Exchange, type: string, body: string | Buffer): void {
  ctx.set('Content-Security-Policy', POLICY);
  send(ctx, type, body);
}

/** Sends bytes, because layers change text: `int-as-string` would change the numbers of the description. */
function send(ctx: Exchange, type: string, body: string | Buffer): void {
  ctx.set('Content-Type', type);
  ctx.body = Buffer.from(body);
}
