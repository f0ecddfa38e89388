import { z } from 'zod';
import * as example from './examples.js';
import * as s from './scalars.js';
import { rawRecord } from './transactions.js';
import { pointer, datedTx, tx } from './tx.js';

/** Names, auctions, contracts, oracles and channels. */

/** The last member of a record. */
const source = z.enum(['node', 'unknown']).optional().meta({
  description:
    'Absent if the record follows from transactions. `node`: a node has another one, because of contract calls, and this is what it has. `unknown`: it can no longer be compared with a node, or was not since it changed.',
});

const nameRecord = z
  .object({
    name: z.string(),
    name_hash: s.nameHash,
    tx_hash: s.transactionHash.meta({ description: 'The claim.' }),
    created_at_height: s.height.meta({ description: 'Height of the claim.' }),
    auction_end_height: s.height.meta({
      description: 'Last height of the auction; height of the claim where there was none.',
    }),
    owner: s.account.meta({ description: 'During an auction the highest bidder.' }),
    expires_at: s.height,
    pointers: z.array(pointer).nullable().meta({ description: 'Null where the name was never updated.' }),
    source,
  })
  .meta({ id: 'NameRecord', description: 'One claim of a name and what became of it.', example: example.nameRecord });

export const nameRecords = z.array(nameRecord).meta({ example: [example.nameRecord] });

export const namedAccounts = z
  .array(
    z
      .object({ account: z.string().meta({ description: 'As it was asked for.' }), name: z.string() })
      .meta({ id: 'NamedAccount' }),
  )
  .meta({ example: [{ account: example.nameRecord.owner, name: example.nameRecord.name }] });

export const namedRecord = z.object({ name: nameRecord }).meta({ example: { name: example.nameRecord } });

const auctionEntry = z
  .object({
    name: z.string(),
    expiration: s.height.meta({ description: 'Last height of the auction: a bid there still counts.' }),
    winning_bid: s.aettos,
    winning_bidder: s.account,
    source,
  })
  .meta({ id: 'AuctionEntry', description: 'The latest auction of a name.', example: example.auctionEntry });

export const auctionEntries = z.array(auctionEntry).meta({ example: [example.auctionEntry] });

export const auctionInfo = z
  .object({ info: auctionEntry, bids: z.array(rawRecord).meta({ description: 'Newest first.' }) })
  .meta({ id: 'AuctionInfo', example: { info: example.auctionEntry, bids: [example.bidRecord] } });

export const bids = z.array(rawRecord).meta({ example: [example.bidRecord] });

export const accountBids = z
  .array(z.object({ name_auction_entry: auctionEntry, transaction: rawRecord }).meta({ id: 'AccountBid' }))
  .meta({ example: [{ name_auction_entry: example.auctionEntry, transaction: example.bidRecord }] });

export const contracts = z
  .array(
    z
      .object({ contract_id: s.contract, transaction_hash: s.transactionHash, block_height: s.height })
      .meta({ id: 'Contract', description: 'A contract and where it was created.' }),
  )
  .meta({ example: [example.contract] });

export const contractCall = z
  .object({
    transaction_id: s.transactionHash,
    contract_id: s.contract,
    caller_id: s.account,
    arguments: z
      .looseObject({
        function: z.string(),
        arguments: z.array(z.looseObject({ type: z.unknown(), value: z.unknown() })),
      })
      .meta({ description: 'The called function and its arguments, decoded.' }),
    callinfo: z
      .looseObject({ return_type: z.string() })
      .nullable()
      .meta({ description: "The node's `call_info` of the transaction." }),
    result: z.looseObject({}).nullable().meta({ description: 'The returned value, where it was decoded.' }),
  })
  .meta({ id: 'ContractCall', description: 'A decoded call.', example: example.contractCall });

export const contractCalls = z.array(contractCall).meta({ example: [example.contractCall] });

const contractLog = z
  .object({
    transaction_hash: s.transactionHash,
    block_hash: s.microBlockHash,
    block_height: s.height,
    time: s.time,
    log_index: s.count.meta({ description: 'From 0, in the order in which the transaction emitted them.' }),
    contract_id: s.contract.meta({ description: 'The contract whose code emitted it.' }),
    called_id: s.contract.meta({ description: 'The contract that the transaction called or created.' }),
    event: z
      .string()
      .nullable()
      .meta({ description: 'Its name, if it is an event of a token, of wrapped coins or of the exchange.' }),
    topics: z.array(s.bigNumber).min(1).meta({ description: 'The hash of its name, then its indexed arguments.' }),
    data: z.string().meta({ description: 'The argument that is not indexed.' }),
  })
  .meta({ id: 'ContractLog', description: 'An event that a contract emitted.', example: example.contractLog });

export const contractLogs = z
  .object({
    complete: z.boolean().meta({
      description: 'Whether the call information of all transactions of these heights is known.',
    }),
    logs: z.array(contractLog),
  })
  .meta({ example: { complete: true, logs: [example.contractLog] } });

export const oracles = z
  .array(
    z
      .object({
        oracle_id: s.oracle,
        transaction_hash: s.transactionHash.meta({ description: 'The latest registration.' }),
        block_height: s.height.meta({ description: 'Height of the latest registration.' }),
        expires_at: s.height,
        tx,
        source,
      })
      .meta({ id: 'Oracle', description: 'An active oracle.' }),
  )
  .meta({ example: [example.oracle] });

export const oracleQueries = z
  .array(
    z
      .object({
        query_id: s.query,
        request: datedTx('OracleQueryTx').meta({
          id: 'ToldQuery',
          description: 'The question with its hash and time.',
        }),
        response: datedTx('OracleRespondTx')
          .nullable()
          .meta({ description: 'The answer with its hash and time; null while there is none.' }),
      })
      .meta({ id: 'Question', description: 'A question to an oracle and its answer.' }),
  )
  .meta({ example: [example.oracleQuery] });

export const channels = z.array(s.channel).meta({ example: [example.channel] });
