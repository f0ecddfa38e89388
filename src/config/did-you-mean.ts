/** The candidate most similar to a mistyped word, as the end of a sentence; empty if none is similar. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const found = nearest(word, candidates);
  return found === undefined ? '' : `. Did you mean ${found}?`;
}

/** The most similar candidate, if it differs by at most a third of the letters, or by one letter. */
function nearest(word: string, candidates: readonly string[]): string | undefined {
  const max = Math.max(1, Math.floor(word.replace(/^--/, '').length / 3));
  const [best] = candidates
    .map((candidate) => ({ candidate, changes: changes(word, candidate) }))
    .sort((a, b) => a.changes - b.changes);
  return best !== undefined && best.changes <= max ? best.candidate : undefined;
}

/** Edit distance: the number of letters to insert, remove or replace, and of neighbours to swap. */
function changes(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      let min = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (swapped) min = Math.min(min, rows[i - 2]![j - 2]! + 1);
      row.push(min);
    }
    rows.push(row);
  }
  return rows[from.length]![to.length]!;
}
