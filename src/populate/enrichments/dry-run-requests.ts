/** Dry runs after the blocks of what is asked about, with as few requests as gas allows. */
import type { ChainNode } from '../../node/client.js';
import type { DryCall, DryResult } from '../../node/dry-run.js';
import { CALLS, GAS, MAX_GAS } from './tokens.js';

export interface DueCall {
  contractId: string;
  /** Hash of the micro block. */
  block: string;
  /** Requests before, to which no node had an answer. */
  attempts: number;
}

type Ask<Of> = (one: Of) => Promise<DryResult | null>;
type CallOf<Of> = (one: Of, gas: number) => DryCall;

/** Asks one call about each of what is due; `callData` (cb_) is that of the call. */
export function inRequests<Of extends DueCall>(
  node: ChainNode,
  due: readonly Of[],
  callData: (one: Of) => string,
): Ask<Of> {
  const callOf = (one: Of, gas: number): DryCall => ({ contract: one.contractId, callData: callData(one), gas });
  return withMoreGas(node, callOf, together(node, callOf, due));
}

/**
 * Asks about what belongs to one micro block with one request, as far as gas allows. What was asked about before without success is asked about alone: so
 * no contract can keep the others from an answer.
 */
function together<Of extends DueCall>(node: ChainNode, callOf: CallOf<Of>, due: readonly Of[]): Ask<Of> {
  const places = new Map<Of, { of: Of[]; at: number }>();
  const last = new Map<string, Of[]>();
  for (const one of due) {
    const open = one.attempts > 0 ? undefined : last.get(one.block);
    const of = open !== undefined && open.length < CALLS ? open : [];
    places.set(one, { of, at: of.length });
    of.push(one);
    if (one.attempts === 0) last.set(one.block, of);
  }
  const results = new Map<Of[], Promise<DryResult[] | null>>();
  return async (one) => {
    const { of, at } = places.get(one)!;
    const calls = (): DryCall[] => of.map((each) => callOf(each, GAS));
    const asked = results.get(of) ?? node.dryRun(one.block, calls());
    results.set(of, asked);
    return (await asked)?.[at] ?? null;
  };
}

/** A call that failed may only have needed more gas. Where that did not help, it is not tried again for the same contract. */
function withMoreGas<Of extends DueCall>(node: ChainNode, callOf: CallOf<Of>, ask: Ask<Of>): Ask<Of> {
  const failing = new Set<string>();
  return async (one) => {
    const result = await ask(one);
    if (result?.type !== 'error' || failing.has(one.contractId)) return result;
    const [again] = (await node.dryRun(one.block, [callOf(one, MAX_GAS)])) ?? [];
    if (again === undefined) return null;
    if (again.type === 'error') failing.add(one.contractId);
    return again;
  };
}
