/** Descriptions of the API: OpenAPI, Swagger 2.0 for wallets, and a page that shows them. */
import type { Router } from '@koa/router';
import { pathToNormalizedUrl } from '../exchange.js';
import type { Exchange, Layer } from '../exchange.js';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { endpoint, INT_AS_STRING } from '../endpoint.js';
import { createDocument } from '../prepared.js';
import * as q from '../query.js';
import * as p from '../schemas/parameters.js';

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

const HEADERS = { 'Content-Security-Policy': POLICY };

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
  handle: ({ ctx }, { descriptions }) => descriptions.swagger(ctx),
});

export const openApiDocument = endpoint({
  method: 'get',
  path: '/openapi.json',
  operationId: 'getOpenApi',
  tag: 'service',
  summary: 'This description of the API',
  description: 'With `int-as-string=true` as it is for requests with that parameter.',
  query: { asText: q.lenient(INT_AS_STRING, p.intAsString, 'must be true or false') },
  answer: z.looseObject({ openapi: z.string() }),
  fixed: true,
  cost: 'none',
  cache: 'short',
  evidence: { source: 'the schemas', test: 'api/documents', plan: null },
  handle({ ctx, query: { asText } }, { descriptions }) {
    return asText === true ? descriptions.openApiOfText(ctx) : descriptions.openApi(ctx);
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
  handle: ({ ctx }) => sendPage(ctx),
});

/** Routes of the files that the page loads. They are not part of the API, so they are not described. */
export function documentationRoutes(router: Router, layer: Layer): void {
  router.get(
    '/docs/start.js',
    layer,
    createDocument('text/javascript; charset=utf-8', HEADERS, () => START),
  );
  const folder = (): string => dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const [name, type] of Object.entries(FILES)) {
    router.get(
      `/docs/${name}`,
      layer,
      createDocument(type, HEADERS, () => readFile(join(folder(), name))),
    );
  }
}

/** Sends the page. It depends on the requested address, so it is made for each request; it is small. */
function sendPage(ctx: Exchange): void {
  for (const [name, value] of Object.entries(HEADERS)) ctx.set(name, value);
  ctx.set('Content-Type', 'text/html; charset=utf-8');
  // Bytes, because layers change text.
  ctx.body = Buffer.from(page(`${pathToNormalizedUrl(ctx)}docs/`));
}
