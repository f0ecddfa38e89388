import { expect } from 'chai';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimPidFile, refuseHeldPidFile } from '../../src/runtime/pid-file.js';

describe('the PID file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-pid-'));
  const file = join(folder, 'mdw.pid');
  afterEach(() => rmSync(file, { force: true, recursive: true }));
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

  it('is taken over from a process that has ended, and if it is empty', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    for (const text of [`${pid}\n`, '']) {
      writeFileSync(file, text);
      claimPidFile(file)();
      expect(existsSync(file)).to.equal(false);
    }
  });

  /** Something that stands where the file is to be made, and that must be there afterwards. */
  const obstacles: Record<string, (victim: string) => void> = {
    'a symbolic link to a file with the id of an ended process': (victim) => {
      writeFileSync(victim, `${spawnSync(process.execPath, ['-e', '0']).pid}\n`);
      symlinkSync(victim, file);
    },
    'a symbolic link to a file that does not exist': (victim) => symlinkSync(victim, file),
    'a file that contains no id': () => writeFileSync(file, 'PASSWORD=1\n'),
    'a large file': () => writeFileSync(file, '1'.repeat(100_000)),
    'a folder': () => mkdirSync(file),
    'a named pipe': () => execFileSync('mkfifo', [file]),
    'a file of another user': () => {
      writeFileSync(file, `${spawnSync(process.execPath, ['-e', '0']).pid}\n`);
      chownSync(file, 4711, 4711);
    },
  };
  for (const [what, place] of Object.entries(obstacles)) {
    it(`is refused where ${what} stands, and leaves it as it is`, function () {
      if (what.includes('another user') && process.getuid?.() !== 0) this.skip();
      const victim = join(folder, 'victim');
      place(victim);
      const looks = (path: string): unknown => {
        const found = lstatSync(path, { throwIfNoEntry: false });
        return found && [found.ino, found.size, found.isFile() && readFileSync(path, 'utf8')];
      };
      const before = [file, victim].map(looks);

      expect(() => claimPidFile(file))
        .to.throw(/^Cannot use PID_FILE/)
        .with.property('code', 'invalid_config');
      expect(() => refuseHeldPidFile(file)).to.throw(/^Cannot use PID_FILE/);

      expect([file, victim].map(looks)).to.deep.equal(before);
      for (const path of [file, victim]) rmSync(path, { force: true, recursive: true });
      expect(readdirSync(folder)).to.deep.equal([]);
    });
  }

  it('is not written through a link that was planted where its draft could be', () => {
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'precious');
    const planted = `${file}.${process.pid}`;
    symlinkSync(victim, planted);

    claimPidFile(file)();

    expect(readFileSync(victim, 'utf8')).to.equal('precious');
    expect(readdirSync(folder)).to.have.members(['victim', 'mdw.pid.' + process.pid]);
    for (const path of [planted, victim]) rmSync(path);
  });

  it('is not removed if a link stands there by then', () => {
    const release = claimPidFile(file);
    const copy = join(folder, 'copy');
    renameSync(file, copy);
    symlinkSync(copy, file);

    release();

    expect(readdirSync(folder)).to.have.members(['copy', 'mdw.pid']);
    rmSync(copy);
  });

  it('is not removed if it belongs to another process by then', () => {
    const release = claimPidFile(file);
    writeFileSync(file, '1\n');

    release();

    expect(readFileSync(file, 'utf8')).to.equal('1\n');
  });

  it('throws invalid_config if it cannot be written', () => {
    expect(() => claimPidFile(join(folder, 'no', 'such', 'place'))).to.throw(/^Cannot use PID_FILE/);
  });
});
