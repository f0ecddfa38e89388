/** Tables of `docs/trust.md`. They fail if a schema or a level of proof is new and nobody has said how far it can be trusted. */
import { readFileSync } from 'node:fs';
import { endpoints } from '../src/api/endpoints.js';
import { createOpenApi } from '../src/api/descriptions/openapi.js';
import type { ProofSetting } from '../src/chain/proof/level.js';

/** What the members of an answer rest on. Members that are not named here are `proven`. */
interface Sources {
  /** Computed from proven members. */
  follows?: readonly string[];
  /** As a node told it. */
  node?: readonly string[];
  /** What it does not contain, because no transaction shows it. */
  unseen?: string;
}

const IN_CALLS = 'what contract calls did to it; with `source: node` the members are those of the node';
const BIDS_IN_CALLS = 'bids of contracts; with `source: node` the members are those of the node';

const UNSEEN_MONEY = 'payments in calls; on networks that are not built in, coins of the genesis block';

const UNSEEN_TOKENS = 'what contracts change without an event';

/** By id of the schema. */
const ANSWERS: Readonly<Record<string, Sources>> = {
  KeyBlock: {},
  ToldKeyBlock: {},
  MicroBlockHeader: {},
  ToldMicroBlock: {},
  Generation: {},
  RawGeneration: {},
  WholeGeneration: {},
  WholeMicroBlock: {},
  Transaction: {},
  ListedTransaction: { node: ['outcome'] },
  TimedTransaction: { node: ['outcome'] },
  RawRecord: { follows: ['size'] },
  ToldQuery: {},
  Transactions: {},
  ListedTransactions: {},
  Height: {},
  Generations: { follows: ['total_transactions', 'total_micro_blocks'] },
  Reward: { follows: ['coinbase', 'fees', 'total'] },
  Network: { follows: ['consensus', 'milliseconds_per_block', 'rewards'], node: ['currency'] },
  Rate: { follows: ['date', 'count', 'amount'] },
  TimeFigures: {
    follows: ['start', 'height', 'key_blocks', 'transactions', 'types', 'fees', 'size', 'coinbase', 'total'],
  },
  GenerationFigures: { follows: ['transactions', 'fees', 'size', 'micro_blocks'] },
  Count: { follows: ['count'] },
  Size: { follows: ['size'] },
  RefusedToken: { node: ['standard', 'missing', 'different'] },
  NameRecord: {
    follows: ['created_at_height', 'auction_end_height', 'owner', 'expires_at', 'pointers', 'source'],
    unseen: IN_CALLS,
  },
  NamedAccount: { follows: ['account', 'name'], unseen: IN_CALLS },
  AuctionEntry: { follows: ['expiration', 'winning_bid', 'winning_bidder', 'source'], unseen: BIDS_IN_CALLS },
  AuctionInfo: { follows: ['info'], unseen: BIDS_IN_CALLS },
  AccountBid: { follows: ['name_auction_entry'], unseen: BIDS_IN_CALLS },
  Oracle: {
    follows: ['expires_at', 'source'],
    unseen: 'oracles of contracts; extensions in calls, but with `source: node` the end is that of the node',
  },
  Question: { unseen: 'questions and answers in calls' },
  Contract: { follows: ['contract_id'], unseen: 'contracts that contracts created' },
  ContractLog: {
    follows: ['event'],
    node: ['log_index', 'contract_id', 'called_id', 'topics', 'data'],
    unseen: 'what no node answers; events of authentications',
  },
  Movement: {
    follows: ['kind', 'counterparty', 'source'],
    // Gas, and whether a call failed, are in call information.
    node: ['amount', 'balance'],
    unseen: UNSEEN_MONEY,
  },
  Balance: { follows: ['account_id', 'complete', 'incomplete_since'], node: ['balance'], unseen: UNSEEN_MONEY },
  Holder: { node: ['account_id', 'balance', 'verified'], unseen: UNSEEN_MONEY },
  Statement: {
    follows: ['account_id', 'complete', 'incomplete_since'],
    node: ['opening', 'closing', 'kinds'],
    unseen: UNSEEN_MONEY,
  },
  Token: {
    follows: ['contract_id', 'standard'],
    node: [
      ...['meta_state', 'name', 'symbol', 'decimals', 'extensions', 'base_url', 'metadata_type'],
      ...['supply', 'initial_supply', 'made', 'token_limit', 'template_limit', 'holders', 'events'],
    ],
    unseen: UNSEEN_TOKENS,
  },
  TokenHolder: { follows: ['account_id'], node: ['amount', 'log_index'], unseen: UNSEEN_TOKENS },
  TokenTransfer: {
    node: ['log_index', 'sender', 'recipient', 'amount', 'token_id', 'invalid_reason'],
    unseen: UNSEEN_TOKENS,
  },
  SupplyChange: { node: ['log_index', 'change', 'supply'], unseen: UNSEEN_TOKENS },
  TokenSwap: {
    node: [
      ...['log_index', 'pair', 'caller', 'recipient', 'from_contract', 'from_symbol', 'from_decimals', 'from_amount'],
      ...['to_contract', 'to_symbol', 'to_decimals', 'to_amount'],
    ],
    unseen: UNSEEN_TOKENS,
  },
  SingleToken: { node: ['token_id', 'owner', 'invalid_reason'], unseen: UNSEEN_TOKENS },
  TokenHolding: {
    follows: ['contract_id'],
    node: ['amount', 'decimals', 'name', 'symbol', 'log_index'],
    unseen: UNSEEN_TOKENS,
  },
  TokenAllowance: {
    follows: ['contract_id'],
    node: ['owner', 'spender', 'amount', 'decimals', 'name', 'symbol', 'state', 'event_amount', 'log_index'],
    unseen: UNSEEN_TOKENS,
  },
  OwnedToken: { follows: ['contract_id'], node: ['token_id', 'invalid_reason'], unseen: UNSEEN_TOKENS },
  ContractCall: { follows: ['contract_id', 'arguments'], node: ['callinfo', 'result'], unseen: 'calls in calls' },
};

/** Requests, parts of other answers, and what is not about the chain. Members of transactions are proven. */
const OTHERS =
  /Tx$|^(VerifyRequest|TransactionHash|Signature|BigNumber|RelativeTtl|Pointer|Aettos|AccountId|.*BlockHash|NameHash|ContractId|Decimals|OracleId|QueryId|ChannelId|Error|NodeError|CompilerError|Compilers|Verified|Status|Liveness|Readiness)$/;

/** The members of each answer, by what they rest on. */
export function trustedMembersTable(): string {
  const { components } = JSON.parse(JSON.stringify(createOpenApi(endpoints))) as {
    components: { schemas: Record<string, { properties?: Record<string, unknown> }> };
  };
  const schemas = Object.entries(components.schemas);
  const rows = schemas.flatMap(([id, { properties = {} }]) => {
    const sources = ANSWERS[id];
    if (sources === undefined && OTHERS.test(id)) return [];
    if (sources === undefined) throw new Error(`scripts/trust-tables.ts does not say how far ${id} can be trusted`);
    const { follows = [], node = [], unseen = '' } = sources;
    const unknown = [...follows, ...node].filter((member) => !Object.hasOwn(properties, member));
    if (unknown.length > 0) throw new Error(`scripts/trust-tables.ts: ${id} has no ${unknown.join(', ')}`);
    const proven = Object.keys(properties).filter((member) => !follows.includes(member) && !node.includes(member));
    return [`| ${[`\`${id}\``, named(proven), named(follows), named(node), unseen].join(' | ')} |`];
  });
  const gone = Object.keys(ANSWERS).filter((id) => !Object.hasOwn(components.schemas, id));
  if (gone.length > 0) throw new Error(`scripts/trust-tables.ts: there is no schema ${gone.join(', ')}`);
  return ['| Answer | proven | follows | node | unknown |', '|---|---|---|---|---|', ...rows].join('\n');
}

const named = (members: readonly string[]): string => members.map((member) => `\`${member}\``).join(', ');

/** What is checked at each level, the strictest first. */
const LEVELS: Readonly<Record<ProofSetting, readonly string[]>> = {
  signatures: ['proven', 'proven', 'proven', 'leader; all transactions'],
  full: ['proven', 'proven', 'proven', 'leader; transactions of the last day'],
  hashes: [
    'proven',
    'proven',
    'believed, if the node gives `encoded_tx` (releases since 6.13)',
    'leader; transactions of the last day',
  ],
  headers: ['proven', 'believed', 'believed', 'leader'],
  off: ['believed', 'believed', 'believed', 'believed'],
};

/** Processor time of a populator for a transaction, µs, as measured in bench/README.md; undefined if it was not. */
function costOf(level: string): string | undefined {
  const text = readFileSync(new URL('../bench/README.md', import.meta.url), 'utf8');
  return new RegExp(`^\\| \`PROOF=${level}\` \\| \\d+ \\| (\\d+) \\| \\d+ \\|$`, 'm').exec(text)?.[1];
}

export function proofLevelsTable(): string {
  const rows = Object.entries(LEVELS).map(([level, checked]) => {
    const cost = costOf(level);
    return `| \`${level}\` | ${checked.join(' | ')} | ${cost === undefined ? 'not measured' : `${cost} µs`} |`;
  });
  return [
    '| `PROOF` | Block headers | Which transactions a block has | Members of transactions | Signatures | Load, processor time a transaction |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
