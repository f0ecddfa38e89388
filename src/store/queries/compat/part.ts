/** Parts of lists that continue from a row in either direction. */

/** Where a part of a list begins, and how much of it is read. */
export interface Part<From> {
  ascending: boolean;
  from: From | undefined;
  /** Whether the row at the place belongs to the part. */
  inclusive: boolean;
  take: number;
}

/** The name of the statement of a part. */
export const nameOfPart = (list: string, { ascending, from, inclusive }: Omit<Part<unknown>, 'take'>): string =>
  [list, ascending ? 'ascending' : 'descending', ...(from === undefined ? [] : [inclusive ? 'from' : 'after'])].join(
    '.',
  );

/** A condition: rows of the part. `place`: the key where it begins, as parameters. */
export const beginsAt = (
  { ascending, inclusive }: Pick<Part<unknown>, 'ascending' | 'inclusive'>,
  columns: string,
  place: string,
): string => `(${columns}) ${ascending ? '>' : '<'}${inclusive ? '=' : ''} (${place})`;
