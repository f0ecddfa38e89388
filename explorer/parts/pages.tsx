import { addressOf } from '../address.js';
import type { Place } from '../address.js';
import { integer } from '../format.js';

export const PER_PAGE = 20;

export const pageNumber = ({ query }: Place, by = 'page'): number =>
  Math.max(1, Math.trunc(Number(query.get(by) ?? 1)) || 1);

/** Links to the pages before and after this one. */
export function Pages(props: {
  place: Place;
  total: number | undefined;
  rows: number;
  /** The parameter that numbers them, where a page has several lists. */
  by?: string;
  perPage?: number;
}) {
  const { place, total, rows, by = 'page', perPage = PER_PAGE } = props;
  const page = pageNumber(place, by);
  const last = total === undefined ? undefined : Math.max(1, Math.ceil(total / perPage));
  const hasNext = last === undefined ? rows === perPage : page < last;
  if (page === 1 && !hasNext) return null;
  const at = (number: number): string => addressOf(place, { ...Object.fromEntries(place.query), [by]: number });
  return (
    <nav class="pages" aria-label="Pages of this list">
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
