import { useEffect, useRef, useState } from 'preact/hooks';
import { orNothing, read, readNode } from '../api.js';
import { isOldHead } from '../block-time.js';
import { duration, integer } from '../format.js';
import { followHead } from '../live.js';
import type { Generation, Head } from '../live.js';
import { Amount } from '../parts/amount.js';
import { Card, Empty, Note } from '../parts/card.js';
import { withTimes } from '../parts/figures.js';
import { HeadSummary } from '../parts/head-summary.js';
import { useRead } from '../parts/read.js';
import { ReorgText } from '../parts/reorg.js';
import { Height, InGeneration } from '../parts/head.js';
import { useNow } from '../parts/now.js';
import { Strip, StripHead, useGenerations } from '../parts/strip.js';
import { Transactions, TransactionBones } from '../parts/transactions.js';
import { Fact, Facts, Id, NameLink } from '../parts/values.js';

export function Home() {
  const [head, setHead] = useState<Head>();
  useEffect(() => followHead(setHead), []);
  const known = head?.generations ?? [];
  const version = known.map(({ hash, microBlocks }) => `${hash}${microBlocks.length}`).join();
  const generations = useGenerations(known[0]?.height, version);
  const [isHeld, setHeld] = useState(false);
  const shown = useRef({ generations, transactions: head?.transactions ?? [] });
  if (!isHeld) shown.current = { generations, transactions: head?.transactions ?? [] };
  if (head === undefined || known.length === 0) return <HomeBones />;
  // Nothing moves away below the pointer.
  const hold = { onMouseEnter: () => setHeld(true), onMouseLeave: () => setHeld(false) };
  return (
    <>
      <Notices head={head} />
      <div {...hold}>
        <Strip generations={shown.current.generations} />
      </div>
      <HeadSummary />
      <div class="two" {...hold}>
        <Card title="Latest transactions" more={<a href="#/transactions">All transactions →</a>}>
          <Transactions
            rows={withTimes(
              shown.current.transactions,
              generations.flatMap(({ blocks }) => blocks),
            )}
            empty={<Empty title="There are none in the latest generations.">New ones come by themselves.</Empty>}
          />
        </Card>
        <div class="stack">
          <Auctions />
          <Contracts />
          <Network />
        </div>
      </div>
    </>
  );
}

const HomeBones = () => (
  <>
    <StripHead />
    <p class="skip" role="status">
      Loading…
    </p>
    <div class="bones" aria-hidden="true">
      <div class="chain nopool">
        {Array.from({ length: 7 }, (_, i) => (
          <div key={i} class="gen" />
        ))}
      </div>
    </div>
    <Card title="Latest transactions">
      <TransactionBones />
    </Card>
  </>
);

/** Time of the newest block, ms. `generations` are newest first, at least one. */
const newestTime = ([newest]: readonly Generation[]): number =>
  Math.max(newest!.time, ...newest!.microBlocks.map((block) => block.time ?? 0));

function Notices({ head }: { head: Head }) {
  const now = useNow();
  const time = newestTime(head.generations);
  const { reorg } = head;
  return (
    <div aria-live="polite">
      {isOldHead(now - time) && <Note tone="wait">The head is {duration(now - time)} old.</Note>}
      {reorg !== undefined && <ReorgText of={reorg} />}
    </div>
  );
}

const ROWS = 3;
/** Pause between two reads of the lists on the right, ms. */
const REFRESH_MS = 30_000;

function Auctions() {
  const loaded = useRead(
    (signal) => orNothing(read('/middleware/names/auctions/active', { limit: ROWS, page: 1 }, signal)),
    [],
    { everyMs: REFRESH_MS },
  );
  if (loaded.state !== 'loaded' || loaded.value === undefined) return null;
  const { body, total = 0 } = loaded.value;
  return (
    <Card title="Auctions that end soon" more={<a href="#/names">All {integer(total)} →</a>}>
      {body.length === 0 && <Empty title="No auction is running." />}
      <ul class="list">
        {body.map(({ name, winning_bid, expiration }) => (
          <li key={name}>
            <span>
              <NameLink name={name} />
              <small>
                ends <Height height={expiration} />
              </small>
            </span>
            <Amount aettos={winning_bid} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Contracts() {
  const loaded = useRead(
    (signal) => orNothing(read('/middleware/contracts/all', { limit: ROWS, page: 1 }, signal)),
    [],
    { everyMs: REFRESH_MS },
  );
  if (loaded.state !== 'loaded' || loaded.value === undefined || loaded.value.body.length === 0) return null;
  return (
    <Card title="New contracts">
      <ul class="list">
        {loaded.value.body.map(({ contract_id, transaction_hash, block_height }) => (
          <li key={contract_id}>
            <span>
              <Id id={contract_id} short />
              <small>
                in generation <InGeneration blockHeight={block_height} />
              </small>
            </span>
            <Id id={transaction_hash} short />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Network() {
  const node = useRead((signal) => orNothing(readNode('/v2/status', signal)), [], { everyMs: REFRESH_MS });
  if (node.state !== 'loaded' || node.value === undefined) return null;
  const { network_id: network, node_version: version, peer_count: peers, difficulty } = node.value;
  return (
    <Card title="The network">
      <div class="in">
        <Facts>
          <Fact name="Network">{String(network)}</Fact>
          <Fact name="Node">{String(version)}</Fact>
          {peers !== undefined && <Fact name="Peers">{integer(peers as number)}</Fact>}
          {difficulty !== undefined && <Fact name="Difficulty">{integer(difficulty as number)}</Fact>}
        </Facts>
      </div>
    </Card>
  );
}
