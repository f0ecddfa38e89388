import { z } from 'zod';
import { KINDS } from '../../chain/money/kinds.js';
import type { Kind } from '../../chain/money/kinds.js';
import * as example from './examples.js';
import * as s from './scalars.js';

/** What changes balances. */

const NAMES = Object.keys(KINDS) as [Kind, ...Kind[]];

const completeness = {
  complete: z.boolean().meta({ description: 'Whether everything that changed the balance is known.' }),
  incomplete_since: s.height.optional().meta({
    description: 'Only where it is not complete: from this height on changes may be missing, of any account.',
  }),
};

const movement = z
  .object({
    height: s.height,
    time: s.time,
    block_hash: s.blockHash,
    transaction_hash: s.transactionHash.nullable().meta({ description: 'Null for what a key block does.' }),
    kind: z.enum(NAMES).meta({ description: 'Why the balance changed: `docs/protocol/money.md`.' }),
    amount: s.exact('Negative if the account paid.'),
    balance: s.exact('Of the account, after it.'),
    counterparty: z.string().nullable().meta({ description: 'An account, contract, oracle, name or channel.' }),
    source: z.enum(['chain', 'node']).meta({
      description:
        'chain: it follows from blocks and call information. node: only the Rosetta interface of the node tells of it.',
    }),
  })
  .meta({ id: 'Movement', description: 'A change of the balance of an account.', example: example.movement });

export const ledger = z
  .object({
    rows: z.array(movement),
    ...completeness,
    next: z.string().nullable().meta({ description: 'Path and query of the next page; null at the end.' }),
  })
  .meta({ example: { rows: [example.movement], complete: false, incomplete_since: 0, next: null } });

const bound = z.object({
  balance: s.bigNumber,
  after: z
    .object({ height: s.height, time: s.time, block_hash: s.blockHash })
    .nullable()
    .meta({ description: 'The last block that counts; null before the first block.' }),
});

export const statement = z
  .object({
    account_id: z.string().meta({ description: 'As it was asked for.' }),
    opening: bound,
    closing: bound,
    kinds: z.array(
      z.object({
        kind: z.enum(NAMES),
        count: s.count,
        in: s.exact('Sum of what came in.'),
        out: s.exact('Sum of what went out, 0 or negative.'),
      }),
    ),
    ...completeness,
  })
  .meta({ id: 'Statement', example: example.statement });

export const balance = z
  .object({
    account_id: z.string().meta({ description: 'As it was asked for.' }),
    height: s.height,
    block_hash: s.blockHash,
    balance: s.bigNumber,
    verified: z.boolean().meta({
      description:
        'Whether the balance of the account was compared with that of a node, at this height or above it, and was the same.',
    }),
    ...completeness,
  })
  .meta({ id: 'Balance', example: example.balance });

export const holders = z
  .object({
    rows: z.array(
      z
        .object({
          account_id: z.string().meta({ description: 'An account, or a contract.' }),
          balance: s.bigNumber,
          verified: z.boolean().meta({ description: 'Whether a node had the same balance.' }),
        })
        .meta({ id: 'Holder', description: 'An account that has coins.', example: example.holder }),
    ),
    next: z.string().nullable().meta({ description: 'Path and query of the next page; null at the end.' }),
  })
  .meta({ example: { rows: [example.holder], next: null } });
