import { z } from 'zod';
import * as example from './examples.js';
import * as s from './scalars.js';
import { rawRecord, transaction } from './transactions.js';

/** Blocks and generations. */

const keyBlockMembers = {
  beneficiary: s.account,
  hash: s.keyBlockHash,
  height: s.height,
  info: z.string().optional(),
  miner: s.account,
  prev_hash: s.blockHash,
  prev_key_hash: s.keyBlockHash,
  state_hash: z.string().optional(),
  target: s.bigNumber,
  time: s.time,
  version: s.count.meta({ description: 'Number of the protocol.' }),
};

/** As the node returns it; the genesis block has neither nonce nor proof of work. */
export const keyBlock = z
  .looseObject({ ...keyBlockMembers, nonce: s.bigNumber.optional(), pow: z.array(s.count).optional() })
  .meta({ id: 'KeyBlock', description: 'A key block as the node returns it.', example: example.keyBlock });

const microBlockMembers = {
  hash: s.microBlockHash,
  pof_hash: z.string().optional(),
  prev_hash: s.blockHash,
  prev_key_hash: s.keyBlockHash,
  signature: s.signature.optional(),
  state_hash: z.string().optional(),
  time: s.time,
  txs_hash: z.string().optional(),
  version: s.count.optional(),
};

export const microBlockHeader = z
  .looseObject({ ...microBlockMembers, height: s.height })
  .meta({ id: 'MicroBlockHeader', description: 'A micro block as the node returns it.', example: example.microBlock });

export const generation = z
  .object({ key_block: keyBlock, micro_blocks: z.array(s.microBlockHash) })
  .meta({ id: 'Generation', example: { key_block: example.keyBlock, micro_blocks: [example.microBlock.hash] } });

const textKeyBlockMembers = {
  ...keyBlockMembers,
  nonce: z.string().regex(/^[0-9]+$/),
  pow: z.string().regex(/^\[[0-9]+(, [0-9]+)*\]$/),
};

/** A key block in lists of generations: nonce and proof of work are text. */
const textKeyBlock = z.looseObject(textKeyBlockMembers).meta({
  id: 'ToldKeyBlock',
  description: 'A key block whose `nonce` and `pow` are text.',
  example: example.textKeyBlock,
});

const plainMicroBlock = z.looseObject(microBlockMembers).meta({ id: 'ToldMicroBlock' });

const wholeMicroBlock = z
  .looseObject({ ...microBlockMembers, transactions: z.record(s.transactionHash, transaction) })
  .meta({ id: 'WholeMicroBlock', description: 'A micro block with its transactions by hash.' });

const wholeGeneration = z
  .looseObject({ ...textKeyBlockMembers, micro_blocks: z.record(s.microBlockHash, wholeMicroBlock) })
  .meta({ id: 'WholeGeneration', description: 'A key block with its micro blocks by hash.' });

export const generations = z
  .object({
    total_transactions: s.count.meta({ description: 'Transactions in this answer.' }),
    total_micro_blocks: s.count.meta({ description: 'Micro blocks in this answer.' }),
    data: z.record(z.string().regex(/^[0-9]+$/), wholeGeneration).meta({ description: 'Generations by height.' }),
  })
  .meta({ id: 'Generations', example: example.generations });

export const rawGenerations = z
  .array(
    z
      .object({
        key_block: textKeyBlock,
        micro_blocks: z.array(z.object({ micro_block: plainMicroBlock, transactions: z.array(rawRecord) })),
      })
      .meta({ id: 'RawGeneration' }),
  )
  .meta({ example: [{ key_block: example.textKeyBlock, micro_blocks: [] }] });

export const heightAnswer = z.object({ height: s.height }).meta({ id: 'Height', example: { height: 1209 } });
