import { orNothing, read, readNode } from '../api.js';
import type { Route } from '../address.js';
import { integer, isSameName, words } from '../format.js';
import type { Integer } from '../json.js';
import { Amount } from '../parts/amount.js';
import { Card, Empty, Head } from '../parts/card.js';
import { Height, useGenerationOf } from '../parts/head.js';
import { Step, act, innermost } from '../parts/life.js';
import type { Tx } from '../parts/life.js';
import { Badge } from '../parts/marks.js';
import { mentions, ofTransaction, useLiveRead } from '../parts/live-read.js';
import { PER_PAGE, Pages, pageNumber } from '../parts/pages.js';
import { Shown } from '../parts/read.js';
import { Fact, Facts, Id, Value } from '../parts/values.js';

export function NamePage({ route }: { route: Route }) {
  const { subject: of } = route;
  const loaded = useLiveRead((signal) => load(of, signal), [of], ofTransaction(mentions(of)));
  return (
    <>
      {loaded.state !== 'loaded' && <Head eyebrow="Name" title={of} />}
      <Shown of={loaded} missing="Nobody claimed this name.">
        {({ name, record, auction, isRunning, isOver, hash }) => (
          <>
            <Head
              eyebrow={
                <>
                  Name <StateBadge isClaimed={record !== undefined} isRunning={isRunning} isOver={isOver} />
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
            {record !== undefined && !isRunning && (
              <div class="halves">
                <Card title={isOver ? 'Last owner' : 'Owner'}>
                  <p class="in">
                    <Id id={record.owner} />
                  </p>
                </Card>
                <Card title="Pointers">
                  {(record.pointers ?? []).length === 0 && <Empty>It points to nothing.</Empty>}
                  {(record.pointers ?? []).length > 0 && (
                    <div class="in">
                      <Facts>
                        {(record.pointers ?? []).map(({ key, id }) => (
                          <Fact key={key} name={words(key)}>
                            <Value name={key} value={id} />
                          </Fact>
                        ))}
                      </Facts>
                    </div>
                  )}
                </Card>
              </div>
            )}
            {hash !== undefined && (
              <History
                route={route}
                hash={hash}
                auctionEnd={auction?.expiration}
                expiresAt={isOver ? undefined : record?.expires_at}
                isRunning={isRunning}
              />
            )}
          </>
        )}
      </Shown>
    </>
  );
}

function StateBadge(props: { isClaimed: boolean; isRunning: boolean; isOver: boolean }) {
  const { isClaimed, isRunning, isOver } = props;
  if (isRunning)
    return (
      <Badge tone="wait" icon="waiting">
        In auction
      </Badge>
    );
  if (!isClaimed) return <Badge>Never claimed</Badge>;
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
          Highest bid, by <Id id={of.winning_bidder} short />
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
          to <Id id={tx['recipient_id']} short />
        </>
      )}
      {pointers !== undefined &&
        (pointers.length === 0 ? (
          'without pointers'
        ) : (
          <span class="line">
            with pointers to{' '}
            {pointers.map(({ id = '' }, i) => (
              <Id key={i} id={id} short />
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
