import { read } from '../api.js';
import type { Route } from '../address.js';
import type { Integer } from '../json.js';
import { Num } from '../parts/amount.js';
import { Empty } from '../parts/card.js';
import { PER_PAGE, Pages, pageNumber } from '../parts/pages.js';
import { Shown, useRead } from '../parts/read.js';
import { Table } from '../parts/table.js';
import { Height, Id, NameLink } from '../parts/values.js';

interface NameRow {
  name: string;
  owner: string;
  created_at_height: Integer;
  expires_at: Integer;
}

const NAME_COLUMNS = [
  { title: 'Name' },
  { title: 'Owner' },
  { title: 'Claimed in generation', number: true },
  { title: 'Expires in generation', number: true },
];

export function NameTable({ rows, empty }: { rows: readonly NameRow[]; empty: string }) {
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    <Table label="Names" columns={NAME_COLUMNS}>
      {rows.map(({ name, owner, created_at_height, expires_at }) => (
        <tr key={name}>
          <td class="a">
            <NameLink name={name} />
          </td>
          <td class="c">
            <Id id={owner} short />
          </td>
          <td class="n">
            <Height height={created_at_height} />
          </td>
          <td class="n e">
            <Height height={expires_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** All active names, or those that contain a text. */
export function NamesPage({ route }: { route: Route }) {
  const page = pageNumber(route);
  const search = route.subject;
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
              empty={search === '' ? 'There are none.' : 'No name contains this text, and it is not an identifier.'}
            />
            <Pages route={route} total={total} rows={body.length} />
          </>
        )}
      </Shown>
    </>
  );
}

const AUCTIONS = 10;
const AUCTION_COLUMNS = [
  { title: 'Name' },
  { title: 'Highest bid, AE', number: true },
  { title: 'Of' },
  { title: 'Ends in generation', number: true },
];

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
            <Table label="Auctions" columns={AUCTION_COLUMNS}>
              {body.map(({ name, winning_bid, winning_bidder, expiration }) => (
                <tr key={name}>
                  <td class="a">
                    <NameLink name={name} />
                  </td>
                  <td class="n b">
                    <Num aettos={winning_bid} />
                  </td>
                  <td class="c">
                    <Id id={winning_bidder} short />
                  </td>
                  <td class="n e">
                    <Height height={expiration} />
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Shown>
    </section>
  );
}
