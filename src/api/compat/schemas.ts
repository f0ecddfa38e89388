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

const pointer = z.looseObject({ key: z.string(), encoded_key: z.string(), id: z.string().nullable() });

const auctionMembers = {
  name: z.string(),
  activation_time: s.time,
  auction_end: s.height,
  approximate_expire_time: s.time,
  name_fee: s.bigNumber.nullable(),
  claims_count: s.count,
  last_bid: transaction.v3.nullable(),
};

const nameMembers = {
  name: z.string(),
  hash: s.nameHash,
  active: z.boolean(),
  active_from: s.height,
  approximate_activation_time: s.time,
  expire_height: s.height,
  approximate_expire_time: s.time,
  name_fee: s.bigNumber.nullable(),
  revoke: z.looseObject({ tx_hash: s.transactionHash }).nullable(),
  auction_timeout: s.count,
  pointers: z.array(pointer),
  ownership: z.object({ original: z.string(), current: z.string() }),
  claims_count: s.count,
};

const auctionV3 = z.looseObject(auctionMembers).meta({ id: 'CompatAuction' });

/** Version 2 has a name or an auction in the same list. */
const nameV2 = z
  .looseObject({
    name: z.string(),
    status: z.enum(['name', 'auction']),
    active: z.boolean(),
    info: z.looseObject({}),
    previous: z.array(z.looseObject({})),
  })
  .meta({ id: 'CompatNameV2' });

export const name = {
  v3: z.looseObject({ ...nameMembers, auction: auctionV3.nullable() }).meta({ id: 'CompatName' }),
  v2: nameV2,
};

export const auction = { v3: auctionV3, v2: nameV2 };

/** A transaction that did something to an object, in a list of that object. */
export const effect = z
  .looseObject({
    active_from: s.height.optional(),
    auction: z.boolean().nullable().optional().meta({ description: 'Whether a claim is a bid of an auction.' }),
    height: s.height.optional(),
    block_hash: s.microBlockHash,
    source_tx_hash: s.transactionHash,
    source_tx_type: z.string(),
    tx: z.looseObject({}),
  })
  .meta({ id: 'CompatEffect' });

export const pointee = z
  .looseObject({
    name: z.string(),
    active: z.boolean(),
    key: z.string(),
    current: z.boolean(),
    block_height: s.height,
    block_hash: s.microBlockHash,
    block_time: s.time,
    source_tx_hash: s.transactionHash,
    source_tx_type: z.string(),
    tx: z.looseObject({}),
  })
  .meta({ id: 'CompatPointee' });

const oracleMembers = {
  oracle: s.oracle,
  active: z.boolean(),
  active_from: s.height,
  register_time: s.time,
  expire_height: s.height,
  approximate_expire_time: s.time,
  query_fee: s.bigNumber,
  format: z.object({ query: z.string(), response: z.string() }),
  register_tx_hash: s.transactionHash,
};

export const oracle = {
  v3: z.looseObject({ ...oracleMembers, register: transaction.v3 }).meta({ id: 'CompatOracle' }),
  v2: z.looseObject({ ...oracleMembers, register: s.count, extends: z.array(s.count) }).meta({ id: 'CompatOracleV2' }),
};

const placed = {
  height: s.height,
  block_hash: s.microBlockHash,
  block_time: s.time,
  source_tx_hash: s.transactionHash,
  source_tx_type: z.string(),
  query_id: s.query,
};

const response = z.looseObject({ ...placed, response: z.string() });

const asked = z.looseObject({ ...placed, query: z.string(), query_fee: s.bigNumber });

export const oracleQuery = asked.extend({ response: response.nullable() }).meta({ id: 'CompatOracleQuery' });

export const oracleResponse = response.extend({ query: asked }).meta({ id: 'CompatOracleResponse' });

export const channel = z
  .looseObject({
    channel: s.channel,
    active: z.boolean(),
    initiator: s.account.nullable(),
    responder: s.account.nullable(),
    state_hash: z.string().nullable(),
    amount: s.bigNumber,
    last_updated_height: s.height,
    last_updated_time: s.time,
    last_updated_tx_hash: s.transactionHash,
    last_updated_tx_type: z.string().nullable(),
    updates_count: s.count,
  })
  .meta({ id: 'CompatChannel' });

export const contract = z
  .looseObject({
    contract: s.contract,
    aexn_type: z.string().nullable(),
    block_hash: s.microBlockHash,
    source_tx_hash: s.transactionHash,
    source_tx_type: z.string(),
    create_tx: z.looseObject({}),
  })
  .meta({ id: 'CompatContract' });

export const contractLog = z
  .object({
    contract_id: s.contract,
    contract_tx_hash: s.transactionHash.nullable(),
    call_tx_hash: s.transactionHash,
    height: s.height,
    block_hash: s.microBlockHash,
    block_time: s.time,
    micro_index: s.count,
    log_idx: s.count,
    event_hash: z.string(),
    event_name: z.string().nullable(),
    args: z.array(z.union([z.string(), s.bigNumber])),
    data: z.string(),
    ext_caller_contract_id: s.contract.nullable(),
    ext_caller_contract_tx_hash: s.transactionHash.nullable(),
    parent_contract_id: s.contract.nullable(),
    topics: z.array(z.string()).min(1).meta({ description: 'As the node has them: digits of words of 256 bits.' }),
    raw_data: z.string().meta({ description: 'As the node has it (`cb_`).' }),
  })
  .meta({ id: 'CompatContractLog' });

const INTERNAL_CALL = {
  contract_id: s.contract.meta({ description: 'The contract that the transaction called or created.' }),
  contract_tx_hash: s.transactionHash.nullable(),
  call_tx_hash: s.transactionHash,
  block_hash: s.microBlockHash,
  height: s.height,
  micro_index: s.count,
  local_idx: s.count,
  function: z.string(),
  internal_tx: z.looseObject({ type: z.string(), fee: z.literal(0) }),
};

export const internalCall = z.object(INTERNAL_CALL).meta({ id: 'CompatInternalCall' });

export const internalCallOfV2 = z
  .object({ ...INTERNAL_CALL, call_txi: s.count.nullable(), contract_txi: s.count.nullable() })
  .meta({ id: 'CompatInternalCallOfV2' });

export const activity = z
  .object({
    height: s.height,
    block_hash: s.blockHash,
    block_time: s.time,
    type: z.string(),
    payload: z.looseObject({}),
  })
  .meta({ id: 'CompatActivity' });

export const aex9Token = z
  .looseObject({
    contract_id: s.contract,
    name: z.string().nullable(),
    symbol: z.string().nullable(),
    decimals: s.bigNumber.nullable(),
    extensions: z.array(z.string()),
    initial_supply: s.bigNumber.nullable(),
    event_supply: s.bigNumber,
    holders: s.count,
    logs_count: s.count,
    invalid: z.boolean(),
    invalid_reason: z.string().nullable(),
    invalid_description: z.string().nullable(),
    contract_tx_hash: s.transactionHash,
  })
  .meta({ id: 'CompatAex9Token' });

const verified = z.boolean().meta({
  description: 'Whether the token was asked what it holds, and told nothing else than its events.',
});

export const aex9Balance = z
  .object({
    contract_id: s.contract,
    account_id: s.account,
    amount: s.bigNumber,
    block_hash: s.blockHash,
    height: s.height,
    last_tx_hash: s.transactionHash.nullable(),
    last_log_idx: z.int().nullable(),
    verified,
  })
  .meta({ id: 'CompatAex9Balance' });

export const aex9HistoricBalance = z
  .object({ contract: s.contract, account: z.string(), height: s.height, amount: s.bigNumber })
  .meta({ id: 'CompatAex9HistoricBalance' });

export const aex9Holding = z
  .object({
    contract_id: s.contract,
    amount: s.bigNumber,
    decimals: s.bigNumber.nullable(),
    token_name: z.string().nullable(),
    token_symbol: z.string().nullable(),
    block_hash: s.microBlockHash,
    height: s.height,
    tx_hash: s.transactionHash,
    tx_index: s.count,
    tx_type: z.string(),
    verified,
  })
  .meta({ id: 'CompatAex9Holding' });

export const aex9Transfer = z
  .object({
    sender: s.account,
    recipient: s.account,
    amount: s.bigNumber,
    contract_id: s.contract,
    tx_hash: s.transactionHash,
    log_idx: s.count,
    block_height: s.height,
    micro_index: s.count,
    micro_time: s.time,
  })
  .meta({ id: 'CompatAex9Transfer' });

/** Members of rows that follow from the events of an invalid collection; others do not have them. */
const doubt = { invalid: z.literal(true).optional(), invalid_reason: z.string().optional() };

export const aex141Transfer = aex9Transfer
  .omit({ amount: true })
  .extend({ token_id: s.bigNumber, ...doubt })
  .meta({ id: 'CompatAex141Transfer' });

export const aex141Collection = z
  .looseObject({
    contract_id: s.contract,
    name: z.string().nullable(),
    symbol: z.string().nullable(),
    base_url: z.string().nullable(),
    metadata_type: z.string(),
    extensions: z.array(z.string()),
    limits: z
      .object({
        token_limit: s.bigNumber.nullable(),
        template_limit: s.bigNumber.nullable(),
        limit_tx_hash: s.transactionHash,
        limit_log_idx: s.count,
      })
      .nullable(),
    nfts_amount: s.count,
    nft_owners: s.count,
    creation_time: s.time,
    block_height: s.height,
    contract_tx_hash: s.transactionHash,
    invalid: z.boolean(),
    invalid_reason: z.string().nullable(),
    invalid_description: z.string().nullable(),
  })
  .meta({ id: 'CompatAex141Collection' });

export const aex141Token = z
  .object({ contract_id: s.contract, owner_id: s.account, token_id: s.bigNumber, ...doubt })
  .meta({ id: 'CompatAex141Token' });

export const aex141Metadata = z
  .union([
    z.object({ url: z.string() }),
    z.object({ ipfs: z.string() }),
    z.object({ id: z.string() }),
    z.object({ map: z.record(z.string(), z.string()) }),
  ])
  .nullable()
  .meta({ id: 'CompatAex141Metadata', description: 'As the collection tells it. Null: the token has none.' });

export const aex141Single = z
  .object({
    contract_id: s.contract,
    token_id: s.bigNumber,
    owner: s.account,
    owner_id: s.account,
    metadata: aex141Metadata,
    ...doubt,
  })
  .meta({ id: 'CompatAex141Single' });

export const aex141Owner = z.object({ data: s.account }).meta({ id: 'CompatAex141Owner' });

export const aex141Template = z
  .object({
    contract_id: s.contract,
    template_id: s.bigNumber,
    tx_hash: s.transactionHash,
    log_idx: s.count,
    edition: z
      .looseObject({
        limit: s.bigNumber.optional(),
        limit_tx_hash: s.transactionHash.optional(),
        limit_log_idx: s.count.optional(),
        supply: s.count,
        supply_tx_hash: s.transactionHash.nullable(),
        supply_log_idx: s.count.nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'CompatAex141Template' });

export const aex141TemplateToken = z
  .object({
    token_id: s.bigNumber,
    owner_id: s.account,
    tx_hash: s.transactionHash,
    log_idx: s.count,
    edition: z.string(),
    ...doubt,
  })
  .meta({ id: 'CompatAex141TemplateToken' });

/** Of a generation; an amount may be below zero. Null where the ledger is not written that far, or does not know it. */
export const generationChanges = z
  .looseObject({
    height: s.height,
    auctions_started: bareCount,
    names_activated: bareCount,
    names_expired: bareCount,
    names_revoked: bareCount,
    oracles_registered: bareCount,
    oracles_expired: bareCount,
    contracts_created: bareCount,
    block_reward: s.bigNumber.nullable(),
    dev_reward: s.bigNumber.nullable(),
    locked_in_auctions: s.bigNumber.nullable(),
    burned_in_auctions: s.bigNumber.nullable(),
    channels_opened: bareCount,
    channels_closed: bareCount.nullable(),
    locked_in_channels: s.bigNumber.nullable(),
    accounts: bareCount,
    last_tx_hash: s.transactionHash.nullable(),
  })
  .meta({ id: 'CompatGenerationChanges' });

/** Before a generation. */
export const generationTotals = z
  .looseObject({
    height: s.height,
    active_auctions: bareCount,
    active_names: bareCount,
    inactive_names: bareCount,
    active_oracles: bareCount,
    inactive_oracles: bareCount,
    contracts: bareCount,
    open_channels: bareCount.nullable(),
    locked_in_channels: s.bigNumber.nullable(),
    locked_in_auctions: s.bigNumber.nullable(),
    burned_in_auctions: s.bigNumber.nullable(),
    sum_block_reward: s.bigNumber.nullable(),
    sum_dev_reward: s.bigNumber.nullable(),
    total_token_supply: s.bigNumber.nullable(),
    accounts: bareCount,
    last_tx_hash: s.transactionHash.nullable(),
  })
  .meta({ id: 'CompatGenerationTotals' });
