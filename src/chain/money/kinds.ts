/**
 * Why a balance changes. One table for the kinds of our ledger, the kinds of transfers of the successor of the node's middleware (`/v3/transfers`), and
 * the types of operations in the node's Rosetta interface. The table in docs/protocol/money.md is this one.
 */
interface KindOfMovement {
  /** Code in the database; never changed once released. */
  readonly code: number;
  /** In plain words, for the documentation. */
  readonly meaning: string;
  /** The sign of its amounts; `any` for those that may have both. */
  readonly sign: 'in' | 'out' | 'any';
  /** `kind` of `/v3/transfers`; absent where that list has no such row. */
  readonly transfer?: string;
  /** Types of the node's operations that contain it, perhaps together with others. */
  readonly rosetta: readonly string[];
}

const kinds = <const Names extends string>(table: Record<Names, KindOfMovement>): Record<Names, KindOfMovement> =>
  table;

export const KINDS = kinds({
  spend: { code: 1, sign: 'any', meaning: 'amount of a spend', rosetta: ['Spend.amount'] },
  fee: {
    code: 2,
    sign: 'out',
    meaning: 'fee of a transaction, also of one inside it that the account pays for',
    rosetta: ['Chain.fee', 'Channel.fee', 'Contract.amount', 'Contract.gas', 'GA.amount'],
  },
  gas: {
    code: 3,
    sign: 'out',
    meaning:
      'gas that a contract used, at its price. The node takes the gas limit and gives the rest back (`Chain.refund`); this is the difference',
    rosetta: ['Contract.amount', 'Contract.gas', 'GA.amount', 'Chain.fee', 'Channel.amount', 'Chain.refund'],
  },
  call: {
    code: 4,
    sign: 'any',
    meaning: 'amount sent to a contract with its creation or a call',
    rosetta: ['Contract.amount'],
  },
  deposit: {
    code: 5,
    sign: 'out',
    meaning: 'deposit of a contract, which stays in it',
    rosetta: ['Contract.amount'],
  },
  payment: {
    code: 6,
    sign: 'any',
    meaning:
      'payment inside a contract call, coins sent along with a call inside it, or given to a contract that it creates',
    rosetta: ['Spend.amount'],
  },
  name_fee: {
    code: 7,
    sign: 'out',
    meaning: 'price of a name that is claimed without an auction',
    transfer: 'fee_lock_name',
    rosetta: ['Name.lock'],
  },
  bid: { code: 8, sign: 'out', meaning: 'bid in an auction', transfer: 'fee_spend_name', rosetta: ['Name.lock'] },
  bid_refund: {
    code: 9,
    sign: 'in',
    meaning: 'bid that comes back because a higher one was made',
    transfer: 'fee_refund_name',
    rosetta: ['Name.refund'],
  },
  lock: {
    code: 10,
    sign: 'in',
    meaning: 'coins that nobody can spend any more, in the account without a key: prices of names, rests of channels',
    rosetta: ['Chain.lock'],
  },
  oracle_fee: { code: 11, sign: 'out', meaning: 'fee of a query, paid to ask', rosetta: ['Chain.fee'] },
  oracle_reward: {
    code: 12,
    sign: 'in',
    meaning: 'fee of a query, earned by the answer',
    transfer: 'reward_oracle',
    rosetta: ['Oracle.queryfee'],
  },
  oracle_refund: {
    code: 13,
    sign: 'in',
    meaning: 'fee of a query that nobody answered in time',
    transfer: 'fee_refund_oracle',
    rosetta: ['Oracle.refund'],
  },
  channel_open: {
    code: 14,
    sign: 'out',
    meaning: 'amount with which a party opens a channel',
    rosetta: ['Chain.fee'],
  },
  channel_deposit: { code: 15, sign: 'out', meaning: 'deposit into a channel', rosetta: ['Chain.fee'] },
  channel_withdraw: { code: 16, sign: 'in', meaning: 'withdrawal from a channel', rosetta: ['Channel.withdraw'] },
  channel_close: {
    code: 17,
    sign: 'in',
    meaning: 'share of a party when both close a channel',
    rosetta: ['Channel.amount'],
  },
  channel_settle: {
    code: 18,
    sign: 'in',
    meaning: 'share of a party when a channel is settled',
    rosetta: ['Channel.settle'],
  },
  reward: {
    code: 19,
    sign: 'in',
    meaning: 'coinbase and fees, paid to the beneficiary of a key block after the delay of the network',
    transfer: 'reward_block',
    rosetta: ['Chain.reward'],
  },
  treasury: {
    code: 20,
    sign: 'in',
    meaning: 'share of the rewards for a fixed account, from Fortuna to Iris',
    transfer: 'reward_dev',
    rosetta: ['Chain.reward'],
  },
  preset: {
    code: 21,
    sign: 'in',
    meaning: 'coins of the genesis block; also those of a hard fork that only a node tells',
    transfer: 'accounts_roma',
    rosetta: ['Chain.amount'],
  },
  preset_minerva: {
    code: 23,
    sign: 'in',
    meaning: 'coins that the hard fork Minerva gave to accounts',
    transfer: 'accounts_minerva',
    rosetta: ['Chain.amount'],
  },
  preset_fortuna: {
    code: 24,
    sign: 'in',
    meaning: 'the same of Fortuna',
    transfer: 'accounts_fortuna',
    rosetta: ['Chain.amount'],
  },
  preset_lima: {
    code: 25,
    sign: 'in',
    meaning: 'the same of Lima',
    transfer: 'accounts_lima',
    rosetta: ['Chain.amount'],
  },
  preset_extra_lima: {
    code: 26,
    sign: 'in',
    meaning: 'the same of Lima, from its second list',
    transfer: 'accounts_extra_lima',
    rosetta: ['Chain.amount'],
  },
  preset_contract_lima: {
    code: 27,
    sign: 'in',
    meaning: 'coins of the contract that Lima created, for those who claim their coins later',
    transfer: 'contracts_lima',
    rosetta: ['Chain.amount'],
  },
  unexplained: {
    code: 22,
    sign: 'any',
    meaning: "difference to the node's balance that follows from nothing above",
    rosetta: [],
  },
});

export type Kind = keyof typeof KINDS;
