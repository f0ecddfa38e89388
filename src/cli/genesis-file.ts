/** The coins of the genesis block, from the file that the settings name. */
import { readGenesisAccounts } from '../chain/money/genesis-accounts.js';
import type { GenesisAccounts } from '../chain/money/genesis-accounts.js';
import { MalformedError } from '../chain/malformed.js';
import { readSettingFile } from '../config.js';
import type { Config } from '../config.js';
import { maskFile } from '../config/masks.js';
import { MiddlewareError } from '../observe/errors.js';

/** Undefined if none is named. Throws `invalid_config` if it cannot be read or says something else than accounts and amounts. */
export function readGenesisFile({
  genesisAccountsFile: file,
}: Pick<Config, 'genesisAccountsFile'>): GenesisAccounts | undefined {
  if (file === undefined) return undefined;
  try {
    return readGenesisAccounts(readSettingFile('GENESIS_ACCOUNTS_FILE', file));
  } catch (cause) {
    if (!(cause instanceof MalformedError)) throw cause;
    const message = `Wrong settings:\n  GENESIS_ACCOUNTS_FILE=${JSON.stringify(maskFile(file))}: ${cause.message}`;
    throw new MiddlewareError('invalid_config', message, { cause });
  }
}
