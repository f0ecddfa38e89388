/** What collections say of single tokens, by dry runs after the block that made them. */
import { callOfSingle } from '../../chain/tokens/calls.js';
import { readMetadata } from '../../chain/tokens/meta.js';
import type { DryResult } from '../../node/dry-run.js';
import { countDueMetadata, dueMetadata, postponeMetadata, saveMetadata } from '../../store/token-metadata.js';
import type { DueMetadata, MetadataAnswer } from '../../store/token-metadata.js';
import { byDryRun, reportWaiting } from './dry-run-answers.js';

function answerOf(due: DueMetadata, { type, value }: DryResult): MetadataAnswer {
  if (type !== 'ok') return { ...due, state: 'failed', metadata: null };
  const metadata = readMetadata(value);
  return { ...due, state: metadata === undefined ? 'malformed' : 'ok', metadata: metadata ?? null };
}

export const tokenMetadata = byDryRun({
  due: dueMetadata,
  callData: ({ single }) => callOfSingle('metadata', single),
  answerOf,
  save: saveMetadata,
  postpone: postponeMetadata,
  counter: (metrics) => metrics.tokenMetadata,
});

export const reportMetadata = reportWaiting(countDueMetadata, (metrics) => metrics.tokenMetadataWaiting);
