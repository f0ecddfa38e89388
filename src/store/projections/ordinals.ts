import type { DbTransaction } from '../connection/database.js';

/** SELECT of the numbers of a list `$1`, and of those that its entries must have, in the order of the chain. */
const NUMBERS = `
  SELECT ordinal, type_ordinal, row_number() OVER (ORDER BY position) AS number,
    row_number() OVER (PARTITION BY type ORDER BY position) AS type_number
  FROM entries WHERE list = $1::bigint`;

/** Numbers below those that any entry has. */
const ASIDE = -(2 ** 31);

/** Numbers a list in the order of the chain. Each position must be in it once. */
export async function renumber(tx: DbTransaction, list: string): Promise<void> {
  // In two steps: a number may be the wrong one of another entry until that has changed.
  await tx.query({
    name: 'entries.renumber-aside',
    text: `
      UPDATE entries AS e SET ordinal = ${ASIDE} + n.number::int
      FROM (${NUMBERS}) AS n
      WHERE e.list = $1::bigint AND e.ordinal = n.ordinal AND (n.ordinal <> n.number OR n.type_ordinal <> n.type_number)`,
    values: [list],
  });
  await tx.query({
    name: 'entries.renumber',
    text: `
      UPDATE entries AS e SET ordinal = n.number, type_ordinal = n.type_number
      FROM (${NUMBERS}) AS n
      WHERE e.list = $1::bigint AND e.ordinal = n.ordinal AND n.ordinal < ${ASIDE / 2}`,
    values: [list],
  });
}
