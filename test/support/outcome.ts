import type { Json } from '../../src/chain/encoding/json.js';

type Row = object & { outcome?: unknown };

/** Rows of a list of transactions as the node returned them. `outcome` is compared in `test/api/outcome.test.ts`. */
export function asNode<Of extends Row>(rows: readonly Of[]): Omit<Of, 'outcome'>[] {
  return rows.map(({ outcome, ...node }) => {
    if (typeof outcome !== 'string') throw new Error('a row of a list of transactions without an outcome');
    return node;
  });
}

/** The rows of `{"transactions": [...]}` as the node returned them. */
export const transactionsIn = (answer: Json): Json[] => asNode((answer as { transactions: Row[] }).transactions);
