import { Refusal, read } from '../api.js';
import type { Place } from '../address.js';
import type { Integer } from '../json.js';
import { Shown, useRead } from '../parts/read.js';
import { Amount, Fact, Facts, Height, Id, Members } from '../parts/values.js';

export function NamePage({ place: { of } }: { place: Place }) {
  const loaded = useRead((signal) => load(of, signal), [of]);
  return (
    <>
      <h1>Name {!of.startsWith('nm_') && of}</h1>
      <Shown of={loaded} missing="Nobody claimed this name, or it has expired.">
        {({ name, record, auction, isRunning }) => (
          <>
            {of.startsWith('nm_') && <p>{name}</p>}
            {record === undefined && auction === undefined && (
              <p class="note">Nobody holds this name: it was never claimed, or it has expired.</p>
            )}
            {record !== undefined && (
              <>
                <Facts>
                  <Fact name={isRunning ? 'Highest bidder' : 'Owner'}>
                    <Id id={record.owner} />
                  </Fact>
                  <Fact name="Identifier">
                    <Id id={record.name_hash} />
                  </Fact>
                  <Fact name="Claimed by">
                    <Id id={record.tx_hash} />
                  </Fact>
                </Facts>
                <h2>Life</h2>
                <ol class="life">
                  <li>
                    Claimed in generation <Height height={record.created_at_height} />
                  </li>
                  {auction !== undefined && (
                    <li>
                      {isRunning ? 'The auction ends' : 'The auction ended'} in generation{' '}
                      <Height height={record.auction_end_height} />
                    </li>
                  )}
                  <li>
                    Expires in generation <Height height={record.expires_at} />
                  </li>
                </ol>
                <h2>Pointers</h2>
                {(record.pointers ?? []).length === 0 && <p class="note">It points to nothing.</p>}
                {(record.pointers ?? []).map((pointer, i) => (
                  <Members key={i} of={pointer as Record<string, unknown>} leave={['encoded_key']} />
                ))}
              </>
            )}
            {auction !== undefined && (
              <>
                <h2>Auction</h2>
                <Facts>
                  <Fact name="Highest bid">
                    <Amount aettos={auction.info.winning_bid} copy />
                  </Fact>
                  <Fact name="Of">
                    <Id id={auction.info.winning_bidder} />
                  </Fact>
                  <Fact name="Ends in generation">
                    <Height height={auction.info.expiration} />
                  </Fact>
                </Facts>
                <h3>Bids</h3>
                <ol>
                  {auction.bids.map(({ hash, block_height, tx }) => (
                    <li key={hash}>
                      <Id id={hash} short /> <Amount aettos={tx['name_fee'] as Integer} /> by{' '}
                      <Id id={String(tx['account_id'])} short /> in <Height height={block_height} />
                    </li>
                  ))}
                </ol>
              </>
            )}
          </>
        )}
      </Shown>
    </>
  );
}

/** Rows that a search for a whole name may give: all that contain it. */
const ROWS = 200;

async function load(of: string, signal: AbortSignal) {
  const name = of.startsWith('nm_') ? await nameOf(of, signal) : of;
  const [{ body: rows, height = 0 }, auction] = await Promise.all([
    read('/middleware/names/{name}', { name, limit: ROWS, page: 1 }, signal),
    auctionOf(name, signal),
  ]);
  const record = rows.find((row) => row.name === name);
  const isRunning = auction !== undefined && Number(auction.info.expiration) > height;
  // A name that was given at once has a claim, but had no auction.
  const hadAuction = isRunning || record === undefined || record.auction_end_height !== record.created_at_height;
  return { name, record, auction: hadAuction ? auction : undefined, isRunning };
}

async function auctionOf(name: string, signal: AbortSignal) {
  try {
    return (await read('/middleware/names/auctions/{name}/info', { name }, signal)).body;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined;
    throw error;
  }
}

/** The endpoint answers with the record under `name`, as the original did. */
async function nameOf(hash: string, signal: AbortSignal): Promise<string> {
  const { name } = (await read('/middleware/names/hash/{hash}', { hash }, signal)).body;
  return typeof name === 'string' ? name : name.name;
}
