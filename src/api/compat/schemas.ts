/** Schemas of the rows of the compatible API. Members that the node prints are not repeated. */
import { z } from 'zod';
import * as s from '../schemas/scalars.js';

/** A number of transactions, accounts or other things. */
export const bareCount = z.int().min(0);

export const keyBlock = z
  .looseObject({
    beneficiary: s.account,
    hash: s.keyBlockHash,
    height: s.height,
    miner: s.account,
    prev_hash: s.blockHash,
    prev_key_hash: s.keyBlockHash,
    time: s.time,
    micro_blocks_count: s.count,
    transactions_count: s.count,
    beneficiary_reward: s.bigNumber.nullable(),
  })
  .meta({ id: 'CompatKeyBlock' });

export const microBlock = z
  .looseObject({
    hash: s.microBlockHash,
    height: s.height,
    prev_hash: s.blockHash,
    prev_key_hash: s.keyBlockHash,
    time: s.time,
    micro_block_index: s.count,
    transactions_count: s.count,
    gas: s.bigNumber,
  })
  .meta({ id: 'CompatMicroBlock' });

const transactionMembers = {
  hash: s.transactionHash,
  block_hash: s.microBlockHash,
  block_height: s.height,
  micro_index: s.count,
  micro_time: s.time,
  signatures: z.array(s.signature).optional(),
  encoded_tx: z.string().nullable(),
  tx: z.looseObject({ type: z.string() }),
};

export const transaction = {
  v3: z.looseObject(transactionMembers).meta({ id: 'CompatTransaction' }),
  v2: z.looseObject({ ...transactionMembers, tx_index: s.count }).meta({ id: 'CompatTransactionV2' }),
};
