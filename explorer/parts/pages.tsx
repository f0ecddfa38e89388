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

/** Links to the first and the next page of a list with cursors. `next`: path and query of the next page, as the server says it. */
export function CursorPages(props: {
  route: Route;
  next: string | null;
  /** What the links say. */
  first?: string;
  more?: string;
  /** Name of the query parameter with the cursor, if the page shows several lists. */
  by?: string;
}) {
  const { route, next, first = 'First', more = 'Next', by = 'cursor' } = props;
  const isFirst = (route.query.get(by) ?? '') === '';
  if (isFirst && next === null) return null;
  const at = (place: string | undefined): string =>
    addressOf(route, { ...Object.fromEntries(route.query), [by]: place });
  const following = next === null ? undefined : (new URLSearchParams(next.split('?')[1]).get('cursor') ?? undefined);
  return (
    <nav class="pager" aria-label="Pages of this list">
      {!isFirst && <a href={at(undefined)}>{first}</a>}
      {following !== undefined && (
        <a href={at(following)} rel="next">
          {more}
        </a>
      )}
    </nav>
  );
}
