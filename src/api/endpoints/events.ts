import { z } from 'zod';
import { TOPIC_KINDS } from '../../chain/event-kinds.js';
import { MiddlewareError } from '../../observe/errors.js';
import { endpoint } from '../endpoint.js';
import * as q from '../query.js';

/** Subscriptions of objects are in a parameter of their own. */
const KINDS = TOPIC_KINDS.filter((kind) => kind !== 'object');

const text = (meta: { description: string; example?: string }) => z.string().optional().meta(meta);

/** Server-sent events, for clients that cannot use a websocket. */
export const eventStream = endpoint({
  method: 'get',
  path: '/middleware/events',
  operationId: 'streamEvents',
  tag: 'service',
  summary: 'Server-sent events of the chain',
  description: 'Goes on until the client leaves. The data of each event is the frame of the websocket.',
  query: {
    kinds: q.optional(
      'kinds',
      text({
        description: `Kinds of events, separated by commas: ${KINDS.join(', ')}. Some with a target: contract_logs:ct_…, token_transfers:ct_… or :ak_….`,
        example: 'key_blocks,transactions',
      }),
    ),
    object: q.optional('object', text({ description: 'Identifiers of objects, separated by commas.' })),
    since: q.optional(
      'since',
      text({ description: 'A cursor, or the hash of a block or transaction, after which to begin.' }),
    ),
    from: q.optional('from', text({ description: 'A height from which to begin.' })),
  },
  answer: z.string().meta({
    example:
      'id: 71.kh_VtFgDuQ7Awc6BtWRFLmjwo9UfuzL5rxmAxRuddNBYRT6njYnC\ndata: {"subscription":"key_blocks","payload":{}}\n\n',
  }),
  mediaType: 'text/event-stream',
  refusals: [410],
  fixed: true,
  cost: 'none',
  cache: 'never',
  evidence: { source: 'frames of the websocket', test: 'events/stream', plan: null },
  async handle({ ctx }, { events }) {
    if (events === undefined) throw new MiddlewareError('not_found', 'Not found');
    ctx.respond = false;
    await events.stream(ctx.req, ctx.res);
  },
});
