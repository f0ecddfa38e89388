/** For each node the nodes to which it points. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Finds cycles: for each group of nodes that reach each other one shortest cycle, with its start repeated at its end. */
export function cycles(graph: Graph): string[][] {
  const seen = new Set<string>();
  const found: string[][] = [];
  for (const node of [...graph.keys()].sort()) {
    if (seen.has(node)) continue;
    const cycle = shortestCycle(graph, node);
    if (cycle === undefined) continue;
    found.push(cycle);
    const reached = reach(graph, node);
    for (const other of reached) if (reach(graph, other).has(node)) seen.add(other);
  }
  return found;
}

/**
 * Graph of the folders of `src` and `devtools`, from the graph of their files: `depth` 1 for the folders directly in them, 2 for the folders in
 * these. A file above counts as a folder of its name.
 */
export function folderGraph(graph: Graph, depth: number): Map<string, Set<string>> {
  const folderOf = (path: string): string =>
    path
      .split('/')
      .slice(0, depth + 1)
      .join('/')
      .replace(/\.ts$/, '');
  const folded = new Map<string, Set<string>>();
  for (const [from, targets] of graph) {
    if (!/^(src|devtools)\//.test(from)) continue;
    const to = folded.get(folderOf(from)) ?? new Set();
    for (const target of targets) if (folderOf(target) !== folderOf(from)) to.add(folderOf(target));
    folded.set(folderOf(from), to);
  }
  return folded;
}

/** Shortest cycle through a node; undefined if there is none. */
function shortestCycle(graph: Graph, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const node of queue) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) return [...pathTo(cameFrom, start, node), start];
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
  }
  return undefined;
}

function pathTo(cameFrom: Map<string, string>, start: string, end: string): string[] {
  const path = [end];
  for (let node = end; node !== start; path.unshift(node)) node = cameFrom.get(node) ?? start;
  return path;
}

/** All nodes that can be reached from a node. */
function reach(graph: Graph, start: string): Set<string> {
  const reached = new Set<string>();
  const queue = [start];
  for (const node of queue) {
    for (const next of graph.get(node) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      queue.push(next);
    }
  }
  return reached;
}
