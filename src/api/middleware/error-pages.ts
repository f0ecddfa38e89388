/** Errors as pages for people: a browser that opens an address says that it wants HTML, programs do not. */
import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import { pathToNormalizedUrl } from '../exchange.js';
import type { Exchange, Layer } from '../exchange.js';
import { HTML, STATIC_PAGE } from '../prepared.js';

const ERROR_PAGE = 'errorPage';

type WritePage = (res: ServerResponse, status: number) => void;

/** Writes an error of the node as a page; undefined if the client is a program. */
export const errorPageOf = (ctx: Exchange): WritePage | undefined => ctx.state[ERROR_PAGE] as WritePage | undefined;

const wantsPage = (ctx: Exchange): boolean => ctx.method === 'GET' && ctx.get('accept').includes('text/html');

/** Makes pages of the errors that inner layers answer, and of those of the node. */
export const errorPages: Layer = async (ctx, next) => {
  if (!wantsPage(ctx)) return next();
  ctx.state[ERROR_PAGE] = (res: ServerResponse, status: number): void => {
    const page = pageOf(ctx, status, status === 404 ? NOWHERE : FROM_NODE);
    const length = String(Buffer.byteLength(page));
    res.writeHead(status, {
      ...STATIC_PAGE,
      'Content-Type': HTML,
      'Content-Length': length,
      'Cache-Control': 'no-store',
    });
    res.end(page);
  };
  await next();
  const reason = ctx.respond === false || ctx.headerSent || ctx.status < 400 ? undefined : reasonOf(ctx.body);
  if (reason === undefined) return;
  const { status } = ctx;
  for (const [name, value] of Object.entries(STATIC_PAGE)) ctx.set(name, value);
  ctx.set('Content-Type', HTML);
  ctx.vary('Accept');
  ctx.body = pageOf(ctx, status, reason);
  ctx.status = status;
};

const NOWHERE = 'Neither this service nor the node behind it has anything at this address.';
const FROM_NODE = 'So says the node behind this service, which was asked for this address.';

/** The reason of an error; undefined for answers that say more. */
function reasonOf(body: unknown): string | undefined {
  if (typeof body !== 'string' || !body.startsWith('{"reason":')) return undefined;
  const members = JSON.parse(body) as Record<string, unknown>;
  return Object.keys(members).length === 1 && typeof members['reason'] === 'string' ? members['reason'] : undefined;
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => ESCAPES[char]!);

const TITLES: Record<number, string> = {
  400: 'This address is malformed',
  404: 'There is nothing at this address',
  503: 'This cannot be answered just now',
};

/** As in the header of the explorer. */
const BRAND = '<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M2 7h7v7H2zM11 3h7v5h-7zM11 10h7v7h-7z"/></svg>';

function pageOf(ctx: Exchange, status: number, reason: string): string {
  const folders = ctx.path.split('/').length - 2;
  const home = pathToNormalizedUrl(ctx) + '../'.repeat(Math.max(0, folders)) || './';
  const title = TITLES[status] ?? STATUS_CODES[status] ?? 'Error';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Chain explorer</title>
<link rel="icon" type="image/svg+xml" href="${home}explorer/icon.svg">
<link rel="stylesheet" href="${home}explorer/main.css">
</head>
<body>
<header class="top"><div><a class="brand" href="${home}">${BRAND}Chain explorer</a></div></header>
<main>
<div class="lost">
<span class="badge">${status}</span>
<h1>${title}</h1>
<p>${escaped(reason)}</p>
<ul class="try">
<li>The head of the chain <a class="go" href="${home}">Open</a></li>
<li>The addresses of the API <a class="go" href="${home}docs">Open</a></li>
<li>The guide <a class="go" href="${home}guide">Open</a></li>
</ul>
</div>
</main>
</body>
</html>
`;
}
