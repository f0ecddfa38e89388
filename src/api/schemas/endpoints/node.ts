import { z } from 'zod';
import * as b from '../blocks.js';
import type { Endpoint } from '../endpoint.js';
import * as p from '../parameters.js';
import { countAnswer } from '../service.js';
import { transaction, transactions } from '../transactions.js';

type Cached = Pick<Endpoint, 'operationId' | 'summary' | 'answer'> & Partial<Endpoint>;

const cached = (path: string, endpoint: Cached): Endpoint => ({
  method: 'get',
  path,
  tag: 'node',
  forwarded: true,
  refusals: [404],
  ...endpoint,
});

/** The node takes no other heights, so those are its own to refuse. */
const height = z.string().meta({
  description: 'A height.',
  example: 1209,
  override: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
});
const hash = (prefix: string, description: string, example: string) =>
  p.anyIdentifier.meta({
    description,
    example,
    format: `${prefix}-hash`,
    pattern: `^${prefix}_[1-9A-HJ-NP-Za-km-z]+$`,
  });
const keyBlock = hash('kh', 'The hash of a key block.', 'kh_VtFgDuQ7Awc6BtWRFLmjwo9UfuzL5rxmAxRuddNBYRT6njYnC');
const microBlock = hash('mh', 'The hash of a micro block.', 'mh_SVPezZ4rsoGfX9kEmmqESYZTQs6RSRem73GW5QwhwrRZeVDW1');
const th = hash('th', 'The hash of a transaction.', 'th_SZufyzxPitBWd9GcwUX6Wsam4yFJFF8qgD3sXytBYAPRScyfj');

/** The node's own queries that are answered from the database, and by the node where it knows more. */
export const nodeEndpoints: readonly Endpoint[] = [
  cached('/v2/generations/current', {
    operationId: 'getCurrentGeneration',
    summary: 'The generation that is running',
    answer: b.generation,
  }),
  cached('/v2/generations/height/{height}', {
    operationId: 'getGenerationByHeight',
    summary: 'The generation of a height',
    params: { height },
    answer: b.generation,
  }),
  cached('/v2/key-blocks/current/height', {
    operationId: 'getCurrentKeyBlockHeight',
    summary: 'Height of the newest key block',
    answer: b.heightAnswer,
  }),
  cached('/v2/key-blocks/hash/{hash}', {
    operationId: 'getKeyBlockByHash',
    summary: 'A key block by its hash',
    params: { hash: keyBlock },
    answer: b.keyBlock,
  }),
  cached('/v2/key-blocks/height/{height}', {
    operationId: 'getKeyBlockByHeight',
    summary: 'The key block of a height',
    params: { height },
    answer: b.keyBlock,
  }),
  cached('/v2/micro-blocks/hash/{hash}/header', {
    operationId: 'getMicroBlockHeaderByHash',
    summary: 'A micro block by its hash',
    params: { hash: microBlock },
    answer: b.microBlockHeader,
  }),
  cached('/v2/micro-blocks/hash/{hash}/transactions', {
    operationId: 'getMicroBlockTransactionsByHash',
    summary: 'The transactions of a micro block, in its order',
    params: { hash: microBlock },
    answer: transactions,
  }),
  cached('/v2/micro-blocks/hash/{hash}/transactions/count', {
    operationId: 'getMicroBlockTransactionsCountByHash',
    summary: 'Number of the transactions of a micro block',
    params: { hash: microBlock },
    answer: countAnswer,
  }),
  cached('/v2/transactions/{hash}', {
    operationId: 'getTransactionByHash',
    summary: 'A transaction by its hash',
    params: { hash: th },
    answer: transaction,
  }),
];
