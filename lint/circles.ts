/** From each node of a graph to those it points to. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Finds circles: for every group of nodes that reach each other, one shortest way round, its start repeated at its end. */
export function circles(graph: Graph): string[][] {
  const seen = new Set<string>();
  const found: string[][] = [];
  for (const node of [...graph.keys()].sort()) {
    if (seen.has(node)) continue;
    const round = wayBack(graph, node);
    if (round === undefined) continue;
    found.push(round);
    const reached = reach(graph, node);
    for (const other of reached) if (reach(graph, other).has(node)) seen.add(other);
  }
  return found;
}

/** Folds the files below `src` into its folders; a file there counts as a folder of its name. */
export function folders(graph: Graph): Map<string, Set<string>> {
  const folded = new Map<string, Set<string>>();
  for (const [from, targets] of graph) {
    if (!from.startsWith('src/')) continue;
    const to = folded.get(folderOf(from)) ?? new Set();
    for (const target of targets) if (folderOf(target) !== folderOf(from)) to.add(folderOf(target));
    folded.set(folderOf(from), to);
  }
  return folded;
}

const folderOf = (path: string): string => path.split('/').slice(0, 2).join('/').replace(/\.ts$/, '');

function wayBack(graph: Graph, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const node of queue) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) return [...wayTo(cameFrom, start, node), start];
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
  }
  return undefined;
}

function wayTo(cameFrom: Map<string, string>, start: string, end: string): string[] {
  const way = [end];
  for (let node = end; node !== start; way.unshift(node)) node = cameFrom.get(node) ?? start;
  return way;
}

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
