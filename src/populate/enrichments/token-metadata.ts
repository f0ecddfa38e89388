/** What collections say of single tokens, by dry runs after the block that made them. */
import { callOfSingle } from '../../chain/tokens/calls.js';
import { readMetadata } from '../../chain/tokens/meta.js';
import type { DryResult } from '../../node/dry-run.js';
import { countDueMetadata, dueMetadata, postponeMetadata, saveMetadata } from '../../store/token-metadata.js';
import type { DueMetadata, MetadataAnswer } from '../../store/token-metadata.js';
import { seldom } from './counting.js';
import { inRequests } from './dry-run-requests.js';
import { commit } from './enrichment.js';
import type { EnrichContext, Enrichment } from './enrichment.js';

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
    const ask = inRequests(node, due, ({ single }) => callOfSingle('metadata', single));
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
