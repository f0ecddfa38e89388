import type { Router } from '@koa/router';
import type { ApiDeps } from '../deps.js';

/** Server-sent events, for clients that cannot have a websocket. */
export function eventRoutes(router: Router, { events }: ApiDeps): void {
  if (events === undefined) return;
  router.get('/middleware/events', async (ctx) => {
    ctx.respond = false;
    await events.stream(ctx.req, ctx.res);
  });
}
