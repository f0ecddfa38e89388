import { addressOf } from '../address.js';
import type { Place } from '../address.js';
import { integer } from '../format.js';

export const PER_PAGE = 20;

export const pageNumber = ({ query }: Place): number => Math.max(1, Math.trunc(Number(query.get('page') ?? 1)) || 1);

/** Links to the pages before and after this one. */
export function Pages(props: { place: Place; total: number | undefined; rows: number; keep?: Record<string, string> }) {
  const { place, total, rows, keep = {} } = props;
  const page = pageNumber(place);
  const last = total === undefined ? undefined : Math.max(1, Math.ceil(total / PER_PAGE));
  const hasNext = last === undefined ? rows === PER_PAGE : page < last;
  if (page === 1 && !hasNext) return null;
  const at = (number: number): string => addressOf(place, { ...keep, page: number });
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
