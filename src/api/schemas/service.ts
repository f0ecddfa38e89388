import { z } from 'zod';
import * as example from './examples.js';
import * as s from './scalars.js';

/** Figures, the compiler, and the service itself. */

export const error = z
  .object({ reason: z.string() })
  .meta({ id: 'Error', description: 'Why there is no answer.', example: { reason: 'Not found' } });

export const nodeError = z.looseObject({ reason: z.string() }).meta({
  id: 'NodeError',
  description: "The node's own error; newer releases add `error_code`.",
  example: { reason: 'Block not found', error_code: 'block_not_found' },
});

export const countAnswer = z.object({ count: s.count }).meta({ id: 'Count', example: { count: 2 } });
export const auctionCount = z
  .object({ count: s.count, result: z.literal('OK') })
  .meta({ example: { count: 2, result: 'OK' } });
export const sizeAnswer = z.object({ size: s.count }).meta({ id: 'Size', example: { size: 499426140 } });

export const rates = z
  .array(
    z
      .object({
        date: z.iso.date(),
        count: s.count.meta({ description: 'Spends of the day.' }),
        amount: s.aettos.meta({ description: 'Sum of their amounts.' }),
      })
      .meta({ id: 'Rate', description: 'The spends of one day, UTC.' }),
  )
  .meta({ example: [example.rate] });

export const reward = z
  .object({
    height: s.height,
    coinbase: s.aettos,
    beneficiary: s.account,
    fees: s.aettos.meta({ description: 'The part of the fees that goes to this key block.' }),
    total: s.aettos,
  })
  .meta({ id: 'Reward', description: 'What the key block earns its beneficiary.', example: example.reward });

const issued = (what: string) =>
  s.aettos.nullable().meta({
    description: `Issued by ${what}, without fees. Null on a hyperchain: its contracts pay the leaders, and no table says what.`,
  });

const types = z.record(z.string(), s.count).meta({ description: 'The transactions by type.' });

export const timeFigures = z
  .array(
    z
      .object({
        start: s.time.meta({ description: 'When the step begins.' }),
        height: s.height.meta({ description: 'The highest height of the step.' }),
        key_blocks: s.count,
        transactions: s.count,
        types,
        fees: s.aettos,
        size: s.count.meta({ description: 'Bytes of the transactions.' }),
        coinbase: issued('the key blocks of the step'),
        total: z
          .object({ transactions: s.count, size: s.count, coinbase: issued('all key blocks') })
          .meta({ description: 'Of the whole chain, up to the end of the step.' }),
      })
      .meta({ id: 'TimeFigures', description: 'What the chain did in one step of time.' }),
  )
  .meta({ example: [example.timeFigures] });

export const generationFigures = z
  .array(
    z
      .object({
        height: s.height,
        hash: s.keyBlockHash,
        time: s.time,
        beneficiary: s.account,
        transactions: s.count,
        fees: s.aettos,
        size: s.count.meta({ description: 'Bytes of the transactions.' }),
        micro_blocks: z.array(
          z.object({ hash: s.microBlockHash, time: s.time, transactions: s.count, fees: s.aettos, types }),
        ),
      })
      .meta({ id: 'GenerationFigures', description: 'What one generation contains.' }),
  )
  .meta({ example: [example.generationFigures] });

const heldReorg = z
  .object({
    hash: z.string().meta({ description: 'Top key block of the branch.' }),
    height: s.height,
    depth: s.count.meta({ description: 'Key blocks that it would take back.' }),
  })
  .optional()
  .meta({ description: 'A reorg that waits for a second node or mdw accept-reorg, while one does.' });

export const network = z
  .object({
    network_id: z.string(),
    genesis_key_block_hash: s.keyBlockHash,
    consensus: z.enum(['pow', 'on_demand', 'hyperchain']).nullable().meta({
      description:
        'Who makes key blocks: whoever finds a proof of work, the only node, or the validator whose turn it is. Null while only the genesis block is stored.',
    }),
    milliseconds_per_block: s.count.nullable().meta({ description: 'Between key blocks; null if too few are stored.' }),
    rewards: z
      .enum(['protocol', 'unknown'])
      .meta({ description: 'Whether the table of the protocol says what key blocks issue.' }),
    currency: z
      .object({
        name: z.string(),
        symbol: z.string(),
        subunit: z.string().meta({ description: 'The smallest unit, in which all amounts are.' }),
        digits: s.count.meta({ description: 'Digits after the point: one coin has 10^digits of the smallest unit.' }),
      })
      .meta({ description: 'The coin, as a node of the network told it.' }),
  })
  .meta({ id: 'Network', example: example.network });

export const status = z
  .object({
    OK: z.boolean(),
    queue_length: s.count.meta({ description: 'Heights waiting to be loaded.' }),
    seconds_since_last_block: s.seconds.nullable().meta({ description: 'Null while nothing is stored.' }),
    errors_last_500_blocks: s.count.meta({
      description: 'Transactions of the last 500 heights that could not be understood.',
    }),
    proven_height: s.height.nullable().meta({
      description: 'Height up to which all that is stored is proven by its hashes; null while nothing is.',
    }),
    version: z.string().meta({ description: "The service's version." }),
    unproven_last_500_blocks: z.record(z.string(), s.count).optional().meta({
      description:
        'Transactions and blocks of the last 500 heights that could not be proven, by type; absent if there are none.',
    }),
    unknown_call_infos_last_500_blocks: s.count.optional().meta({
      description:
        'Transactions of the last 500 heights whose call information no node answers: what they do is told as if they had succeeded. Absent if there are none.',
    }),
    backfills: z.record(z.string(), z.int().min(-1)).optional().meta({
      description:
        'After an upgrade: height up to which a new table has the rows of the blocks that the earlier version stored, by table. Absent when all have all.',
    }),
    records_of_node: s.count.optional().meta({
      description:
        'Names, auctions and oracles of which the node has another record than follows from transactions, because of contract calls: served as the node has them. Absent if there are none.',
    }),
    second_opinion: z
      .object({
        differences: s.count.meta({ description: 'Transactions and blocks about which they do.' }),
        reason: z
          .string()
          .meta({ description: 'The first of them: height, transaction or block, member, and both nodes.' }),
      })
      .optional()
      .meta({
        description:
          'Two nodes contradict each other about what no proof covers. What is stored is what the first one answered. Absent while none do, or without SECOND_OPINION_SHARE.',
      }),
    node_state: z.string().optional().meta({ description: 'What the populator waits for, while it does.' }),
    held_reorg: heldReorg,
    node_reason: z.string().optional().meta({
      description: 'Why it waits, such as the block and the member that are not proven.',
    }),
  })
  .meta({ id: 'Status', example: example.status });

export const liveness = z.object({ alive: z.literal(true) }).meta({ id: 'Liveness', example: { alive: true } });

export const readiness = z
  .object({
    ready: z.boolean(),
    reason: z
      .string()
      .optional()
      .meta({ description: 'Why not, or with `without_database` why the database cannot be read.' }),
    code: z.string().optional().meta({
      description: 'The same for programs: the code of a fault, or `starting`, `loading`, `lag_unknown`, `behind`.',
    }),
    without_database: z.literal(true).optional().meta({
      description:
        'The database cannot be read. The server has read it before, so it still forwards requests and answers from its cache; the other members are then absent.',
    }),
    height: s.height.nullable().optional(),
    head_time: s.count.nullable().optional().meta({ description: 'Time of the head key block, ms since 1970.' }),
    node_height: s.height.nullable().optional(),
    node_state: z.string().nullable().optional(),
    lag: s.count.nullable().optional().meta({ description: 'Key blocks behind the node; null when unknown.' }),
    loading: z.boolean().optional().meta({ description: 'The first load has not yet reached the top.' }),
    held_reorg: heldReorg,
    differing_rows: s.count.optional().meta({
      description: 'Of a populator that verifies in the background: rows that it found wrong and could not mend.',
    }),
    populator_silent: z.literal(true).optional().meta({
      description:
        'The populator has not reported for ten seconds, or three times `POLL_INTERVAL_MS`: `node_height` is what the node answers to this process.',
    }),
  })
  .meta({ id: 'Readiness', example: example.readiness });

const failure = z
  .object({ error: z.string() })
  .meta({ id: 'CompilerError', description: 'What kept the compiler from answering.' });

export const compilers = z
  .union([z.object({ compilers: z.array(z.string()) }).meta({ id: 'Compilers' }), failure])
  .meta({ example: { compilers: ['4.0.0', '4.1.0'] } });

export const verifyRequest = z
  .object({ contract_id: z.string(), source: z.string(), compiler: z.string() })
  .meta({ id: 'VerifyRequest', example: example.verifyRequest });

export const verified = z
  .union([z.object({ verified: z.boolean() }).meta({ id: 'Verified' }), failure])
  .meta({ example: { verified: true } });
