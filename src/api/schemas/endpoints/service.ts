import { z } from 'zod';
import type { Endpoint } from '../endpoint.js';
import * as p from '../parameters.js';
import * as s from '../service.js';

export const serviceEndpoints: readonly Endpoint[] = [
  {
    method: 'get',
    path: '/middleware/status',
    operationId: 'getMdwStatus',
    tag: 'service',
    summary: 'Whether the database keeps up with the chain',
    description: 'Status 503 with the same body when it does not.',
    answer: s.status,
    unavailable: z.union([s.status, s.error]),
    wallets: true,
  },
  {
    method: 'get',
    path: '/healthz',
    operationId: 'getLiveness',
    tag: 'service',
    summary: 'Whether the process lives',
    answer: s.liveness,
    fixed: true,
  },
  {
    method: 'get',
    path: '/readyz',
    operationId: 'getReadiness',
    tag: 'service',
    summary: 'Whether the service can answer',
    query: { 'max-lag': p.maxLag, loaded: p.loaded },
    answer: s.readiness,
    unavailable: s.readiness,
    fixed: true,
  },
  {
    method: 'get',
    path: '/middleware/events',
    operationId: 'streamEvents',
    tag: 'service',
    summary: 'Server-sent events of the chain',
    description: 'Goes on until the client leaves. The data of each event is the frame of the websocket.',
    query: {
      kinds: z
        .string()
        .optional()
        .meta({ description: 'Kinds of events, separated by commas.', example: 'key_blocks,transactions' }),
      object: z.string().optional().meta({ description: 'Identifiers of objects, separated by commas.' }),
      since: z
        .string()
        .optional()
        .meta({ description: 'A cursor, or the hash of a block or transaction, after which to begin.' }),
      from: z.string().optional().meta({ description: 'A height from which to begin.' }),
    },
    answer: z.string(),
    mediaType: 'text/event-stream',
    refusals: [410],
    fixed: true,
  },
  {
    method: 'get',
    path: '/middleware/api',
    operationId: 'getSwagger',
    tag: 'service',
    summary: 'The older description of the API (Swagger 2.0)',
    description: 'Wallets build their clients from it.',
    answer: z.looseObject({ swagger: z.literal('2.0'), basePath: z.literal('/middleware') }),
    fixed: true,
  },
  {
    method: 'get',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    tag: 'service',
    summary: 'This description of the API',
    description: 'With `int-as-string=true` as it is for requests with that parameter.',
    answer: z.looseObject({ openapi: z.string() }),
    fixed: true,
  },
  {
    method: 'get',
    path: '/docs',
    operationId: 'getDocumentation',
    tag: 'service',
    summary: 'This description as a page',
    answer: z.string(),
    mediaType: 'text/html',
    fixed: true,
  },
];
