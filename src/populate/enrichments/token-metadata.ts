/** What collections say of single tokens, by dry runs after the block that made them. */
import { callOfSingle } from '../../chain/tokens/calls.js';
import { readMetadata } from '../../chain/tokens/meta.js';
import type { ChainNode } from '../../node/client.js';
import type { DryCall, DryResult } from '../../node/dry-run.js';
import { countDueMetadata, dueMetadata, postponeMetadata, saveMetadata } from '../../store/token-metadata.js';
import type { DueMetadata, MetadataAnswer } from '../../store/token-metadata.js';
import { seldom } from './counting.js';
import { commit } from './enrichment.js';
import type { EnrichContext, Enrichment } from './enrichment.js';
import { CALLS, GAS, MAX_GAS } from './tokens.js';

const callOf = ({ contractId: contract, single }: DueMetadata, gas: number): DryCall => ({
  contract,
  callData: callOfSingle('metadata', single),
  gas,
});

type Ask = (one: DueMetadata) => Promise<DryResult | null>;

/**
 * Asks about tokens of one micro block with one request, as far as gas allows. One that was asked about before without success is asked about alone: so
 * no token can keep the others from an answer.
 */
function inRequests(node: ChainNode, due: readonly DueMetadata[]): Ask {
  const places = new Map<DueMetadata, { of: DueMetadata[]; at: number }>();
  const last = new Map<string, DueMetadata[]>();
  for (const one of due) {
    const open = one.attempts > 0 ? undefined : last.get(one.block);
    const of = open !== undefined && open.length < CALLS ? open : [];
    places.set(one, { of, at: of.length });
    of.push(one);
    if (one.attempts === 0) last.set(one.block, of);
  }
  const results = new Map<DueMetadata[], Promise<DryResult[] | null>>();
  return async (one) => {
    const { of, at } = places.get(one)!;
    const calls = (): DryCall[] => of.map((each) => callOf(each, GAS));
    const asked = results.get(of) ?? node.dryRun(one.block, calls());
    results.set(of, asked);
    return (await asked)?.[at] ?? null;
  };
}

/** A call that failed may only have needed more gas. Where that did not help, it is not tried again for the same collection. */
function withMoreGas(node: ChainNode, ask: Ask): Ask {
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

function answerOf(due: DueMetadata, { type, value }: DryResult): MetadataAnswer {
  if (type !== 'ok') return { ...due, state: 'failed', metadata: null };
  const metadata = readMetadata(value);
  return { ...due, state: metadata === undefined ? 'malformed' : 'ok', metadata: metadata ?? null };
}

export const tokenMetadata: Enrichment<DueMetadata, MetadataAnswer> = {
  batch: 300,
  requests: 2,
  due: dueMetadata,
  asker({ node }, due) {
    const ask = withMoreGas(node, inRequests(node, due));
    return async (one) => {
      const result = await ask(one);
      return result === null ? null : answerOf(one, result);
    };
  },
  store: (context, { answered, later }) =>
    commit(context, async (tx) => {
      for (const outcome of await saveMetadata(tx, answered)) context.metrics.tokenMetadata.inc({ outcome });
      if (later.length > 0) context.metrics.tokenMetadata.inc({ outcome: 'unanswered' }, later.length);
      await postponeMetadata(tx, later);
    }),
};

/** Min time between two counts of tokens, ms. */
const COUNT_MS = 60_000;

/** Returns what reports how many tokens wait for their metadata. */
export function reportMetadata({ database, metrics }: EnrichContext): () => Promise<void> {
  const counted = seldom(database, countDueMetadata, COUNT_MS);
  return async () => {
    const count = await counted();
    if (count !== undefined) metrics.tokenMetadataWaiting.set(count);
  };
}
