import { z } from 'zod';
import * as s from './scalars.js';
import * as example from './examples.js';
import { tx } from './tx.js';

/** Transactions in their four forms. */

const members = {
  block_height: s.height.meta({
    description:
      'Height of its micro block: that of its generation, on a hyperchain one more; -1 while it waits in the pool.',
  }),
  block_hash: z
    .string()
    .regex(/^(mh_[1-9A-HJ-NP-Za-km-z]+|none)$/)
    .meta({ description: 'The hash of its micro block; `none` while it waits in the pool.' }),
  hash: s.transactionHash,
  signatures: z.array(s.signature).optional().meta({ description: 'Absent where the node gives none.' }),
  tx,
};

/** A transaction as the node returns it; newer releases of the node add members. */
export const transaction = z.looseObject(members).meta({
  id: 'Transaction',
  description: 'A transaction as the node returns it.',
  example: example.spend,
});

const listed = {
  ...members,
  outcome: z.enum(['ok', 'revert', 'error', 'unknown']).meta({
    description:
      'How the transaction ended; of nested transactions, whether all ended with `ok`. `unknown`: it runs code, and its call information is not stored.',
  }),
};

const listedTransaction = z.looseObject(listed).meta({
  id: 'ListedTransaction',
  description: 'A transaction as the node returns it, and how it ended.',
  example: example.listedSpend,
});

const timedTransaction = z
  .looseObject({ ...listed, time: s.time.meta({ description: 'Time of its micro block, ms since 1970.' }) })
  .meta({
    id: 'TimedTransaction',
    description: 'A transaction with its time, and how it ended.',
    example: example.timedSpend,
  });

export const rawRecord = z
  .object({
    block_height: s.height,
    block_hash: s.microBlockHash,
    hash: s.transactionHash,
    signatures: z.string().nullable().meta({ description: 'All signatures, separated by spaces.' }),
    tx_type: z.string(),
    tx,
    fee: s.aettos,
    size: s.count.meta({ description: 'Bytes of `tx` as compact JSON.' }),
  })
  .meta({ id: 'RawRecord', description: 'A transaction with its figures beside it.', example: example.bidRecord });

export const transactions = z
  .object({ transactions: z.array(transaction) })
  .meta({ id: 'Transactions', example: { transactions: [example.spend] } });

export const listedTransactions = z
  .object({ transactions: z.array(listedTransaction) })
  .meta({ id: 'ListedTransactions', example: { transactions: [example.listedSpend] } });

export const timedTransactions = z.array(timedTransaction).meta({ example: [example.timedSpend] });
