import { expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimPidFile, refuseHeldPidFile } from '../../src/runtime/pid-file.js';

describe('the PID file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-pid-'));
  const file = join(folder, 'mdw.pid');
  afterEach(() => rmSync(file, { force: true }));
  after(() => rmSync(folder, { recursive: true }));

  it('holds the id of this process until it is released', () => {
    const release = claimPidFile(file);

    expect(readFileSync(file, 'utf8')).to.equal(`${process.pid}\n`);
    release();
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('is refused while it belongs to a running process', async () => {
    const holder = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)']);
    writeFileSync(file, `${holder.pid}\n`);

    expect(() => claimPidFile(file)).to.throw(`Process ${holder.pid} is running already`);
    expect(() => refuseHeldPidFile(file)).to.throw('running already');
    expect(readFileSync(file, 'utf8')).to.equal(`${holder.pid}\n`);

    holder.kill('SIGKILL');
    await once(holder, 'exit');
  });

  it('is taken over from a process that has ended, and if it contains no id', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    for (const text of [`${pid}\n`, 'rubbish', '']) {
      writeFileSync(file, text);
      claimPidFile(file)();
      expect(existsSync(file)).to.equal(false);
    }
  });

  it('is not removed if it belongs to another process by then', () => {
    const release = claimPidFile(file);
    writeFileSync(file, '1\n');

    release();

    expect(readFileSync(file, 'utf8')).to.equal('1\n');
  });

  it('throws invalid_config if it cannot be written', () => {
    expect(() => claimPidFile(join(folder, 'no', 'such', 'place'))).to.throw(/^Cannot write PID_FILE/);
  });
});
