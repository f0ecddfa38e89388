import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readGenesisFile } from '../../src/cli/genesis-file.js';
import { MiddlewareError } from '../../src/observe/errors.js';
import { mdw } from '../support/mdw.js';

const ACCOUNT = 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi';

describe('GENESIS_ACCOUNTS_FILE', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-genesis-'));
  const file = join(folder, 'accounts.json');
  after(() => rmSync(folder, { recursive: true }));

  it('names a file with accounts and amounts', () => {
    writeFileSync(file, `{"${ACCOUNT}": 10000000000000000000000000000001}\n`);
    expect(readGenesisFile({ genesisAccountsFile: file })).to.deep.equal({
      genesis: new Map([[ACCOUNT, 10_000_000_000_000_000_000_000_000_000_001n]]),
      forks: new Map(),
    });
    expect(readGenesisFile({ genesisAccountsFile: undefined })).to.equal(undefined);
  });

  it('is a wrong setting if there is no such file, or it says something else', () => {
    const read = (): unknown => readGenesisFile({ genesisAccountsFile: file });
    writeFileSync(file, '{"ak_x": 5}');
    expect(read).to.throw(MiddlewareError, /GENESIS_ACCOUNTS_FILE=".*accounts.json": "ak_x" is not an account/);
    rmSync(file);
    expect(read).to.throw(MiddlewareError, /GENESIS_ACCOUNTS_FILE=".*accounts.json" cannot be read: ENOENT/);
  });

  it('ends a populator at once if it is wrong', async () => {
    writeFileSync(file, `{"${ACCOUNT}": "5"}`);
    const { status, stderr } = await mdw(['-p'], {
      ...{ NODE_URL: 'http://127.0.0.1:1', DATABASE_URL: 'postgres://u:p@127.0.0.1:1/none' },
      GENESIS_ACCOUNTS_FILE: file,
    });
    expect(status).to.equal(78);
    expect(stderr).to.contain(`the amount of ${ACCOUNT} is not a whole number`);
  });
});
