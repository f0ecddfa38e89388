import { addressOf } from '../address.js';
import type { Route } from '../address.js';
import { integer } from '../format.js';

export const PER_PAGE = 20;

export const pageNumber = ({ query }: Route, by = 'page'): number =>
  Math.max(1, Math.trunc(Number(query.get(by) ?? 1)) || 1);

/** Links to the other pages of a list. */
export function Pages(props: {
  route: Route;
  total: number | undefined;
  rows: number;
  /** Name of the query parameter with the page number, if the page shows several lists. */
  by?: string;
  perPage?: number;
}) {
  const { route, total, rows, by = 'page', perPage = PER_PAGE } = props;
  const page = pageNumber(route, by);
  const last = total === undefined ? undefined : Math.max(1, Math.ceil(total / perPage));
  const hasNext = last === undefined ? rows === perPage : page < last;
  if (page === 1 && !hasNext) return null;
  const at = (number: number): string => addressOf(route, { ...Object.fromEntries(route.query), [by]: number });
  return (
    <nav class="pager" aria-label="Pages of this list">
      {page > 1 && <a href={at(1)}>First</a>}
      {page > 1 && (
        <a href={at(page - 1)} rel="prev">
          Previous
        </a>
      )}
      <span>
        Page {integer(page)}
        {last !== undefined && ` of ${integer(last)}`}
      </span>
      {hasNext && (
        <a href={at(page + 1)} rel="next">
          Next
        </a>
      )}
      {last !== undefined && page < last && <a href={at(last)}>Last</a>}
    </nav>
  );
}

/** Links to the first and the neighbouring pages of a list with cursors. `next`, `prev`: their paths and queries, as the server says them. */
export function CursorPages(props: {
  route: Route;
  next: string | null;
  /** Absent in lists that are read in one direction. */
  prev?: string | null;
  /** What the links say. */
  first?: string;
  more?: string;
  less?: string;
  /** Name of the query parameter with the cursor, if the page shows several lists. */
  by?: string;
}) {
  const { route, next, prev = null, first = 'First', more = 'Next', less = 'Previous', by = 'cursor' } = props;
  const isFirst = (route.query.get(by) ?? '') === '';
  if (isFirst && next === null) return null;
  const at = (place: { cursor?: string; rev?: string }): string =>
    addressOf(route, { ...Object.fromEntries(route.query), [by]: place.cursor, rev: place.rev });
  return (
    <nav class="pager" aria-label="Pages of this list">
      {!isFirst && <a href={at({})}>{first}</a>}
      {prev !== null && (
        <a href={at(placeIn(prev))} rel="prev">
          {less}
        </a>
      )}
      {next !== null && (
        <a href={at(placeIn(next))} rel="next">
          {more}
        </a>
      )}
    </nav>
  );
}

/** Where a page begins, and whether it is read backwards from there. */
function placeIn(link: string): { cursor?: string; rev?: string } {
  const query = new URLSearchParams(link.split('?')[1]);
  const [cursor, rev] = [query.get('cursor'), query.get('rev')];
  return { ...(cursor !== null && { cursor }), ...(rev !== null && { rev }) };
}
