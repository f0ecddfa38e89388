/** Invented examples that fit together: their identifiers have valid checksums, and derived ones are derived. */

const alice = 'ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf';
const bob = 'ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y';

export const contract = {
  contract_id: 'ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a',
  transaction_hash: 'th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4',
  block_height: 1150,
};

export const channel = 'ch_2LZi6kc22Y4KjaBdUVvciUnMz5gq42jFgTC4f7r8qZGzCeadpp';

export const spend = {
  block_hash: 'mh_SVPezZ4rsoGfX9kEmmqESYZTQs6RSRem73GW5QwhwrRZeVDW1',
  block_height: 1209,
  hash: 'th_SZufyzxPitBWd9GcwUX6Wsam4yFJFF8qgD3sXytBYAPRScyfj',
  signatures: ['sg_VWKZDvWtYpMtDR73XEa4dYDYNBAXCQYywCCi82Qg179adHLXZ5Ff7pDXW8uMsLvPpgeP6gh5fMkzYNpNKxJHF7HVNbBGF'],
  tx: {
    amount: 20000000000000000,
    fee: 16840000000000,
    nonce: 130,
    payload: 'ba_Xfbg4g==',
    recipient_id: bob,
    sender_id: alice,
    ttl: 1300,
    type: 'SpendTx',
    version: 1,
  },
};

export const listedSpend = { ...spend, outcome: 'ok' };
export const timedSpend = { ...spend, time: 1546717623000, outcome: 'ok' };

export const auctionEntry = {
  name: 'myname.chain',
  expiration: 176080,
  winning_bid: '53994045000000000000',
  winning_bidder: alice,
};

export const bidRecord = {
  block_height: 161200,
  block_hash: 'mh_2fEGCiiQKf1U7pZwcPEqrpm5Ss5yzvXBouVGLZbQu7X8AtSvDh',
  hash: 'th_JZZRNL3HmciNJtVZyqQnRPavBM78wbL7RCMN9iAbNzoink32a',
  signatures: 'sg_EJMAxruTY7d8yeUTykAgkQ9dtJ8nBgva9bcPxhY2anTqTjGPNBEth6Z9BfJhfcKSvYuPTyVrCdwpxVKmPgaafkirxYgQn',
  tx_type: 'NameClaimTx',
  tx: {
    account_id: alice,
    fee: 16660000000000,
    name: 'myname.chain',
    name_fee: 53994045000000,
    name_salt: 0,
    nonce: 140,
    ttl: 161600,
    type: 'NameClaimTx',
    version: 2,
  },
  fee: '16660000000000',
  size: 217,
};

export const nameRecord = {
  name: 'example21.test',
  name_hash: 'nm_2chXaJo3aap8pPQ92DpgJVjWnmqjRdW7zj7UmVq6pTsEbQSVb1',
  tx_hash: 'th_cXuUkKNrtXdc73cPRnSA6xnEMBispJ39toz8L3wzDReorYEdJ',
  created_at_height: 1102,
  auction_end_height: 1102,
  owner: alice,
  expires_at: 51103,
  pointers: [{ key: 'account_pubkey', id: alice }],
};

const pow = Array.from({ length: 42 }, (_, i) => 9195324 + i * 12170091);

const block = {
  beneficiary: 'ak_6DifmF7SxmjUxeHoWVgZ1YMHnGDBPWAZesCPSgP4kLnwPf1be',
  hash: 'kh_VtFgDuQ7Awc6BtWRFLmjwo9UfuzL5rxmAxRuddNBYRT6njYnC',
  height: 1209,
  info: 'cb_Xfbg4g==',
  miner: 'ak_9G4xVKQYZVAB5bzgB2koU5CFwagTsCrcxrAb8KMauohLjb5Lg',
  prev_hash: 'kh_NbW4ijWJcGUYh4hHQHGGN7Dt78C8xkCpBj95iMmZAbaZ5zRKn',
  prev_key_hash: 'kh_NbW4ijWJcGUYh4hHQHGGN7Dt78C8xkCpBj95iMmZAbaZ5zRKn',
  state_hash: 'bs_ghTKSeJsDC1qGareZP8YCsoj2UzriKRKqBkUWEpyui79gCaxh',
  target: 503824559,
  time: 1546717620000,
  version: 1,
};

export const keyBlock = { ...block, nonce: 8190216460159173, pow };

export const textKeyBlock = { ...block, nonce: '15041902164601591738', pow: `[${pow.join(', ')}]` };

const header = {
  hash: 'mh_SVPezZ4rsoGfX9kEmmqESYZTQs6RSRem73GW5QwhwrRZeVDW1',
  pof_hash: 'no_fraud',
  prev_hash: block.hash,
  prev_key_hash: block.hash,
  signature: 'sg_74s683vZKhbnAB7o3wxdhcjp56PP1H3BPHG3PdSuesXQ9zNxu1o3pY1o8eyA6VJ1Ek13roQw9A5Wrxhm62vVAZMS3jPXT',
  state_hash: 'bs_2kWEef9KUpaqboHJqHVgwVWuRrFByfzRGQXV54RV47kMyJuzDS',
  time: 1546717623000,
  txs_hash: 'bx_4uWjPwMyH8vUUe3GQxGb39KMzHqLmEYfRANN14WSCy2jjYsuf',
  version: 1,
};

export const microBlock = { ...header, height: 1209 };

export const generations = {
  total_transactions: 1,
  total_micro_blocks: 1,
  data: {
    '1209': { ...textKeyBlock, micro_blocks: { [header.hash]: { ...header, transactions: { [spend.hash]: spend } } } },
  },
};

export const contractCall = {
  transaction_id: 'th_fXvQWEWeUNU3dEMULUSqYETJ9BVkUJEJoMn5GnaHvfYFAVpWC',
  contract_id: contract.contract_id,
  caller_id: alice,
  arguments: { function: 'createProof', arguments: [{ type: 'string', value: 'testtest' }] },
  callinfo: {
    caller_id: alice,
    caller_nonce: 131,
    contract_id: contract.contract_id,
    gas_price: 1000000000,
    gas_used: 22150,
    height: 1209,
    log: [],
    return_type: 'ok',
    return_value: 'cb_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACr8s/aY',
  },
  result: null,
};

export const contractLog = {
  transaction_hash: contractCall.transaction_id,
  block_hash: 'mh_2ZkZMGL9RhzS1k4LkRLv5FDeV2WQzXxWdFh2AExAZm5zLsYMgi',
  block_height: 1209,
  time: 1546717620000,
  log_index: 0,
  contract_id: contract.contract_id,
  called_id: contract.contract_id,
  event: 'Transfer',
  topics: [7, 1, 2, 3],
  data: 'cb_Xfbg4g==',
};

export const movement = {
  height: 1209,
  time: 1546717620000,
  block_hash: contractLog.block_hash,
  transaction_hash: contractCall.transaction_id,
  kind: 'spend' as const,
  amount: -20000,
  balance: 979000,
  counterparty: 'ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf',
  source: 'chain' as const,
};

export const balance = {
  account_id: movement.counterparty,
  height: movement.height,
  block_hash: movement.block_hash,
  balance: movement.balance,
  verified: false,
  complete: false,
  incomplete_since: 0,
};

export const holder = { account_id: movement.counterparty, balance: movement.balance, verified: false };

const { height, time, block_hash } = movement;
const after = { height, time, block_hash };

export const statement = {
  account_id: movement.counterparty,
  opening: { balance: 999000, after: { ...after, height: 1208 } },
  closing: { balance: 979000, after },
  kinds: [{ kind: 'spend' as const, count: 1, in: 0, out: -20000 }],
  complete: false,
  incomplete_since: 0,
};

const oracleId = 'ok_2C2eyenBqJu2ufrCYdzgJDjWu1zLzSuja4Gt3qNvsNoKqFkkBu';

export const oracle = {
  oracle_id: oracleId,
  transaction_hash: 'th_mDjMSB26Mph143RaZydhoTzsL2txeU5Nmk9FA463wNo2FNWFZ',
  block_height: 1000,
  expires_at: 1500,
  tx: {
    abi_version: 0,
    account_id: `ak_${oracleId.slice(3)}`,
    fee: 16592000000000,
    nonce: 1,
    oracle_ttl: { type: 'delta', value: 500 },
    query_fee: 20000000000000,
    query_format: 'string',
    response_format: 'string',
    type: 'OracleRegisterTx',
    version: 1,
  },
};

export const oracleQuery = {
  query_id: 'oq_b5cWmvBUYGpXZhpi9ge2pgGYjuY1xHFKPnUexoKZVmogJ83sj',
  request: {
    fee: 16732000000000,
    nonce: 9,
    oracle_id: oracleId,
    query: 'aeeth',
    query_fee: 20000000000000,
    query_ttl: { type: 'delta', value: 50 },
    response_ttl: { type: 'delta', value: 30 },
    sender_id: bob,
    ttl: 1300,
    type: 'OracleQueryTx',
    version: 1,
    hash: 'th_pM23GrLDHwdxqyviJqE5jLwoaJJxkiA9o41W6uDwSir371jpj',
    timestamp: 1546717443000,
  },
  response: null,
};

export const timeFigures = {
  start: 1546387200000,
  height: 15897,
  key_blocks: 477,
  transactions: 2410,
  types: { NameClaimTx: 12, SpendTx: 2398 },
  fees: '48200000000000000',
  size: 612140,
  coinbase: '136182000000000000000000',
  total: { transactions: 98011, size: 24901800, coinbase: '3404829000000000000000000' },
};
export const generationFigures = {
  height: 15897,
  hash: 'kh_CW3fZJr7aUzdNo3kdXeSC2hHMzv2ho3cQZCWsAsnA3TqGLPWn',
  time: 1546473480000,
  beneficiary: 'ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf',
  transactions: 2,
  fees: '40000000000000',
  size: 508,
  micro_blocks: [
    {
      hash: 'mh_2c4ZpMSLzKQYSzXSbVyE4TL3QFsDXYuGCi5i7sg6pzVyVBuqNF',
      time: 1546473483000,
      transactions: 2,
      fees: '40000000000000',
      types: { SpendTx: 2 },
    },
  ],
};
export const rate = { date: '2019-01-02', count: 1886, amount: '460565852664889999406222' };

export const reward = {
  height: 1209,
  coinbase: '473000000000000000000',
  beneficiary: block.beneficiary,
  fees: '197648000000001',
  total: '473000197648000000001',
};

export const network = {
  network_id: 'ae_mainnet',
  genesis_key_block_hash: 'kh_pbtwgLrNu23k9PA6XCZnUbtsvEFeQGgavY4FS2do3QP8kcp2z',
  consensus: 'pow',
  milliseconds_per_block: 180000,
  rewards: 'protocol',
  currency: { name: 'aeternity', symbol: 'AE', subunit: 'aetto', digits: 18 },
};

export const status = {
  OK: true,
  queue_length: 0,
  seconds_since_last_block: 157,
  errors_last_500_blocks: 0,
  proven_height: 1210,
  version: '1.0.0',
};

export const readiness = {
  ready: true,
  height: 1210,
  head_time: 1700000000000,
  node_height: 1210,
  node_state: 'ok',
  lag: 0,
  loading: false,
};

export const verifyRequest = {
  contract_id: contract.contract_id,
  source: 'contract ProofOfExistence =\n  record state = { n : int }\n  entrypoint init() = { n = 0 }\n',
  compiler: '4.1.0',
};

const ofToken = { height: 1209, time: 1546717623000, transaction_hash: contract.transaction_hash };

export const token = {
  contract_id: contract.contract_id,
  standard: 'aex9',
  meta_state: 'ok',
  name: 'Example',
  symbol: 'EX',
  decimals: 18,
  extensions: ['mintable'],
  base_url: null,
  metadata_type: null,
  supply: 5000000000000000000,
  initial_supply: 5000000000000000000,
  made: null,
  token_limit: null,
  template_limit: null,
  holders: 2,
  events: 1,
  invalid_reason: null,
  invalid_description: null,
  ...ofToken,
};
export const tokenHolder = { account_id: alice, amount: 20000000000000000, ...ofToken, log_index: 0 };
export const tokenTransfer = {
  ...ofToken,
  log_index: 0,
  sender: alice,
  recipient: bob,
  amount: 20000000000000000,
  token_id: null,
  invalid_reason: null,
};
export const singleToken = { token_id: 7, owner: alice, invalid_reason: null, ...ofToken };
export const tokenHolding = {
  contract_id: contract.contract_id,
  amount: 20000000000000000,
  decimals: 18,
  name: 'Example',
  symbol: 'EX',
  ...ofToken,
  log_index: 0,
};
export const allowance = {
  contract_id: contract.contract_id,
  owner: alice,
  spender: bob,
  amount: 20000000000000000,
  decimals: 18,
  name: 'Example',
  symbol: 'EX',
  state: 'ok',
  event_amount: 20000000000000000,
  ...ofToken,
  log_index: 0,
};
export const ownedToken = { contract_id: contract.contract_id, token_id: 7, invalid_reason: null, ...ofToken };
export const swap = {
  ...ofToken,
  log_index: 3,
  pair: contract.contract_id,
  caller: alice,
  recipient: alice,
  from_contract: contract.contract_id,
  from_symbol: 'EX',
  from_decimals: 18,
  from_amount: 20000000000000000,
  to_contract: contract.contract_id,
  to_symbol: 'WAE',
  to_decimals: 18,
  to_amount: 10000000000000000,
};
export const supplyChange = { ...ofToken, log_index: 0, change: 1000000000000000000, supply: 5000000000000000000 };
