import { read } from '../api.js';
import type { Place } from '../address.js';
import type { Integer } from '../json.js';
import { PER_PAGE, Pages, pageNumber } from '../parts/pages.js';
import { Shown, useRead } from '../parts/read.js';
import { Amount, Height, Id } from '../parts/values.js';

interface NameRow {
  name: string;
  owner: string;
  created_at_height: Integer;
  expires_at: Integer;
}

export const NameLink = ({ name }: { name: string }) => <a href={`#/name/${encodeURIComponent(name)}`}>{name}</a>;

export function NameTable({ rows, empty }: { rows: readonly NameRow[]; empty: string }) {
  if (rows.length === 0) return <p class="note">{empty}</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Names">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Owner</th>
            <th scope="col" class="number">
              Claimed in generation
            </th>
            <th scope="col" class="number">
              Expires in generation
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, owner, created_at_height, expires_at }) => (
            <tr key={name}>
              <td>
                <NameLink name={name} />
              </td>
              <td>
                <Id id={owner} short />
              </td>
              <td class="number">
                <Height height={created_at_height} />
              </td>
              <td class="number">
                <Height height={expires_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** All active names, or those that contain a text. */
export function NamesPage({ place }: { place: Place }) {
  const page = pageNumber(place);
  const search = place.of;
  const loaded = useRead(
    (signal) =>
      search === ''
        ? read('/middleware/names/active', { limit: PER_PAGE, page }, signal)
        : read('/middleware/names/{name}', { name: search, limit: PER_PAGE, page }, signal),
    [search, page],
  );
  return (
    <>
      <h1>{search === '' ? 'Names' : `Names with “${search}”`}</h1>
      {search === '' && <Auctions />}
      <Shown of={loaded}>
        {({ body, total }) => (
          <>
            {search === '' && <h2>Active names</h2>}
            <NameTable
              rows={body}
              empty={
                search === '' ? 'There are none.' : 'No name contains this, and nothing else has it as its identifier.'
              }
            />
            <Pages place={place} total={total} rows={body.length} />
          </>
        )}
      </Shown>
    </>
  );
}

const AUCTIONS = 10;

function Auctions() {
  const loaded = useRead(
    (signal) => read('/middleware/names/auctions/active', { limit: AUCTIONS, page: 1 }, signal),
    [],
  );
  return (
    <section>
      <h2>Auctions that end next</h2>
      <Shown of={loaded}>
        {({ body }) =>
          body.length === 0 ? (
            <p class="note">No auction is running.</p>
          ) : (
            <div class="scroll" tabIndex={0} role="region" aria-label="Auctions">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Name</th>
                    <th scope="col" class="number">
                      Highest bid
                    </th>
                    <th scope="col">Of</th>
                    <th scope="col" class="number">
                      Ends in generation
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {body.map(({ name, winning_bid, winning_bidder, expiration }) => (
                    <tr key={name}>
                      <td>
                        <NameLink name={name} />
                      </td>
                      <td class="number">
                        <Amount aettos={winning_bid} />
                      </td>
                      <td>
                        <Id id={winning_bidder} short />
                      </td>
                      <td class="number">
                        <Height height={expiration} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Shown>
    </section>
  );
}
