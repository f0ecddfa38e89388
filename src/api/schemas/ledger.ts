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
    amount: s.bigNumber.meta({ description: 'Negative if the account paid.' }),
    balance: s.bigNumber.meta({ description: 'Of the account, after it.' }),
    counterparty: z.string().nullable().meta({ description: 'An account, contract, oracle, name or channel.' }),
    source: z.enum(['chain']).meta({ description: 'It follows from the chain.' }),
  })
  .meta({ id: 'Movement', description: 'A change of the balance of an account.', example: example.movement });

export const ledger = z
  .object({ rows: z.array(movement), ...completeness })
  .meta({ example: { rows: [example.movement], complete: false, incomplete_since: 0 } });

export const balance = z
  .object({
    account_id: z.string().meta({ description: 'As it was asked for.' }),
    height: s.height,
    block_hash: s.blockHash,
    balance: s.bigNumber,
    ...completeness,
  })
  .meta({ id: 'Balance', example: example.balance });
