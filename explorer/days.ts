/** Which rows of an account's list belong to some days. The list is newest first, and the API gives it only by page. */
import { read } from './api.js';

const PATH = '/middleware/transactions/account/{account}';
const DAY_MS = 86_400_000;

export interface Days {
  /** As 2026-11-27, both included; empty for no limit. */
  from: string;
  to: string;
}

type Values = Record<string, string>;
/** The list became longer or shorter while it was searched. */
class Moved extends Error {}

/** What the request for the rows of these days needs besides `values`; undefined if there are none. */
export async function rowsOf(values: Values, days: Days): Promise<Record<string, string | number> | undefined> {
  for (;;) {
    try {
      return await search(values, days);
    } catch (error) {
      if (!(error instanceof Moved)) throw error;
    }
  }
}

async function search(values: Values, { from, to }: Days): Promise<Record<string, string | number> | undefined> {
  const { total = 0 } = await read(PATH, { ...values, limit: 1, page: 1 });
  const rowAt = async (index: number) => {
    const answer = await read(PATH, { ...values, limit: 1, page: index + 1 });
    const [row] = answer.body;
    if (row === undefined || answer.total !== total) throw new Moved();
    return row;
  };
  /** Number of rows that are not older than a moment. */
  const since = async (moment: number): Promise<number> => {
    let [least, most] = [0, total];
    while (least < most) {
      const middle = Math.floor((least + most) / 2);
      if (Number((await rowAt(middle)).time) >= moment) least = middle + 1;
      else most = middle;
    }
    return least;
  };
  const start = to === '' ? 0 : await since(Date.parse(to) + DAY_MS);
  const end = from === '' ? total : await since(Date.parse(from));
  if (end <= start) return undefined;
  return { limit: end - start, ...(start > 0 && { after: (await rowAt(start - 1)).hash }) };
}
