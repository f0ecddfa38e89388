import { MiddlewareError } from '../observe/errors.js';
import { gaps } from '../store/chain-state.js';
import { replaceHeights } from './heights.js';
import { replaceAbove } from './sync.js';
import type { SyncContext } from './sync.js';

/**
 * Loads the heights that are missing between stored ones, as `-H` may leave them. Where the parts turn out to be of
 * different branches, everything above the common ancestor is replaced.
 */
export async function fillGaps(context: SyncContext): Promise<void> {
  const { database, node, fence, signal, onCommit } = context;
  for (const gap of await gaps(database)) {
    const { failed } = await replaceHeights({
      database,
      node,
      fence,
      signal,
      heights: [gap],
      onHeight: (height, written) => onCommit(written, height),
    });
    const first = failed[0];
    if (first === undefined) continue;
    if (first.code !== 'other_branch') {
      throw new MiddlewareError('unavailable', first.code, `height ${first.height}: ${first.reason}`);
    }
    await replaceAbove(context, gap.from - 1);
    return;
  }
}
