import type { Logger } from '../../observe/logger.js';
import { reasonOf } from '../../observe/errors.js';
import { isNodeFault } from '../../node/faults.js';
import type { Asked, EnrichContext, Enrichment } from './enrichment.js';

/** The queue of an enrichment. */
export interface Queue {
  /** Asks about the next batch. Returns whether the next one can follow at once. */
  step(): Promise<boolean>;
  /** Returns the number of answers stored since the last `takeStored`. */
  takeStored(): number;
  /** Resolves when nothing is being stored. */
  idle(): Promise<void>;
  /** Waits until nothing is being stored, then starts again with the longest due item. Never throws. */
  restart(): Promise<void>;
  isLast: boolean;
}

/** Hides the types of an enrichment, so that those of a group can stand in one list. */
export const queueOf =
  <Due, Answer>(enrichment: Enrichment<Due, Answer>) =>
  (context: EnrichContext): Queue =>
    createQueue(context, enrichment);

/**
 * Reads the next batch and stores the answers of the last one while the node is asked about the batch between them. If a batch cannot be stored,
 * the next `step` or `idle` throws its error.
 */
function createQueue<Due, Answer>(context: EnrichContext, enrichment: Enrichment<Due, Answer>): Queue {
  const { batch } = enrichment;
  const { database } = context;
  let ahead: Promise<Due[]> | undefined;
  let storing = Promise.resolve();
  let stored = 0;

  function readBehind(due: readonly Due[]): Promise<Due[]> | undefined {
    const last = due.at(-1);
    if (due.length < batch || last === undefined || enrichment.dueAfter === undefined) return undefined;
    const reading = enrichment.dueAfter(database, batch, last);
    // `next` throws the error.
    reading.catch(() => undefined);
    return reading;
  }

  async function next(): Promise<Due[]> {
    // Without a batch read ahead, items would be found again whose answers are not stored yet.
    if (ahead === undefined) await storing;
    const due = await (ahead ?? enrichment.due(database, batch));
    ahead = readBehind(due);
    return due;
  }

  async function restart(): Promise<void> {
    ahead = undefined;
    await storing.catch(() => undefined);
    storing = Promise.resolve();
  }

  return {
    async step() {
      const due = await next();
      if (due.length === 0) return false;
      const ask = await enrichment.asker(context, due);
      const asked = await askEach(context.logger, due, enrichment.requests, ask);
      await storing;
      storing = enrichment.store(context, asked).then(() => void (stored += asked.answered.length));
      storing.catch(() => undefined);
      if (asked.isNodeAway) await restart();
      return asked.answered.length > 0 || (due.length === batch && !asked.isNodeAway);
    },
    takeStored() {
      const count = stored;
      stored = 0;
      return count;
    },
    idle: () => storing,
    restart,
    isLast: enrichment.isLast === true,
  };
}

/** Asks about each item. Once the node has a fault, the rest is not asked about, and stays due. */
async function askEach<Due, Answer>(
  logger: Logger,
  due: readonly Due[],
  requests: number,
  ask: (one: Due) => Promise<Answer | null>,
): Promise<Asked<Due, Answer>> {
  const asked: Asked<Due, Answer> = { answered: [], later: [], isNodeAway: false };
  const remaining = due.values();
  const work = async (): Promise<void> => {
    for (const one of remaining) {
      if (asked.isNodeAway) return;
      try {
        const answer = await ask(one);
        if (answer === null) asked.later.push(one);
        else asked.answered.push(answer);
      } catch (error) {
        logger.debug({ reason: reasonOf(error) }, 'The node or the compiler did not answer');
        asked.later.push(one);
        if (isNodeFault(error)) asked.isNodeAway = true;
      }
    }
  };
  await Promise.all(Array.from({ length: requests }, work));
  return asked;
}
