/** All enrichments. Those of a group are asked about in turn by one loop; groups do not wait for one another. */
import { reasonOf } from '../../observe/errors.js';
import { repeat } from '../../runtime/repeat.js';
import type { EnrichContext } from './enrichment.js';
import { calls, infos, newInfos, reportBacklog } from './calls.js';
import { codes, creations } from './contracts.js';
import { callReplays, newReplays, reportReplays } from './internal-calls.js';
import { nodeMoney, reportQuestions } from './node-money.js';
import { reportAllowances, tokenAllowances } from './token-allowances.js';
import { reportTokens, tokenChecks } from './token-checks.js';
import { reportMetadata, tokenMetadata } from './token-metadata.js';
import { tokenKinds, tokenMetas } from './tokens.js';
import { queueOf } from './queue.js';
import type { Queue } from './queue.js';
import { reportUnknown, unknownInfos } from './unknown-infos.js';

interface Group {
  /** Woken when blocks were stored: some of their rows are due at once. Others look for themselves. */
  isWoken?: true;
  /** Absent if it always is. */
  isAsked?: (context: EnrichContext) => boolean;
  /** What comes first is first in the list. */
  queues: readonly ((context: EnrichContext) => Queue)[];
  /** Returns what is called after each turn to report how much is due. */
  report(context: EnrichContext): (queues: readonly Queue[]) => Promise<void>;
}

const ALWAYS: readonly Group[] = [
  {
    isWoken: true,
    queues: [
      queueOf(newInfos),
      queueOf(infos),
      queueOf(calls),
      queueOf(codes),
      queueOf(tokenKinds),
      queueOf(creations),
    ],
    report: reportBacklog,
  },
  { isAsked: ({ dryRuns }) => dryRuns, queues: [queueOf(tokenMetas), queueOf(tokenChecks)], report: reportTokens },
  // A collection may have very many tokens.
  { isAsked: ({ dryRuns }) => dryRuns, queues: [queueOf(tokenMetadata)], report: reportMetadata },
  { isAsked: ({ dryRuns }) => dryRuns, queues: [queueOf(tokenAllowances)], report: reportAllowances },
  // One dry run for each call of the chain.
  {
    isAsked: ({ internalCalls }) => internalCalls,
    queues: [queueOf(newReplays), queueOf(callReplays)],
    report: reportReplays,
  },
  // Blocks that are stored again here may take long.
  { queues: [queueOf(unknownInfos)], report: reportUnknown },
];

function groupsOf(context: EnrichContext): readonly Group[] {
  const { rosetta } = context;
  const asked = ALWAYS.filter(({ isAsked }) => isAsked?.(context) ?? true);
  return rosetta === undefined ? asked : [...asked, { queues: [queueOf(nodeMoney(rosetta))], report: reportQuestions }];
}

/** Pause before looking again for what other processes stored or what is due for another attempt, ms. */
const IDLE_MS = 2_000;

/** Runs until the signal aborts. `pause` resolves after a time in ms, or earlier when blocks were stored. */
export async function enrich(context: EnrichContext, pause: (ms: number) => Promise<void>): Promise<void> {
  await Promise.all(groupsOf(context).map((group) => runGroup(group, context, pause)));
}

async function runGroup(
  { queues, report, isWoken }: Group,
  context: EnrichContext,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  const { logger, signal, mayWork } = context;
  const all = queues.map((open) => open(context));
  const reportDue = report(context);
  await repeat({
    signal,
    ...(isWoken && { pause }),
    async runOnce() {
      let hasMore = false;
      if (mayWork()) for (const queue of all) if (!(queue.isLast && hasMore)) hasMore = (await queue.step()) || hasMore;
      await reportDue(all);
      return hasMore ? 0 : IDLE_MS;
    },
    async onFault(error) {
      for (const queue of all) await queue.restart();
      logger.debug({ reason: reasonOf(error) }, 'Could not ask about stored blocks');
      return IDLE_MS;
    },
  });
  for (const queue of all) await queue.restart();
}
