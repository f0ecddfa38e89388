/** Writes movements as the populator does in the background, and reads them. */
import { beginLedger, extendLedger, takePresets } from '../../src/store/projections/ledger-extend.js';
import type { RewardRules } from '../../src/chain/money/key-block.js';
import type { Database, Queryable } from '../../src/store/connection/database.js';

/** Until nothing can be written. Returns the number of parts. */
export async function writeMovements(
  database: Database,
  networkId: string,
  rewards: RewardRules | null,
): Promise<number> {
  await database.transaction(async (tx) => {
    await beginLedger(tx, networkId, rewards);
    await takePresets(tx, networkId);
  });
  for (let parts = 0; ; parts += 1) {
    if ((await database.transaction(extendLedger)) === null) return parts;
  }
}

/** All rows about money, comparable between copies of the same chain. */
export async function movementDump(db: Queryable): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {};
  for (const [table, text] of Object.entries(STATEMENTS)) {
    const { rows } = await db.query<{ row: string }>({
      name: `test.money-${table}`,
      text: `SELECT r::text AS row FROM (${text}) AS r`,
    });
    dump[table] = rows.map(({ row }) => row);
  }
  return dump;
}

const STATEMENTS = {
  movements: `
    SELECT m.position, m.index, a.id AS account, c.id AS counterparty, m.kind, m.amount, m.balance
    FROM movements AS m JOIN ledger_ids AS a ON a.key = m.account LEFT JOIN ledger_ids AS c ON c.key = m.counterparty
    ORDER BY m.position, m.index`,
  held: 'SELECT * FROM held ORDER BY kind, id, position',
  earnings: 'SELECT * FROM earnings ORDER BY position',
  gaps: 'SELECT * FROM ledger_gaps ORDER BY position',
  ledger: 'SELECT * FROM ledger',
  children: 'SELECT * FROM child_contracts ORDER BY position, index',
};
