/** Asks tokens what they tell, once about all that is due, and notes the dry runs. */
import type { ChainNode } from '../../src/node/client.js';
import type { DryCall, DryResult } from '../../src/node/dry-run.js';
import { createMetrics } from '../../src/observe/metrics.js';
import type { EnrichContext } from '../../src/populate/enrichments/enrichment.js';
import type { Queue } from '../../src/populate/enrichments/queue.js';
import type { Database } from '../../src/store/connection/database.js';
import { enrichContext } from './decoding.js';

interface DryRun {
  block: string;
  calls: readonly DryCall[];
}

type Answer = (block: string, calls: readonly DryCall[]) => Promise<DryResult[] | null>;

/** The answers of a node, of which some are others. */
export const changed =
  (node: ChainNode, change: (call: DryCall) => Partial<DryResult> | undefined): Answer =>
  async (block, calls) =>
    (await node.dryRun(block, calls))?.map((result, i) => ({ ...result, ...change(calls[i]!) })) ?? null;

/** Returns the requests. */
export async function askOnce(
  { database, node }: { database: Database; node: ChainNode },
  open: (context: EnrichContext) => Queue,
  answer: Answer,
  changes: Partial<EnrichContext> = {},
): Promise<DryRun[]> {
  const requests: DryRun[] = [];
  const asked: ChainNode = {
    ...node,
    dryRun(block, calls) {
      requests.push({ block, calls });
      return answer(block, calls);
    },
  };
  const queue = open(
    enrichContext(database, asked, new AbortController().signal, { metrics: createMetrics(), ...changes }),
  );
  while (await queue.step());
  await queue.idle();
  return requests;
}
