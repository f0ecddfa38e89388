import type { ComponentChildren } from 'preact';
import { read } from '../api.js';
import type { Route } from '../address.js';
import type { Integer } from '../json.js';
import { Empty, Head } from '../parts/card.js';
import { NameTabs } from '../parts/name-tabs.js';
import { PER_PAGE, Pages, pageNumber } from '../parts/pages.js';
import { Shown, useRead } from '../parts/read.js';
import { BoneRows, Rows } from '../parts/table.js';
import { Height, useHead } from '../parts/head.js';
import { Badge } from '../parts/marks.js';
import { Party } from '../parts/party.js';
import { NameLink } from '../parts/values.js';

interface NameRow {
  name: string;
  owner: string;
  created_at_height: Integer;
  /** The same as `created_at_height` if there was no auction. */
  auction_end_height: Integer;
  expires_at: Integer;
}

const NAME_COLUMNS = [
  { title: 'Name' },
  { title: 'Owner', fill: true },
  { title: 'Claimed in', number: true },
  { title: 'Expires', number: true },
];

export function NameTable({ rows, empty }: { rows: readonly NameRow[]; empty: ComponentChildren }) {
  const height = useHead()?.height ?? Infinity;
  return (
    <Rows label="Names" columns={NAME_COLUMNS} rows={rows} empty={empty}>
      {({ name, owner, created_at_height, auction_end_height: end, expires_at }) => (
        <tr key={name}>
          <td class="a">
            <NameLink name={name} />
          </td>
          <td class="c">
            {Number(end) >= height && end !== created_at_height ? (
              <Badge tone="wait" small>
                in auction, nobody yet
              </Badge>
            ) : (
              <Party of={owner} />
            )}
          </td>
          <td class="n">
            <Height height={created_at_height} />
          </td>
          <td class="n e">
            <Height height={expires_at} />
          </td>
        </tr>
      )}
    </Rows>
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
    { list: location.hash },
  );
  return (
    <>
      <Head title={search === '' ? 'Names' : `Names with “${search}”`} />
      {search === '' && <NameTabs at="names" />}
      <Shown
        of={loaded}
        bones={
          <div class="card">
            <BoneRows columns={NAME_COLUMNS} />
          </div>
        }
      >
        {({ body, total }) => (
          <div class="card">
            <NameTable
              rows={body}
              empty={
                search === '' ? (
                  <Empty title="No name is active." />
                ) : (
                  <Empty title="No name contains this text, and it is not an identifier.">
                    <a class="go" href="#/names">
                      All active names
                    </a>
                  </Empty>
                )
              }
            />
            <Pages route={route} total={total} rows={body.length} />
          </div>
        )}
      </Shown>
    </>
  );
}
