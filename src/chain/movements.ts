import type { Effective } from './operations.js';
import { integer } from './facts.js';

/** Aettos that a transaction moves by what stands in it; null: not to or from anybody named there. */
export interface Movement {
  from: string | null;
  to: string | null;
  amount: bigint;
}

type Rule = readonly [from: string | null, to: string | null, amounts: readonly string[]];

/** Members that name both sides and the amounts, which are added up. Fees are not among them. */
const RULES: Record<string, readonly Rule[]> = {
  SpendTx: [['sender_id', 'recipient_id', ['amount']]],
  ContractCreateTx: [['owner_id', null, ['amount', 'deposit']]],
  ContractCallTx: [['caller_id', 'contract_id', ['amount']]],
  OracleQueryTx: [['sender_id', 'oracle_id', ['query_fee']]],
  OracleRegisterTx: [['account_id', null, []]],
  OracleExtendTx: [['oracle_id', null, []]],
  OracleRespondTx: [['oracle_id', null, []]],
  OracleResponseTx: [['oracle_id', null, []]],
  NamePreclaimTx: [['account_id', null, []]],
  NameClaimTx: [['account_id', null, ['name_fee']]],
  NameUpdateTx: [['account_id', null, []]],
  NameRevokeTx: [['account_id', null, []]],
  NameTransferTx: [['account_id', 'recipient_id', []]],
  ChannelCreateTx: [
    ['initiator_id', 'responder_id', ['initiator_amount']],
    ['responder_id', 'initiator_id', ['responder_amount']],
  ],
  ChannelDepositTx: [['from_id', 'channel_id', ['amount']]],
  ChannelWithdrawTx: [['channel_id', 'to_id', ['amount']]],
  GAAttachTx: [['owner_id', null, []]],
  GAMetaTx: [['ga_id', null, []]],
};

/**
 * What a transaction moves, as far as it tells: what a contract passes on, or who of a channel gets what at its end, does
 * not stand in it. Both amounts put into a channel are movements of their own.
 */
export function movementsOf({ type, tx }: Pick<Effective, 'type' | 'tx'>): Movement[] {
  const member = (name: string | null): string | null => {
    const value = name === null ? null : tx[name];
    return typeof value === 'string' ? value : null;
  };
  return (RULES[type] ?? []).map(([from, to, amounts]) => ({
    from: member(from),
    to: member(to),
    amount: amounts.reduce((sum, name) => sum + (integer(tx[name]) ?? 0n), 0n),
  }));
}

/** Aettos as AE, exact. */
export function inAe(aettos: bigint): string {
  const digits = (aettos < 0n ? -aettos : aettos).toString().padStart(19, '0');
  const fraction = digits.slice(-18).replace(/0+$/, '');
  return `${aettos < 0n ? '-' : ''}${digits.slice(0, -18)}${fraction === '' ? '' : `.${fraction}`}`;
}
