/** Contracts that look like tokens and are none. */
import { z } from 'zod';
import { effectiveOf } from '../../chain/effective.js';
import { readTransaction } from '../../chain/facts.js';
import { refusalOf } from '../../chain/tokens/standard.js';
import { refusedTokens as readRefused } from '../../store/queries/refused-tokens.js';
import type { RefusedRow } from '../../store/queries/refused-tokens.js';
import { linkNext } from '../cursor.js';
import { endpoint } from '../endpoint.js';
import * as q from '../query.js';
import { requireHead, sendJson } from '../reply.js';
import * as p from '../schemas/parameters.js';
import * as s from '../schemas/scalars.js';

/** Contracts of a page. */
const PAGE = 100;

function codeOf({ creation, code }: RefusedRow): string | null {
  const created = creation === null ? undefined : effectiveOf(readTransaction(creation)).tx['code'];
  return typeof created === 'string' ? created : code;
}

function refusedRow(row: RefusedRow) {
  const code = codeOf(row);
  const refusal = code === null ? null : refusalOf(code);
  return {
    contract_id: row.contract_id,
    transaction_hash: row.hash,
    block_height: Number(row.height),
    standard: refusal === null ? null : `aex${refusal.kind}`,
    missing: refusal?.missing ?? [],
    different: refusal?.different ?? [],
  };
}

const names = z.array(z.string());

const refused = z
  .object({
    contract_id: s.contract,
    transaction_hash: s.transactionHash,
    block_height: s.height,
    standard: z.string().nullable().meta({
      description: '`aex9` or `aex141`, of which it has the largest part; null if its code cannot be read.',
    }),
    missing: names.meta({ description: 'Functions of the standard that it does not have.' }),
    different: names.meta({ description: 'Functions of the standard that have other types.' }),
  })
  .meta({ id: 'RefusedToken', description: 'A contract that is no token, and why.' });

export const refusedTokens = endpoint({
  method: 'get',
  path: '/middleware/tokens/refused',
  operationId: 'getRefusedTokens',
  tag: 'tokens',
  summary: 'Contracts that look like tokens and are none, by their ids',
  description:
    'They emitted a Transfer, Mint or Burn as tokens do, but by their code they do not have all functions of a standard with its types. A page has up to 100 of them.',
  query: { cursor: q.optional('cursor', p.contract) },
  answer: z.array(refused).meta({
    example: [
      {
        contract_id: 'ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a',
        transaction_hash: 'th_2vSGDpQdQNpUVnqjqJxNNUiRVKqWTfF2xJzNV8LLzWKGZ5dA6U',
        block_height: 1210,
        standard: 'aex9',
        missing: ['balances', 'owner'],
        different: ['meta_info'],
      },
    ],
  }),
  cost: 'heavy',
  // The list also changes when a node tells the code of a contract. No event reports this.
  cache: 'short',
  evidence: { source: "node's recording", test: 'api/refused-tokens', plan: null },
  async handle({ ctx, query: { cursor = '' } }, { db }) {
    const { rows, head } = await readRefused(db, cursor, PAGE + 1);
    requireHead(ctx, { head });
    linkNext(ctx, rows.length > PAGE ? rows[PAGE - 1]!.contract_id : null);
    sendJson(ctx, JSON.stringify(rows.slice(0, PAGE).map(refusedRow)));
  },
});
