import { useEffect, useState } from 'preact/hooks';
import { duration, typeInWords } from '../format.js';
import { followHead } from '../live.js';
import type { Generation, Head } from '../live.js';
import { Amount } from '../parts/amount.js';
import { HeadSummary, newestTime } from '../parts/head-summary.js';
import { Fault } from '../parts/read.js';
import { ReorgText } from '../parts/reorg.js';
import { Age, Height, Id, useNow } from '../parts/values.js';

/** Age of the newest block from which a notice says that the head is old, ms. */
const OLD_MS = 3 * 60_000;

export function Home() {
  const [head, setHead] = useState<Head>();
  useEffect(() => followHead(setHead), []);
  if (head === undefined || (head.generations.length === 0 && head.error === undefined)) {
    return (
      <p class="quiet" role="status">
        Loading…
      </p>
    );
  }
  if (head.generations.length === 0) return <Fault error={head.error} again={() => location.reload()} />;
  return (
    <>
      <h1>Head of the chain</h1>
      <HeadSummary generations={head.generations} />
      <Notices head={head} />
      <div class="columns">
        <section aria-label="Generations">
          <h2>Generations</h2>
          <ol class="generations">
            {head.generations.map((one) => (
              <GenerationRow key={one.hash} generation={one} />
            ))}
          </ol>
        </section>
        <section aria-label="Latest transactions">
          <h2>Latest transactions</h2>
          {head.transactions.length === 0 && <p class="note">There are none in the latest generations.</p>}
          <ol class="latest">
            {head.transactions.map(({ hash, type, height, amount }) => (
              <li key={hash}>
                <Id id={hash} short /> <span>{typeInWords(type)}</span>{' '}
                <span class="quiet">
                  in <Height height={height} />
                </span>
                {amount !== undefined && (
                  <span class="right">
                    <Amount aettos={amount} />
                  </span>
                )}
              </li>
            ))}
          </ol>
        </section>
      </div>
    </>
  );
}

function Notices({ head }: { head: Head }) {
  const now = useNow();
  const time = newestTime(head.generations);
  const { reorg } = head;
  return (
    <div aria-live="polite">
      {!head.connected && (
        <p class="note bad">
          The stream of events is interrupted. The page reconnects by itself; until then it may be out of date.
        </p>
      )}
      {now - time > OLD_MS && <p class="note bad">The head is {duration(now - time)} old.</p>}
      {reorg !== undefined && <ReorgText of={reorg} />}
    </div>
  );
}

function GenerationRow({ generation }: { generation: Generation }) {
  const { height, hash, time, microBlocks } = generation;
  return (
    <li>
      <span class="height">
        <Height height={height} />
      </span>
      <div>
        <Id id={hash} short />{' '}
        <span class="quiet">
          <Age time={time} />
        </span>
        <ul class="micro-blocks">
          {microBlocks.map((block) => (
            <li key={block.hash}>
              <a href={`#/block/${block.hash}`} title={block.hash} aria-label={`Micro block ${block.hash}`} />
            </li>
          ))}
        </ul>
      </div>
      <span class="quiet count">
        {microBlocks.length} micro {microBlocks.length === 1 ? 'block' : 'blocks'}
      </span>
    </li>
  );
}
