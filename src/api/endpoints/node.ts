/**
 * Paths of the node that are answered from the database. A malformed request, or one for something that is not stored, is
 * forwarded to the node. If the database cannot be read, nothing is forwarded: clients may already have got events about
 * the data, and a node that is behind would answer with an older state.
 */
import { z } from 'zod';
import { isId } from '../../chain/encoding/encoding.js';
import type { IdPrefix } from '../../chain/encoding/encoding.js';
import { MAX_HEIGHT } from '../../chain/position.js';
import type { Queryable } from '../../store/connection/database.js';
import type { Answer } from '../../store/queries/answer.js';
import type { NodeRow } from '../../store/queries/node-cache.js';
import * as cache from '../../store/queries/node-cache.js';
import { endpoint } from '../endpoint.js';
import type { Endpoint, EndpointDefinition } from '../endpoint.js';
import { requireHead, sendJson, markImmutable } from '../reply.js';
import * as b from '../schemas/blocks.js';
import { countAnswer } from '../schemas/service.js';
import { transaction, transactions } from '../schemas/transactions.js';

type Params = Record<string, z.ZodString>;

interface Cached<P extends Params> extends Pick<
  EndpointDefinition<P, Record<string, never>, never>,
  'operationId' | 'summary' | 'answer' | 'params'
> {
  plan: string;
  /** Reads the object. Undefined if nothing in the database can match the parameters. */
  read(db: Queryable, params: { [Name in keyof P]: string }): Promise<Answer<NodeRow>> | undefined;
}

const cached = <P extends Params>(path: string, { plan, read, ...rest }: Cached<P>): Endpoint =>
  endpoint<P, Record<string, never>>({
    ...rest,
    description:
      'From the database, in the form in which the node answers it; the node is asked for what is not stored.',
    method: 'get',
    path,
    tag: 'node',
    forwarded: true,
    refusals: [404],
    cost: 'none',
    cache: 'until-change',
    evidence: { source: "node's recording", test: 'api/node-cache', plan },
    async handle({ ctx, params }, { db, finalHeight, metrics }) {
      const answer = await read(db, params);
      metrics.cacheHits.inc({ result: answer?.row == null ? 'miss' : 'hit' });
      if (answer?.row == null) return false;
      requireHead(ctx, answer);
      await markImmutable(ctx, Number(answer.row.height), answer, finalHeight);
      sendJson(ctx, answer.row.body);
      return undefined;
    },
  });

/** A height as text. A malformed one is not refused here: the request is forwarded, and the node refuses it. */
const height = z.string().meta({
  description: 'A height.',
  example: 1209,
  override: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
});
const hash = (prefix: IdPrefix, description: string, example: string): z.ZodString =>
  z.string().meta({
    description,
    example,
    format: `${prefix}-hash`,
    pattern: `^${prefix}_[1-9A-HJ-NP-Za-km-z]+$`,
  });
const keyBlock = hash('kh', 'The hash of a key block.', 'kh_VtFgDuQ7Awc6BtWRFLmjwo9UfuzL5rxmAxRuddNBYRT6njYnC');
const microBlock = hash('mh', 'The hash of a micro block.', 'mh_SVPezZ4rsoGfX9kEmmqESYZTQs6RSRem73GW5QwhwrRZeVDW1');
const th = hash('th', 'The hash of a transaction.', 'th_SZufyzxPitBWd9GcwUX6Wsam4yFJFF8qgD3sXytBYAPRScyfj');

const byHash =
  (prefix: IdPrefix, read: (db: Queryable, hash: string) => Promise<Answer<NodeRow>>) =>
  (db: Queryable, { hash }: { hash: string }): Promise<Answer<NodeRow>> | undefined =>
    isId(hash, prefix) ? read(db, hash) : undefined;

const byHeight =
  (read: (db: Queryable, height: number) => Promise<Answer<NodeRow>>) =>
  (db: Queryable, { height }: { height: string }): Promise<Answer<NodeRow>> | undefined =>
    /^(0|[1-9]\d{0,9})$/.test(height) && Number(height) <= MAX_HEIGHT ? read(db, Number(height)) : undefined;

export const nodeEndpoints: readonly Endpoint[] = [
  cached('/v2/generations/current', {
    operationId: 'getCurrentGeneration',
    summary: 'The generation that is running',
    answer: b.generation,
    plan: 'the current generation',
    read: (db) => cache.currentGeneration(db),
  }),
  cached('/v2/generations/height/{height}', {
    operationId: 'getGenerationByHeight',
    summary: 'The generation of a height',
    params: { height },
    answer: b.generation,
    plan: 'a generation',
    read: byHeight(cache.generationAt),
  }),
  cached('/v2/key-blocks/current/height', {
    operationId: 'getCurrentKeyBlockHeight',
    summary: 'Height of the newest key block',
    answer: b.heightAnswer,
    plan: 'the current height',
    read: (db) => cache.currentHeight(db),
  }),
  cached('/v2/key-blocks/hash/{hash}', {
    operationId: 'getKeyBlockByHash',
    summary: 'A key block by its hash',
    params: { hash: keyBlock },
    answer: b.keyBlock,
    plan: 'a key block by hash',
    read: byHash('kh', cache.keyBlock),
  }),
  cached('/v2/key-blocks/height/{height}', {
    operationId: 'getKeyBlockByHeight',
    summary: 'The key block of a height',
    params: { height },
    answer: b.keyBlock,
    plan: 'a key block by height',
    read: byHeight(cache.keyBlockAt),
  }),
  cached('/v2/micro-blocks/hash/{hash}/header', {
    operationId: 'getMicroBlockHeaderByHash',
    summary: 'A micro block by its hash',
    params: { hash: microBlock },
    answer: b.microBlockHeader,
    plan: 'a micro block header',
    read: byHash('mh', cache.microBlockHeader),
  }),
  cached('/v2/micro-blocks/hash/{hash}/transactions', {
    operationId: 'getMicroBlockTransactionsByHash',
    summary: 'The transactions of a micro block, in its order',
    params: { hash: microBlock },
    answer: transactions,
    plan: 'the transactions of a micro block',
    read: byHash('mh', cache.microBlockTransactions),
  }),
  cached('/v2/micro-blocks/hash/{hash}/transactions/count', {
    operationId: 'getMicroBlockTransactionsCountByHash',
    summary: 'Number of the transactions of a micro block',
    params: { hash: microBlock },
    answer: countAnswer,
    plan: 'the number of transactions of a micro block',
    read: byHash('mh', cache.microBlockTransactionCount),
  }),
  cached('/v2/transactions/{hash}', {
    operationId: 'getTransactionByHash',
    summary: 'A transaction by its hash',
    params: { hash: th },
    answer: transaction,
    plan: 'a transaction',
    read: byHash('th', cache.transaction),
  }),
];
