/** Parts of lists of tokens, for the compatible API. */
import type { Queryable } from '../../store/connection/database.js';
import { compatTokenTotal } from '../../store/queries/compat/tokens.js';
import type { TokenRow } from '../../store/queries/compat/tokens.js';
import { invalid } from './errors.js';
import type { ReadPart, Row } from './page.js';
import { transferRow } from './render/tokens.js';
import { tokenList, transferList, transferTotal } from './token-lists.js';
import type { KeyList, TokensFilter, TransfersOf } from './token-lists.js';

/** Reads parts of a list. */
export const readList =
  <Stored extends object>(
    list: KeyList<Stored>,
    render: (rows: readonly Stored[]) => Promise<Row['value'][]> | Row['value'][],
  ): ReadPart =>
  async ({ from, ...part }) => {
    const { rows, head } = await list.read({ ...part, from });
    const values = await render(rows);
    return { rows: rows.map((row, i) => ({ key: list.key(row), value: values[i] })), head };
  };

/** Reads parts of the list of tokens of a kind, and their number. */
export function openTokens(
  db: Queryable,
  kind: 9 | 141,
  { by = 'name', prefix, exact }: { by?: TokensFilter['by']; prefix?: string; exact?: string },
  render: (rows: readonly TokenRow[]) => Promise<Row['value'][]> | Row['value'][],
): { read: ReadPart; total: () => ReturnType<typeof compatTokenTotal> } {
  if (prefix !== undefined && exact !== undefined) throw invalid('query', 'prefix excludes exact');
  if (by === 'creation' && (prefix ?? exact) !== undefined)
    throw invalid('query', 'by=creation excludes prefix and exact');
  const filter: TokensFilter = { kind, by, prefix: prefix ?? null, exact: exact ?? null };
  return { read: readList(tokenList(db, filter), render), total: () => compatTokenTotal(db, filter) };
}

/** Reads parts of a list of transfers, and their number. */
export const openTransfers = (db: Queryable, of: TransfersOf) => ({
  read: readList(transferList(db, of), (rows) =>
    rows.map((row) => transferRow(row, of.kind === 9 ? 'amount' : 'token_id')),
  ),
  total: () => transferTotal(db, of),
});
