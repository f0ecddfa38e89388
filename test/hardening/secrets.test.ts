import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PASSWORD, linesWithPasswords, watchForSecrets } from '../support/secrets.js';

const URL_WITH_PASSWORD = 'postgres://someone:dont%2Dshow-me@127.0.0.1:1/nowhere';

describe('the check for secrets in the output of programs', () => {
  async function found(code: string, env: Record<string, string>): Promise<string[]> {
    const errors: string[] = [];
    const child = spawn(process.execPath, ['-e', code], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    watchForSecrets(child, env, (error) => void errors.push(error.message));
    await once(child, 'close');
    return errors;
  }

  it('finds a password on either stream, escaped or not', async () => {
    const env = { DATABASE_URL: URL_WITH_PASSWORD };
    for (const text of ['dont%2Dshow-me', 'dont-show-me'])
      for (const stream of ['log', 'error'])
        expect(await found(`console.${stream}('x ${text} y')`, env)).to.deep.equal([
          `a password was printed: x ${text} y`,
        ]);
    expect(await found('console.log("postgres://someone:***@127.0.0.1:1/nowhere")', env)).to.deep.equal([]);
  });

  it('finds a password that the program reads from a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mdw-secret-'));
    const DATABASE_URL_FILE = join(folder, 'url');
    writeFileSync(DATABASE_URL_FILE, URL_WITH_PASSWORD);
    try {
      expect(await found('console.log("dont-show-me")', { DATABASE_URL_FILE })).to.have.length(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('finds a password in the output of all suites', () => {
    const shown = 'postgres://someone:***@127.0.0.1:1/nowhere';
    expect(linesWithPasswords(`well\nat ${URL_WITH_PASSWORD}.\n${PASSWORD}\n`)).to.deep.equal([`at ${shown}.`, '***']);
    expect(linesWithPasswords(`at ${shown}\nhttp://127.0.0.1:3013/x@y\n`)).to.deep.equal([]);
  });
});
