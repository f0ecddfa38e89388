import { orNothing, read, readNode } from '../api.js';
import { pageOfName } from '../address.js';
import type { Route } from '../address.js';
import { differByOne, integer, isSameName, words } from '../format.js';
import type { Integer } from '../json.js';
import { Amount } from '../parts/amount.js';
import { Card, Empty, Head } from '../parts/card.js';
import { Height, useGenerationOf } from '../parts/head.js';
import { Step, act, innermost } from '../parts/life.js';
import type { Tx } from '../parts/life.js';
import { Badge } from '../parts/marks.js';
import { mentions, ofTransaction, useLiveRead } from '../parts/live-read.js';
import { PER_PAGE, Pages, pageNumber } from '../parts/pages.js';
import { Party } from '../parts/party.js';
import { Lost, titleOfMissing } from '../parts/lost.js';
import { Shown, isUnknown, useRead } from '../parts/read.js';
import { Fact, Facts, Id, NameLink, Value } from '../parts/values.js';

export function NamePage({ route }: { route: Route }) {
  const { subject: of } = route;
  const loaded = useLiveRead((signal) => load(of, signal), [of], ofTransaction(mentions(of)));
  if (isUnknown(loaded))
    return (
      <Lost title={titleOfMissing('name')} id={of}>
        The hash is well formed, but no transaction claimed a name with it.
      </Lost>
    );
  if (loaded.state === 'loaded' && loaded.value.record === undefined && loaded.value.auction === undefined)
    return <NeverClaimed name={loaded.value.name} />;
  return (
    <>
      {loaded.state !== 'loaded' && <Head eyebrow="Name" title={of} />}
      <Shown of={loaded}>
        {({ name, record, auction, isRunning, isOver, hash }) => (
          <>
            <Head
              eyebrow={
                <>
                  Name <StateBadge isRunning={isRunning} isOver={isOver} />
                  {isRunning && 'nobody owns it yet'}
                  {record !== undefined && !isRunning && !isOver && (
                    <span>
                      expires <Height height={record.expires_at} />
                    </span>
                  )}
                </>
              }
              title={name}
              id={hash}
            />
            {isRunning && auction !== undefined && <Auction of={auction} />}
            <div class={record !== undefined && !isRunning ? 'two' : undefined}>
              {hash !== undefined && (
                <History
                  route={route}
                  hash={hash}
                  auctionEnd={auction?.expiration}
                  expiresAt={isOver ? undefined : record?.expires_at}
                  isRunning={isRunning}
                />
              )}
              {record !== undefined && !isRunning && (
                <div class="stack">
                  <Pointers of={record.pointers ?? []} />
                  <Card title={isOver ? 'Last owner' : 'Owner'}>
                    <p class="in">
                      <Id id={record.owner} />
                    </p>
                  </Card>
                </div>
              )}
            </div>
          </>
        )}
      </Shown>
    </>
  );
}

const Pointers = ({ of }: { of: readonly { key: string; id: string }[] }) => (
  <Card title="It points to">
    {of.length === 0 && <Empty title="It points to nothing." />}
    {of.length > 0 && (
      <div class="in">
        <Facts>
          {of.map(({ key, id }) => (
            <Fact key={key} name={words(key)}>
              <Value name={key} value={id} />
            </Fact>
          ))}
        </Facts>
      </div>
    )}
  </Card>
);

/** Offers the names that differ by one letter. */
function NeverClaimed({ name }: { name: string }) {
  const near = useRead((signal) => orNothing(namesNear(name, signal)), [name]);
  const names = near.state === 'loaded' ? (near.value ?? []) : [];
  return (
    <Lost
      title={`Nobody has claimed ${name}`}
      ways={[
        ...names.map((other) => ({
          text: (
            <>
              Did you mean <NameLink name={other} />? <span class="quiet">one letter differs</span>
            </>
          ),
          address: pageOfName(other),
        })),
        {
          text: 'Look for names that contain it',
          address: `#/names/${encodeURIComponent(name.replace(/\.\w+$/, ''))}`,
        },
      ]}
    >
      The name is free: anybody can claim it.
    </Lost>
  );
}

/** Max rows of a search for half of a name, and of names that are offered. */
const HALF_ROWS = 50;
const OFFERED = 3;

/** If one letter differs, the first or the second half of the name is right. */
async function namesNear(name: string, signal: AbortSignal): Promise<string[]> {
  const [label = '', domain] = name.split(/\.(?=\w+$)/);
  const middle = Math.ceil(label.length / 2);
  const halves = [label.slice(0, middle), `${label.slice(middle)}.${domain}`];
  const found = await Promise.all(
    halves.map((half) => read('/middleware/names/{name}', { name: half, limit: HALF_ROWS, page: 1 }, signal)),
  );
  const all = found.flatMap(({ body }) => body.map((record) => record.name));
  return [...new Set(all)].filter((other) => differByOne(name, other)).slice(0, OFFERED);
}

function StateBadge(props: { isRunning: boolean; isOver: boolean }) {
  const { isRunning, isOver } = props;
  if (isRunning)
    return (
      <Badge tone="wait" icon="waiting">
        In auction
      </Badge>
    );
  if (isOver) return <Badge>Expired or revoked: nobody holds it</Badge>;
  return (
    <Badge tone="good" icon="done">
      Active
    </Badge>
  );
}

/** Highest bid and time left are the two big numbers. */
function Auction({ of }: { of: { winning_bid: string; winning_bidder: string; expiration: Integer } }) {
  return (
    <div class="card in halves">
      <div class="balance">
        <p class="more">
          Highest bid, by <Party of={of.winning_bidder} />
        </p>
        <span class="big">
          <Amount aettos={of.winning_bid} />
        </span>
      </div>
      <div>
        <p class="more">The auction ends</p>
        <p class="ends">
          <b>
            <Height height={of.expiration} />
          </b>
        </p>
        <p class="more">with generation {integer(of.expiration)}, unless there is a higher bid</p>
      </div>
    </div>
  );
}

/** The history, newest first. Future events are listed above it. */
function History(props: {
  route: Route;
  hash: string;
  auctionEnd: Integer | undefined;
  expiresAt: Integer | undefined;
  isRunning: boolean;
}) {
  const { route, hash, auctionEnd, expiresAt, isRunning } = props;
  const page = pageNumber(route);
  const loaded = useLiveRead(
    (signal) => read('/middleware/names/transactions/{hash}', { hash, limit: PER_PAGE, page }, signal),
    [hash, page],
    ofTransaction(mentions(hash)),
  );
  return (
    <Card title="History">
      <Shown of={loaded}>
        {({ body, total }) => (
          <>
            <ol class="life in">
              {page === 1 && expiresAt !== undefined && (
                <Step height={expiresAt} title="Expires unless it is renewed" />
              )}
              {page === 1 && isRunning && (
                <Step height={auctionEnd!} title="The auction ends unless there is a higher bid" />
              )}
              {body.map(({ hash: transaction, block_height, time, tx }) => (
                <HistoryEntry
                  key={transaction}
                  hash={transaction}
                  height={block_height}
                  time={time}
                  tx={innermost(tx as Tx)}
                />
              ))}
            </ol>
            <Pages route={route} total={total} rows={body.length} />
          </>
        )}
      </Shown>
    </Card>
  );
}

function HistoryEntry({ hash, height, time, tx }: { hash: string; height: Integer; time: Integer; tx: Tx }) {
  const isBid = tx.type === 'NameClaimTx' && Number(tx['name_salt']) === 0;
  const pointers = tx['pointers'] as { id?: string }[] | undefined;
  return (
    <Step
      height={useGenerationOf()(height)}
      title={isBid ? 'Bid' : act(tx)}
      hash={hash}
      by={tx['account_id']}
      time={time}
    >
      {tx['name_fee'] !== undefined && (
        <>
          for <Amount aettos={tx['name_fee'] as Integer} />
        </>
      )}
      {typeof tx['recipient_id'] === 'string' && (
        <>
          to <Party of={tx['recipient_id']} />
        </>
      )}
      {pointers !== undefined &&
        (pointers.length === 0 ? (
          'without pointers'
        ) : (
          <span class="line">
            with pointers to{' '}
            {pointers.map(({ id = '' }, i) => (
              <Party key={i} of={id} />
            ))}
          </span>
        ))}
    </Step>
  );
}

/** Max records that are searched for the name: the search also finds longer names that contain it. */
const ROWS = 200;

async function load(of: string, signal: AbortSignal) {
  const byHash = of.startsWith('nm_');
  const name = byHash ? (await recordOf(of, signal)).name : of.toLowerCase();
  const [{ body: rows, height = 0 }, auction] = await Promise.all([
    read('/middleware/names/{name}', { name, limit: ROWS, page: 1 }, signal),
    orNothing(read('/middleware/names/auctions/{name}/info', { name }, signal)),
  ]);
  const record = rows.find((row) => isSameName(row.name, name)) ?? (await recordByNode(name, signal));
  const info = auction?.body.info;
  return {
    name: record?.name ?? name,
    record,
    auction: info,
    // Without an auction, the entry expires with the claim. A bid in the last generation of an auction still counts.
    isRunning: info !== undefined && info.expiration !== record?.created_at_height && Number(info.expiration) >= height,
    isOver: record !== undefined && Number(record.expires_at) < height,
    hash: record?.name_hash ?? (byHash ? of : undefined),
  };
}

const recordOf = async (hash: string, signal: AbortSignal) =>
  (await read('/middleware/names/hash/{hash}', { hash }, signal)).body.name;

/** The record by the hash from the node, if the name is active. For a name that is in too many others to be found. */
async function recordByNode(name: string, signal: AbortSignal) {
  const hash = (await orNothing(readNode(`/v2/names/${encodeURIComponent(name)}`, signal)))?.['id'];
  return typeof hash === 'string' ? recordOf(hash, signal) : undefined;
}
