/**
 * What the middleware is measured beside: Koa with its router and `pg`, answering the same bytes by primary key; the same
 * from an LRU cache; or koa-proxies alone. Arguments: which of them, database URL, node URL.
 */
import { Router } from '@koa/router';
import Koa from 'koa';
import proxies from 'koa-proxies';
import { LRUCache } from 'lru-cache';
import { Agent, createServer } from 'node:http';
import pg from 'pg';

const [which, databaseUrl, nodeUrl] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });

const read = async (path) => {
  const { rows } = await pool.query({
    name: 'read',
    text: 'SELECT body FROM baseline WHERE path = $1',
    values: [path],
  });
  return rows[0]?.body;
};

function answering(give) {
  const router = new Router();
  router.get(/.*/, async (ctx) => {
    const body = await give(ctx);
    if (body === undefined) return;
    ctx.set('Content-Type', 'application/json');
    ctx.body = body;
  });
  return new Koa().use(router.routes());
}

const kept = new LRUCache({ maxSize: 32 * 1024 * 1024, sizeCalculation: (body) => body.length * 2 + 1000 });
const apps = {
  pg: () => answering((ctx) => read(ctx.url)),
  memory: () =>
    answering(async (ctx) => {
      let body = kept.get(ctx.url);
      if (body === undefined) kept.set(ctx.url, (body = await read(ctx.url)));
      return body;
    }),
  proxy: () =>
    new Koa().use(
      proxies('/', { target: nodeUrl, changeOrigin: true, agent: new Agent({ keepAlive: true, maxSockets: 128 }) }),
    ),
};

const server = createServer(apps[which]().callback()).listen(0, '127.0.0.1', () => process.send(server.address().port));
