import { heightOf } from '../chain/position.js';
import { MalformedError } from '../chain/malformed.js';
import type { Network } from '../chain/networks.js';
import type { ChainNode } from '../node/client.js';
import { MiddlewareError, reasonOf } from '../observe/errors.js';
import { createSemaphore } from '../runtime/semaphore.js';
import { readAnnounced } from '../store/announced.js';
import { gaps, microHashesAt, storedKeyBlock } from '../store/chain-state.js';
import type { Queryable } from '../store/connection/database.js';
import { unprovenOf } from '../store/facts/blocks.js';
import type { Block } from '../store/facts/blocks.js';
import { checkLinks } from '../store/write/commit.js';
import { announceStored } from '../store/write/events.js';
import { beginReplacing, replaceGenerations } from '../store/write/replace.js';
import { isStoredElsewhere, joinsAbove, otherBranch } from './heights.js';
import { checkedGenerations } from './key-blocks.js';
import { inBatches, oneAhead, readGenerations } from './source.js';
import type { BatchSize } from './source.js';
import type { SyncContext } from './context.js';

/** Heights that are missing between stored ones. A load of some heights (`-H`) can leave gaps. */
type Gap = Awaited<ReturnType<typeof gaps>>[number];

/** The stored parts are of different branches. `above` is the highest height of the part below the lowest gap. */
interface OtherBranch {
  above: number;
}

export interface GapFiller {
  /**
   * Stores the next heights of the lowest gap in one database transaction, also while the head is followed. Returns `none` if there is no
   * gap. After a fault the next call continues from what is stored. With `inBackground` few requests go to the node at a time, so that
   * requests for the head do not wait. Key blocks that break the rules of `network` are refused.
   */
  fillNext(options?: {
    inBackground?: boolean;
    network?: Network | undefined;
    genesisHash?: string | undefined;
  }): Promise<'filled' | 'none' | OtherBranch>;
  /** Resolves when the running write has ended. If the context's signal has aborted, no other write follows. */
  idle(): Promise<void>;
}

/**
 * Size of a batch, in multiples of that of a load. Each time the heights below an island grow, the rows above are numbered again. Few large
 * batches keep that cost low; memory limits their size.
 */
const GROWTH = 2;

/** Max concurrent requests while the head is followed: slow answers must not delay requests for the head. */
const BACKGROUND_REQUESTS = 3;

export function createGapFiller(context: SyncContext): GapFiller {
  const { database, node, fence, window, batch, signal, onCommit } = context;
  let open: { gap: Gap; below: number; batches: AsyncGenerator<Block[]> } | undefined;
  let writing: Promise<unknown> | undefined;
  let isInBackground = false;
  const semaphore = createSemaphore({ max: BACKGROUND_REQUESTS });
  const limited = async <T>(request: () => Promise<T>): Promise<T> => {
    const leave = isInBackground ? await semaphore.enter() : undefined;
    return request().finally(leave);
  };
  const limitedNode: ChainNode = {
    ...node,
    generation: (height) => limited(() => node.generation(height)),
    microBlock: (...of) => limited(() => node.microBlock(...of)),
  };

  const begin = async (rules: Pick<SyncContext, 'network' | 'genesisHash'>): Promise<typeof open> => {
    const gap = (await gaps(database))[0];
    if (gap === undefined) return undefined;
    // The generation below the gap may lack its last micro blocks: it may have been stored while it was the running one.
    const from = Math.max(0, gap.from - 1);
    const generations = readGenerations(limitedNode, from, gap.to, window);
    const checked = checkedGenerations(generations, { database, node: limitedNode, ...rules });
    return { gap, below: from - 1, batches: oneAhead(inBatches(checked, grown(batch), [])) };
  };
  return {
    async fillNext({ inBackground = false, network, genesisHash } = {}) {
      isInBackground = inBackground;
      open ??= await begin({ network, genesisHash });
      if (open === undefined) return 'none';
      const filling = open;
      try {
        const next = await filling.batches.next();
        if (next.done === true) {
          open = undefined;
          return 'filled';
        }
        const blocks = next.value;
        const last = heightOf(blocks.at(-1)!.position);
        checkLinks(null, blocks);
        signal.throwIfAborted();
        const storing = database.transaction(async (tx) => {
          await beginReplacing(tx);
          await fence(tx);
          await mustFit(tx, blocks, filling.below, filling.gap);
          const generation = blocks.slice(blocks.findLastIndex(({ kind }) => kind === 'key'));
          if (last === filling.gap.to && !(await joinsAbove(tx, last, generation))) {
            throw otherBranch(`the node's generation ${last} does not lead to the stored key block ${last + 1}`);
          }
          const announced = await readAnnounced(tx);
          const replaced = await replaceGenerations(tx, blocks);
          if (announced !== undefined) await announceStored(tx, announced);
          return replaced;
        });
        writing = storing;
        const written = await storing;
        filling.below = last;
        const heights = blocks.filter(({ kind }) => kind === 'key').length;
        onCommit({ heights, ...written, unproven: unprovenOf(blocks) }, last);
        return 'filled';
      } catch (error) {
        open = undefined;
        // Drop the blocks that were read ahead.
        filling.batches.return(undefined).catch(() => undefined);
        const isOther = error instanceof MiddlewareError && error.code === 'other_branch';
        if (isOther || isStoredElsewhere(error)) return { above: filling.gap.from - 1 };
        throw notFilled(filling, error);
      }
    },
    async idle() {
      await writing?.catch(() => undefined);
    },
  };
}

/** Wraps an error of unknown kind as `gap_not_filled`; faults of the node, the database and the lease stay as they are. */
function notFilled({ gap, below }: { gap: Gap; below: number }, error: unknown): unknown {
  if (error instanceof MiddlewareError || error instanceof MalformedError) return error;
  const reason = reasonOf(error);
  return new MiddlewareError('gap_not_filled', `heights ${below + 1} to ${gap.to}: ${reason}`, { cause: error });
}

const grown = ({ blocks, transactions, characters }: BatchSize): BatchSize => ({
  blocks: blocks * GROWTH,
  transactions: transactions * GROWTH,
  characters: characters * GROWTH,
});

/** Throws if the blocks do not join what is stored, which may have changed since the gap was found. */
async function mustFit(tx: Queryable, blocks: readonly Block[], below: number, gap: Gap): Promise<void> {
  const moved = (message: string): MiddlewareError => new MiddlewareError('chain_moved', message);
  if ((await storedKeyBlock(tx, gap.to + 1)) === null) throw moved(`nothing is stored at ${gap.to + 1} any more`);
  const first = blocks[0]!;
  if (below >= 0) {
    const lower = await storedKeyBlock(tx, below);
    if (lower === null) throw moved(`nothing is stored at ${below} any more`);
    const last = (await microHashesAt(tx, below)).at(-1) ?? lower.hash;
    if (first.prevHash !== last) {
      throw otherBranch(`the node's key block ${below + 1} does not follow the last stored block of ${below}`);
    }
  }
  // If the first generation is stored already, the blocks must begin with its blocks: only micro blocks at its end may be missing.
  const stored = await storedKeyBlock(tx, below + 1);
  if (stored === null) return;
  const hashes = [stored.hash, ...(await microHashesAt(tx, below + 1))];
  if (hashes.some((hash, i) => blocks[i]?.hash !== hash)) {
    throw otherBranch(`the node's generation ${below + 1} is not the stored one`);
  }
}
