/** The coins of the genesis block and of hard forks that the administrator of a network gave. They are part of the copy: what verifies or loads again needs no file. */
import { readGenesisAccounts, writeGenesisAccounts } from '../../chain/money/genesis-accounts.js';
import type { GenesisAccounts } from '../../chain/money/genesis-accounts.js';
import type { Queryable } from '../connection/database.js';

/** Undefined if none were given. */
export async function genesisAccounts(db: Queryable): Promise<GenesisAccounts | undefined> {
  const { rows } = await db.query<{ accounts: string | null }>({
    name: 'ledger.genesis-accounts',
    text: `SELECT (genesis_accounts || COALESCE(fork_accounts, '{}'))::text AS accounts FROM ledger`,
  });
  const text = rows[0]?.accounts ?? null;
  return text === null ? undefined : readGenesisAccounts(text);
}

/** Whether the copy has just these. */
export async function hasGenesisAccounts(db: Queryable, accounts: GenesisAccounts): Promise<boolean> {
  const { genesis, forks } = writeGenesisAccounts(accounts);
  const { rows } = await db.query<{ has: boolean | null }>({
    name: 'ledger.has-genesis-accounts',
    text: `
      SELECT genesis_accounts = $1::jsonb AND COALESCE(fork_accounts, '{}') = $2::jsonb AS has FROM ledger`,
    values: [genesis, forks],
  });
  return rows[0]?.has === true;
}
