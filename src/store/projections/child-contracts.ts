/** Contracts that contracts created. A trigger of `node_money` writes the rows: see docs/decisions/0066. */
import { contractId } from '../../chain/protocol/ids.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import type { Range } from '../facts/blocks.js';
import { compareAll, heightOfPosition } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { positionsOf } from '../facts/window.js';
import { nodeMoneyBetween } from './node-money.js';
import type { CheckedWindow, Projection } from './projection.js';

const TABLE = 'child_contracts';

interface Stored {
  id: string;
  position: string;
  index: number;
  creator: string;
  nonce: string;
  amount: string;
  is_certain: boolean;
}

async function differences(db: Queryable, window: CheckedWindow): Promise<Difference[]> {
  const answers = [...(await nodeMoneyBetween(db, Number(window.from), Number(window.to))).values()];
  const positions = new Map(window.transactions.map(({ row }) => [row.hash, row.position]));
  const expected = answers.flatMap(({ made }) =>
    [...made].flatMap(([hash, children]) =>
      children.flatMap(({ contract, creator, nonce, amount, isCertain }, i) => {
        const position = positions.get(hash);
        // What was changed by hand in the answer does not follow from the chain.
        if (position === undefined || contractId(creator, BigInt(nonce)) !== contract) return [];
        const columns = { id: contract, creator, nonce: BigInt(nonce), amount, is_certain: isCertain };
        return [[[position, BigInt(i + 1)], columns] as const];
      }),
    ),
  );
  const { rows } = await db.query<Stored>({
    name: 'verify.child-contracts',
    text: `SELECT * FROM ${TABLE} WHERE position >= $1 AND position < $2`,
    values: positionsOf(window),
  });
  const stored = rows.map(
    ({ position, index, ...columns }) =>
      [
        [position, BigInt(index)],
        { ...columns, nonce: BigInt(columns.nonce), amount: BigInt(columns.amount) },
      ] as const,
  );
  return compareAll(TABLE, ([position]) => heightOfPosition(position!), expected, stored);
}

/** Also of the generation below: what is said of it goes with the key block above it. */
const forget = (tx: DbTransaction, { from, to }: Pick<Range, 'from'> & { to: bigint | null }): Promise<unknown> =>
  tx.query({
    name: 'child_contracts.undo',
    text: `
      DELETE FROM ${TABLE}
      WHERE position >= (($1::bigint - 1) >> 33) << 33 AND ($2::bigint IS NULL OR position < ((($2::bigint - 1) >> 33) + 1) << 33)`,
    values: [from, to],
  });

export const childContracts: Projection = {
  name: 'child-contracts',
  written: 'with what a node answered about the generation, by a trigger of `node_money`',
  // Without `rows`: they are answers of nodes.
  tables: [{ name: TABLE }],
  writes: {
    append: () => Promise.resolve(),
    undo: async (tx, { range }) => {
      await forget(tx, { from: range.from, to: null });
      return undefined;
    },
    replace: async (tx, { range, isUnchanged }) => {
      if (!isUnchanged) {
        await forget(tx, range);
        return undefined;
      }
      return async () => {
        await tx.query({
          name: 'child_contracts.fill',
          text: 'SELECT fill_children($1::bigint >> 33, ($2::bigint - 1) >> 33)::text',
          values: [range.from, range.to],
        });
      };
    },
  },
  window: differences,
};
