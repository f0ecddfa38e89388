import { read } from '../api.js';
import { duration, integer } from '../format.js';
import type { Generation } from '../live.js';
import { Height } from './head.js';
import { useNow } from './now.js';

import { useRead } from './read.js';

/** Pause between two reads of the number of transactions, ms. */
const REFRESH_MS = 10_000;

/** Time of the newest block, ms. `generations` are newest first, at least one. */
export const newestTime = ([newest]: readonly Generation[]): number =>
  Math.max(newest!.time, ...newest!.microBlocks.map((block) => block.time ?? 0));

/** Mean time between the key blocks of `generations`, ms; undefined for fewer than two. */
function meanInterval(generations: readonly Generation[]): number | undefined {
  const intervals = generations.length - 1;
  return intervals < 1 ? undefined : (generations[0]!.time - generations[intervals]!.time) / intervals;
}

/** The figures of the chain at a glance. `generations` are newest first, at least one. */
export function HeadSummary({ generations }: { generations: readonly Generation[] }) {
  const now = useNow();
  const count = useRead((signal) => read('/middleware/count/current', {}, signal), [], REFRESH_MS);
  const interval = meanInterval(generations);
  return (
    <dl class="summary">
      <div>
        <dt>Height</dt>
        <dd>
          <Height height={generations[0]!.height} />
        </dd>
      </div>
      <div>
        <dt>Newest block</dt>
        <dd>{duration(now - newestTime(generations))} ago</dd>
      </div>
      <div>
        <dt>Transactions</dt>
        <dd>{count.state === 'loaded' ? integer(count.value.body.count) : '…'}</dd>
      </div>
      <div>
        <dt>Time between key blocks</dt>
        <dd>{interval === undefined ? '…' : duration(interval)}</dd>
      </div>
    </dl>
  );
}
