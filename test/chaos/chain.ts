import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { EDGE_BITS } from '../support/histories.js';
import type { Choices } from '../support/histories.js';

/** Nodes of one network that all have the same blocks. */
export interface Chain {
  nodes: readonly Devnode[];
  mineKeyBlock(): Promise<void>;
  /** Makes one random change. @returns its description. */
  change(random: Choices): Promise<string>;
  close(): Promise<void>;
}

const MAX_DEPTH = 25;

/** Nodes with the same seed make the same blocks from the same changes. */
export async function startChain(seed: number, count: number): Promise<Chain> {
  const generate = {
    seed: `chaos ${seed}`,
    generations: 3,
    txsPerGeneration: 6,
    microBlocksPerGeneration: 2,
    edgeBits: EDGE_BITS,
  } as const;
  const start = (): Promise<Devnode> => startDevnode({ external: '127.0.0.1:0', source: { generate } });
  const nodes = await Promise.all(Array.from({ length: count }, start));

  async function all(change: (node: Devnode) => Promise<void>): Promise<void> {
    // A change that is not possible fails on all nodes.
    await Promise.allSettled(nodes.map(change));
    const heads = new Set(nodes.map((node) => node.top().hash));
    if (heads.size > 1) throw new Error(`the nodes disagree: ${[...heads].join(', ')}`);
  }

  const mineKeyBlock = (): Promise<void> => all((node) => node.mineKeyBlock());
  return {
    nodes,
    mineKeyBlock,
    async change(random) {
      const kind = random.int(0, 99);
      if (kind < 50) {
        const txs = random.int(1, 5);
        await all((node) => node.addMicroBlock({ txs }));
        return `micro block of ${txs}`;
      }
      if (kind < 75) {
        await mineKeyBlock();
        return 'key block';
      }
      if (kind < 88) {
        const next = (['key-block', 'micro-block'] as const)[random.int(0, 1)]!;
        await all((node) => node.microFork({ drop: 1, next }));
        return `micro fork, then ${next}`;
      }
      const depth = Math.min(nodes[0]!.height() - 1, random.int(1, random.chance(0.1) ? MAX_DEPTH : 4));
      // The new branch has the same height, is higher, or is lower but heavier.
      const grow = Math.max(1, depth + random.int(-1, 1));
      const retainTxs = (['all', 'some', 'none'] as const)[random.int(0, 2)]!;
      await all((node) => node.fork({ depth, grow, retainTxs, txsPerGeneration: 4, microBlocks: 2 }));
      return `fork ${depth} -> ${grow} ${retainTxs}`;
    },
    close: () => Promise.all(nodes.map((node) => node.close())).then(() => undefined),
  };
}
