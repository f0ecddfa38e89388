/** Searches graphs for 42-cycles with the simplest algorithm. Suitable for small graphs: one of 15 edge bits takes a few milliseconds. */
import { PROOF_LENGTH } from '../protocol/blocks.js';
import type { GraphKeys } from './cuckoo.js';
import { createEndpoints } from './siphash.js';

/** Max length of a path of nodes. Longer paths are rare and are skipped. */
const MAX_PATH = 8192;
const EMPTY = 0xffffffff;
/** This search takes too much memory and time for larger graphs. */
export const MAX_SEARCHED_BITS = 24;

/** Finds 42-cycles in graphs of one size. The memory is reused for each graph. */
export interface CycleFinder {
  /** The edges of each cycle found, ascending. Most graphs have none. */
  find(keys: GraphKeys): number[][];
}

export function createCycleFinder(edgeBits: number): CycleFinder {
  const edges = 2 ** edgeBits;
  const mask = edges - 1;
  const endpoints = createEndpoints(edges);
  const [us, vs] = endpoints.sides;
  /** For each node, the next node on the path to the root of its tree. */
  const next = new Uint32Array(2 * edges);
  const fromU = new Uint32Array(MAX_PATH);
  const fromV = new Uint32Array(MAX_PATH);

  /** Writes the nodes from `node` to its root into `path`. Returns the index of the root, -1 if the path is too long. */
  function pathToRoot(node: number, path: Uint32Array): number {
    let length = 0;
    for (let at = node; at !== EMPTY; at = next[at]!) {
      if (length === MAX_PATH) return -1;
      path[length] = at;
      length += 1;
    }
    return length - 1;
  }

  /** Reverses the links of a path, so that its first node becomes the root, and then links this node to `parent`. */
  function reroot(path: Uint32Array, last: number, parent: number): void {
    for (let i = last; i > 0; i -= 1) next[path[i]!] = path[i - 1]!;
    next[path[0]!] = parent;
  }

  /** Numbers of the edges between the pairs of nodes. */
  function edgesOf(pairs: Set<number>): number[] {
    const found: number[] = [];
    for (let edge = 0; edge < edges && pairs.size > 0; edge += 1) {
      const pair = (us[edge]! & mask) * edges + (vs[edge]! & mask);
      if (pairs.delete(pair)) found.push(edge);
    }
    return found;
  }

  /** The pairs of nodes of a cycle: an edge that connects two paths, and the paths up to the indexes where they meet. */
  function pairsOf(meetU: number, meetV: number): Set<number> {
    const pair = (a: number, b: number): number => {
      const [even, odd] = a % 2 === 0 ? [a, b] : [b, a];
      return (even >>> 1) * edges + (odd >>> 1);
    };
    const pairs = new Set([pair(fromU[0]!, fromV[0]!)]);
    for (let i = 0; i < meetU; i += 1) pairs.add(pair(fromU[i]!, fromU[i + 1]!));
    for (let i = 0; i < meetV; i += 1) pairs.add(pair(fromV[i]!, fromV[i + 1]!));
    return pairs;
  }

  return {
    find(keys) {
      next.fill(EMPTY);
      endpoints.fill(keys);
      const cycles: number[][] = [];
      for (let edge = 0; edge < edges; edge += 1) {
        const u = (us[edge]! & mask) * 2;
        const v = (vs[edge]! & mask) * 2 + 1;
        if (next[u] === v || next[v] === u) continue;
        const lastU = pathToRoot(u, fromU);
        const lastV = pathToRoot(v, fromV);
        if (lastU < 0 || lastV < 0) continue;
        if (fromU[lastU] !== fromV[lastV]) {
          if (lastU < lastV) reroot(fromU, lastU, v);
          else reroot(fromV, lastV, u);
          continue;
        }
        let [meetU, meetV] = [lastU, lastV];
        while (meetU > 0 && meetV > 0 && fromU[meetU - 1] === fromV[meetV - 1]) {
          meetU -= 1;
          meetV -= 1;
        }
        if (meetU + meetV + 1 === PROOF_LENGTH) {
          const found = edgesOf(pairsOf(meetU, meetV));
          if (found.length === PROOF_LENGTH) cycles.push(found);
        }
      }
      return cycles;
    },
  };
}
