/** The queue of an enrichment with nodes and a database that fail at random. ORDERS=20000 for more. */
import { expect } from 'chai';
import { nodeFault } from '../../src/node/faults.js';
import type { Enrichment } from '../../src/populate/enrichments/enrichment.js';
import { queueOf } from '../../src/populate/enrichments/queue.js';
import type { Database } from '../../src/store/connection/database.js';
import { enrichContext } from '../support/decoding.js';
import { choices } from '../support/histories.js';
import { recordedNode } from '../support/recorded-node.js';

const { SEED = '37', ORDERS = '300' } = process.env;

interface Seen {
  /** Number of times that the answer about an item was stored. */
  stored: Map<number, number>;
  inFlight: number;
  maxInFlight: number;
  /** Items that were asked about twice at the same time. */
  doubled: number[];
  /** Items that were passed over after a fault of the node. */
  passedOver: number[];
  writing: number;
  maxWriting: number;
}

/** An enrichment over a list in memory: what is due are the numbers that are not stored. `chanceOfFault`: of each request and of each write. */
function listed(random: ReturnType<typeof choices>, length: number, chanceOfFault: () => number) {
  const seen: Seen = {
    stored: new Map(),
    inFlight: 0,
    maxInFlight: 0,
    doubled: [],
    passedOver: [],
    writing: 0,
    maxWriting: 0,
  };
  let isNodeAway = false;
  const asking = new Set<number>();
  const dueBehind = (limit: number, last: number): number[] =>
    Array.from({ length }, (_, item) => item)
      .filter((item) => item > last && !seen.stored.has(item))
      .slice(0, limit);
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  const enrichment: Enrichment<number, number> = {
    batch: random.int(1, 6),
    requests: random.int(1, 4),
    due: (_, limit) => Promise.resolve(dueBehind(limit, -1)),
    ...(random.chance(0.5) && {
      dueAfter: (_db: unknown, limit: number, last: number) => Promise.resolve(dueBehind(limit, last)),
    }),
    asker: (_, due) => {
      const first = dueBehind(1, -1)[0];
      if (isNodeAway && first !== undefined && first !== due[0]) seen.passedOver.push(first);
      isNodeAway = false;
      return ask;
    },
    async store(_, { answered }) {
      seen.maxWriting = Math.max(seen.maxWriting, (seen.writing += 1));
      for (let turns = random.int(1, 20); turns > 0; turns--) await turn();
      seen.writing -= 1;
      if (random.chance(chanceOfFault() / 2)) throw new Error('the database');
      for (const item of answered) seen.stored.set(item, (seen.stored.get(item) ?? 0) + 1);
    },
  };
  async function ask(item: number): Promise<number | null> {
    if (asking.has(item)) seen.doubled.push(item);
    asking.add(item);
    seen.maxInFlight = Math.max(seen.maxInFlight, (seen.inFlight += 1));
    await turn();
    seen.inFlight -= 1;
    asking.delete(item);
    if (!random.chance(chanceOfFault())) return item;
    if (random.chance(0.3)) {
      isNodeAway = true;
      throw nodeFault('node_unreachable', 'gone');
    }
    if (random.chance(0.5)) throw new Error('the compiler');
    return null;
  }
  return { enrichment, seen };
}

describe('the queue of an enrichment', () => {
  it(`stores each answer once in ${ORDERS} random orders of faults, within its limits`, async () => {
    const context = enrichContext({} as Database, recordedNode(), new AbortController().signal);
    for (let order = 0; order < Number(ORDERS); order++) {
      const random = choices(Number(SEED) + order);
      const length = random.int(0, 30);
      let chance = random.int(0, 8) / 10;
      const { enrichment, seen } = listed(random, length, () => chance);
      const queue = queueOf(enrichment)(context);
      let taken = 0;
      let steps = 0;
      for (let hasMore = true; hasMore || seen.stored.size < length; steps++) {
        // From here on nothing fails any more.
        if (steps === 40) chance = 0;
        expect(steps, 'too many steps').to.be.below(200);
        try {
          hasMore = await queue.step();
        } catch {
          await queue.restart();
          hasMore = true;
        }
        if (!hasMore) await queue.restart();
        taken += queue.takeStored();
      }
      await queue.idle();
      taken += queue.takeStored();
      const name = `order ${order}`;
      expect(
        [...seen.stored.values()].every((count) => count === 1),
        name,
      ).to.equal(true);
      expect(seen.doubled, name).to.deep.equal([]);
      expect(seen.passedOver, name).to.deep.equal([]);
      expect(seen.maxWriting, name).to.be.at.most(1);
      expect(seen.maxInFlight, name).to.be.at.most(enrichment.requests);
      expect(taken, name).to.equal(length);
    }
  });
});
