/** What a transaction itself says that it moves. What contracts move inside a call, and who gets a bid back, it does not say. */
import type { Integer } from './json.js';

type Tx = Record<string, unknown> & { type: string };

export interface Move {
  /** Account, contract, oracle or name. */
  party: string;
  why: string;
  /** Aettos; negative if it pays. */
  change: bigint;
  /** A failed transaction pays only fee and gas. */
  undone: boolean;
}

interface Flow {
  /** Member with the party, and members whose sum it pays or gets. */
  party: string;
  amounts: readonly string[];
  gets?: true;
  why?: string;
}

const FLOWS: Record<string, readonly Flow[]> = {
  SpendTx: [
    { party: 'sender_id', amounts: ['amount'] },
    { party: 'recipient_id', amounts: ['amount'], gets: true },
  ],
  ContractCallTx: [
    { party: 'caller_id', amounts: ['amount'] },
    { party: 'contract_id', amounts: ['amount'], gets: true },
  ],
  ContractCreateTx: [{ party: 'owner_id', amounts: ['amount', 'deposit'], why: 'Amount and deposit' }],
  NameClaimTx: [{ party: 'account_id', amounts: ['name_fee'], why: 'Fee of the name' }],
  OracleQueryTx: [{ party: 'sender_id', amounts: ['query_fee'], why: 'Fee of the query' }],
  ChannelCreateTx: [
    { party: 'initiator_id', amounts: ['initiator_amount'], why: 'Into the channel' },
    { party: 'responder_id', amounts: ['responder_amount'], why: 'Into the channel' },
  ],
  ChannelDepositTx: [{ party: 'from_id', amounts: ['amount'], why: 'Into the channel' }],
  ChannelWithdrawTx: [{ party: 'to_id', amounts: ['amount'], gets: true, why: 'Out of the channel' }],
};

const sumOf = (tx: Tx, members: readonly string[]): bigint =>
  members.reduce((sum, member) => sum + BigInt((tx[member] as Integer | undefined) ?? 0), 0n);

/** What the first party pays besides fee and gas, aettos. */
export function paidBySender(tx: Tx): bigint {
  const [first] = FLOWS[tx.type] ?? [];
  return first === undefined || first.gets === true ? 0n : sumOf(tx, first.amounts);
}

/** `gasUsed` is undefined before the transaction ran: then it may use all of its gas. */
export function movesOf(tx: Tx, payer: string, gasUsed: Integer | undefined, failed: boolean): Move[] {
  const moved = (FLOWS[tx.type] ?? []).flatMap(({ party, amounts, gets, why = 'Amount' }): Move[] => {
    const sum = sumOf(tx, amounts);
    if (sum === 0n || typeof tx[party] !== 'string') return [];
    return [{ party: tx[party], why, change: gets === true ? sum : -sum, undone: failed }];
  });
  const gas = BigInt(gasUsed ?? (tx['gas'] as Integer | undefined) ?? 0) * sumOf(tx, ['gas_price']);
  const paid = [
    { why: 'Fee', change: -sumOf(tx, ['fee']) },
    { why: gasUsed === undefined ? 'Gas, at most' : 'Gas', change: -gas },
  ].filter(({ change }) => change !== 0n);
  return [...moved, ...paid.map((one) => ({ ...one, party: payer, undone: false }))];
}
