import { expect } from 'chai';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import { keyPair } from '../../devtools/devnode/generate/signing.js';
import { mdw } from '../support/mdw.js';

describe('mdw key', () => {
  const seed = new Uint8Array(32).fill(5);
  const { publicKey } = keyPair(seed);
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mdw-key-'));
    file = join(folder, 'key');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('new creates a key that only its owner can read, and prints only its account', async () => {
    const { status, stdout, stderr } = await mdw(['key', 'new', file]);
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    expect(stdout).to.match(/^ak_\w+\n$/);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const secret = readFileSync(file, 'utf8');
    expect(secret).to.match(/^sk_\w+\n$/);

    expect(await mdw(['key', 'show', file])).to.deep.equal({ status: 0, stdout, stderr: '' });
    expect((await mdw(['key', 'show', file, '--secret', 'sk'])).stdout).to.equal(secret);
  });

  it('new never overwrites a file', async () => {
    writeFileSync(file, 'precious');
    const { status, stdout, stderr } = await mdw(['key', 'new', file]);
    expect([status, stdout, stderr]).to.deep.equal([
      1,
      '',
      `mdw: ${file} exists, and keys are never overwritten: give another file\n`,
    ]);
    expect(readFileSync(file, 'utf8')).to.equal('precious');
  });

  it('show prints both forms of a key, from a file or the variable in either form', async () => {
    const [sk, hex] = [encodeId('sk', seed), Buffer.concat([seed, publicKey]).toString('hex')];
    for (const MDW_SECRET_KEY of [sk, hex]) {
      const show = async (...args: string[]): Promise<string> =>
        (await mdw(['key', 'show', ...args], { MDW_SECRET_KEY })).stdout.trim();
      expect([await show(), await show('--secret', 'sk'), await show('--secret', 'hex')]).to.deep.equal([
        encodeId('ak', publicKey),
        sk,
        hex,
      ]);
    }
  });

  it('show warns if others can read the file, and does not print the text of a malformed key', async () => {
    writeFileSync(file, encodeId('sk', seed));
    chmodSync(file, 0o644);
    expect((await mdw(['key', 'show', file])).stderr).to.equal(`mdw: others can read ${file}: chmod 600 ${file}\n`);

    writeFileSync(file, 'sk_nonsense');
    const { status, stdout, stderr } = await mdw(['key', 'show', file]);
    expect({ status, stdout }).to.deep.equal({ status: 2, stdout: '' });
    expect(stderr).to.contain(`${file}: not a secret key`).and.not.contain('nonsense');
  });
});
