/** Which of two branches nodes have, in a network whose proof of work cannot be checked: no difficulty, height or length decides there. */

/** A key block of another node. The lower its rank, the earlier `NODE_URL` names the node. */
interface OtherKeyBlock {
  rank: number;
  hash: string;
}

/** The key blocks of nodes at one height. */
export interface KeyBlocksAt {
  /** Rank of the followed node. */
  followed: number;
  /** Those of the other nodes that answer, one for each peer key. */
  others: readonly OtherKeyBlock[];
}

/**
 * The branch that more nodes have, and if as many have both, the one of the node that is named first. `nobody` if no node contradicts or confirms
 * the followed one. `branch` and `stored` are the first key blocks in which the branch of the followed node and the stored one differ;
 * `stored` is undefined if nothing is stored there.
 */
export function preferredBranch(
  { followed, others }: KeyBlocksAt,
  branch: string,
  stored: string | undefined,
): 'branch' | 'stored' | 'nobody' {
  const ranksOf = (hash: string | undefined): number[] =>
    others.flatMap((one) => (one.hash === hash ? [one.rank] : []));
  const [forBranch, forStored] = [[followed, ...ranksOf(branch)], ranksOf(stored)];
  if (forStored.length === 0) return forBranch.length === 1 ? 'nobody' : 'branch';
  if (forBranch.length !== forStored.length) return forBranch.length > forStored.length ? 'branch' : 'stored';
  return Math.min(...forBranch) < Math.min(...forStored) ? 'branch' : 'stored';
}
