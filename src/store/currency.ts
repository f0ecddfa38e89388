import type { Currency } from '../chain/networks.js';
import type { Queryable } from './connection/database.js';

/** The coin of the network, as a node told it; undefined if none has. */
export async function readCurrency(db: Queryable): Promise<Currency | undefined> {
  const { rows } = await db.query<Currency & Record<string, unknown>>({
    name: 'currency.read',
    text: 'SELECT name, symbol, subunit, digits FROM currency',
  });
  return rows[0];
}

/** Records the coin; it replaces the one that was recorded before. */
export async function writeCurrency(tx: Queryable, { name, symbol, subunit, digits }: Currency): Promise<void> {
  await tx.query({
    name: 'currency.write',
    text: `
      INSERT INTO currency (name, symbol, subunit, digits) VALUES ($1, $2, $3, $4::integer)
      ON CONFLICT (one) DO UPDATE SET name = excluded.name, symbol = excluded.symbol, subunit = excluded.subunit,
        digits = excluded.digits`,
    values: [name, symbol, subunit, digits],
  });
}
