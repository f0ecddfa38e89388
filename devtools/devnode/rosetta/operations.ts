/**
 * What a transaction or a key block changes, in the words and the order of a real node's Rosetta interface. It is written from what real nodes answered, not
 * from the rules of `src/chain/money`, which it tests.
 */
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { asciiName, nameHash } from '../../../src/chain/protocol/ids.js';
import { OLD_CLAIM_FEE } from '../../../src/chain/protocol/name-rules.js';
import { LIMA } from '../../../src/chain/protocol/versions.js';
import { LOCKED_ACCOUNT, recipientOf } from '../ledger/execution.js';
import { big, innerOf, object, originOf, text } from '../ledger/members.js';
import type { Rules } from '../ledger/rules.js';
import type { Records } from '../ledger/state.js';
import type { CallInfo, Info, Query } from '../ledger/types.js';
import { accountOf } from '../origin.js';

export interface Operation {
  type: string;
  /** ak_ */
  account: string;
  amount: bigint;
}

interface Executed {
  tx: JsonObject;
  /** States before and after it. */
  before: Records;
  after: Records;
  /** Its result, if its type has one. */
  info: Info | undefined;
  /** ak_ that pays for it instead of its origin. */
  payer?: string | undefined;
}

const op = (type: string, account: string, amount: bigint): Operation => ({ type, account, amount });

/** Who pays the fee. */
const payerOf = ({ tx, payer }: Executed): string => payer ?? originOf(tx);

const fee = (executed: Executed, type = 'Chain.fee'): Operation =>
  op(type, payerOf(executed), -big(executed.tx, 'fee'));

const gasLimit = (tx: JsonObject): bigint => big(tx, 'gas') * big(tx, 'gas_price');

const OPERATIONS: Readonly<Record<string, (executed: Executed) => Operation[]>> = {
  SpendTx: (one) => {
    const amount = big(one.tx, 'amount');
    const recipient = recipientOf(one.before, text(one.tx, 'recipient_id'));
    return [fee(one), op('Spend.amount', originOf(one.tx), -amount), op('Spend.amount', recipient, amount)];
  },
  NamePreclaimTx: (one) => [fee(one)],
  NameClaimTx: claim,
  NameUpdateTx: (one) => [fee(one)],
  NameTransferTx: (one) => [fee(one)],
  NameRevokeTx: (one) => [fee(one)],
  OracleRegisterTx: (one) => [fee(one)],
  OracleExtendTx: (one) => [fee(one)],
  OracleQueryTx: (one) => withOwn(one, big(one.tx, 'query_fee')),
  OracleRespondTx: (one) => {
    const query = one.before.query(text(one.tx, 'query_id'));
    return [fee(one), op('Oracle.queryfee', originOf(one.tx), query?.fee ?? 0n)];
  },
  ContractCreateTx: (one) => called(one, big(one.tx, 'amount') + big(one.tx, 'deposit')),
  ContractCallTx: (one) => called(one, big(one.tx, 'amount')),
  GAAttachTx: (one) => [
    op('Chain.fee', payerOf(one), -big(one.tx, 'fee') - gasLimit(one.tx)),
    refund(one, callOf(one.info)?.gasUsed ?? 0n),
  ],
  GAMetaTx: meta,
  PayingForTx: (one) => {
    const payer = text(one.tx, 'payer_id');
    return [fee(one), ...operationsOf({ ...one, tx: innerOf(one.tx), payer })];
  },
  ChannelCreateTx: (one) => [
    ...withOwn(one, big(one.tx, 'initiator_amount')),
    op('Chain.fee', text(one.tx, 'responder_id'), -big(one.tx, 'responder_amount')),
  ],
  ChannelDepositTx: (one) => withOwn(one, big(one.tx, 'amount')),
  ChannelWithdrawTx: (one) => [fee(one), op('Channel.withdraw', originOf(one.tx), big(one.tx, 'amount'))],
  ChannelCloseMutualTx: (one) => payOut(one, 'Channel.amount', big(one.tx, 'fee')),
  ChannelSettleTx: (one) => [fee(one), ...payOut(one, 'Channel.settle', 0n)],
  ChannelCloseSoloTx: (one) => [fee(one, 'Channel.fee')],
  ChannelSlashTx: (one) => [fee(one, 'Channel.fee')],
  ChannelSnapshotSoloTx: (one) => [fee(one, 'Channel.fee')],
  ChannelSetDelegatesTx: (one) => [fee(one, 'Channel.fee')],
  ChannelForceProgressTx: (one) => {
    const price = big(object(one.tx, 'update'), 'gas_price');
    return [fee(one, 'Channel.fee'), op('Channel.amount', payerOf(one), -(callOf(one.info)?.gasUsed ?? 0n) * price)];
  },
};

/** In the order of the node. */
export const operationsOf = (executed: Executed): Operation[] =>
  OPERATIONS[text(executed.tx, 'type')]?.(executed) ?? [];

const callOf = (info: Info | undefined): CallInfo | undefined =>
  info !== undefined && 'call' in info ? info.call : undefined;

/** The node charges the gas limit with the fee, and gives back what was not used. */
const refund = (one: Executed, used: bigint): Operation =>
  op('Chain.refund', payerOf(one), gasLimit(one.tx) - used * big(one.tx, 'gas_price'));

/** Fee and what the origin pays besides are one operation, unless another account pays the fee. */
function withOwn(one: Executed, own: bigint): Operation[] {
  if (one.payer !== undefined) return [fee(one), op('Chain.fee', originOf(one.tx), -own)];
  return [op('Chain.fee', originOf(one.tx), -big(one.tx, 'fee') - own)];
}

function called(one: Executed, own: bigint): Operation[] {
  const { tx, info, payer } = one;
  const call = callOf(info)!;
  if (call.type !== 'ok')
    return [op('Contract.gas', payerOf(one), -big(tx, 'fee') - call.gasUsed * big(tx, 'gas_price'))];
  const charged = big(tx, 'fee') + gasLimit(tx);
  return [
    ...(payer === undefined
      ? [op('Contract.amount', originOf(tx), -charged - own)]
      : [op('Chain.fee', payer, -charged), op('Contract.amount', originOf(tx), -own)]),
    op('Contract.amount', accountOf(call.contract), big(tx, 'amount')),
    refund(one, call.gasUsed),
  ];
}

function meta(one: Executed): Operation[] {
  const { tx, info } = one;
  if (info === undefined || !('meta' in info)) return [];
  const { gasUsed, type, inner } = info.meta;
  const authenticated = [op('GA.amount', payerOf(one), -big(tx, 'fee') - gasLimit(tx)), refund(one, gasUsed)];
  if (type !== 'ok') return authenticated;
  return [
    ...authenticated,
    ...operationsOf({ ...one, tx: innerOf(tx), info: typeof inner === 'string' ? undefined : inner }),
  ];
}

function claim(one: Executed): Operation[] {
  const { tx, before } = one;
  const owner = originOf(tx);
  const id = nameHash(asciiName(text(tx, 'name')));
  const auction = before.auction(id);
  const price = before.version < LIMA ? OLD_CLAIM_FEE : big(tx, 'name_fee');
  const paid = [fee(one), op('Name.lock', owner, -price)];
  if (auction !== undefined) return [...paid, op('Name.refund', auction.bidder, auction.bid)];
  return one.after.auction(id) !== undefined ? paid : [...paid, op('Chain.lock', LOCKED_ACCOUNT, price)];
}

function payOut({ tx, before }: Executed, type: string, fromChannel: bigint): Operation[] {
  const { initiator, responder, amount } = before.channel(text(tx, 'channel_id'))!;
  const [first, second] = [big(tx, 'initiator_amount_final'), big(tx, 'responder_amount_final')];
  const rest = amount - first - second - fromChannel;
  return [
    op(type, initiator, first),
    op(type, responder, second),
    ...(rest > 0n ? [op('Chain.lock', LOCKED_ACCOUNT, rest)] : []),
  ];
}

/** What a key block does between two states, except presets of genesis. */
export function keyBlockOperations(before: Records, after: Records, rules: Rules): Operation[] {
  const ended = endedWith(before, after.height - 1);
  const paid = after.height - rules.rewardDelay - 1;
  const beneficiaries = [paid, paid + 1].flatMap((height) => before.earnings(height)?.beneficiary ?? []);
  const accounts = new Set([...beneficiaries, rules.protocolBeneficiary]);
  const rewards = [...accounts].flatMap((account) => {
    const other = ended.reduce((sum, one) => (one.account === account ? sum + one.amount : sum), 0n);
    const amount = (after.account(account)?.balance ?? 0n) - (before.account(account)?.balance ?? 0n) - other;
    return amount === 0n ? [] : [op('Chain.reward', account, amount)];
  });
  return [...rewards, ...ended];
}

/** Queries that nobody answered give their fees back, and the bids of auctions become locked. */
function endedWith(before: Records, height: number): Operation[] {
  const queries = new Map<string, Query>();
  const bids = new Map<string, bigint>();
  const add = (id: string): void => {
    const query = before.query(id);
    if (query !== undefined && query.response === undefined) queries.set(id, query);
  };
  for (const { kind, id } of before.expiring(height)) {
    const oracle = kind === 'oracle' ? before.oracle(id) : undefined;
    const auction = kind === 'auction' ? before.auction(id) : undefined;
    if (kind === 'query' && before.query(id)?.expires === height) add(id);
    if (oracle?.expires === height) oracle.queries.forEach(add);
    if (auction?.endsAt === height) bids.set(id, auction.bid);
  }
  return [
    ...[...queries.values()].map(({ sender, fee: paid }) => op('Oracle.refund', sender, paid)),
    ...[...bids.values()].filter((bid) => bid > 0n).map((bid) => op('Chain.lock', LOCKED_ACCOUNT, bid)),
  ];
}
