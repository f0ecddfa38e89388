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
