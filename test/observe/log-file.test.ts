import { expect } from 'chai';
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../src/observe/logger.js';
import { openLogFile } from '../../src/observe/log-file.js';

describe('the files of LOG_DIR', () => {
  let folder: string;
  let umask: number;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mdw-logs-'));
    umask = process.umask(0);
  });
  afterEach(() => {
    process.umask(umask);
    rmSync(folder, { recursive: true });
  });

  const modeOf = (...path: string[]): string => (lstatSync(join(folder, ...path)).mode & 0o777).toString(8);
  const messagesOf = (...path: string[]): string[] =>
    readFileSync(join(folder, ...path), 'utf8')
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { msg: string }).msg]));

  it('can be read by their user alone, and so can the folders that are made for them', () => {
    createLogger({ level: 'info', dir: join(folder, 'a', 'b') }).info('one');

    expect([modeOf('a'), modeOf('a', 'b'), modeOf('a', 'b', 'mdw.log')]).to.deep.equal(['700', '700', '600']);
  });

  it('that others could read are closed to them; a folder that was there keeps its rights', () => {
    const dir = join(folder, 'logs');
    mkdirSync(dir, { mode: 0o755 });
    writeFileSync(join(dir, 'mdw.log'), '', { mode: 0o644 });

    createLogger({ level: 'info', dir }).info('one');

    expect([modeOf('logs'), modeOf('logs', 'mdw.log')]).to.deep.equal(['755', '640']);
  });

  it('are not written through a link', () => {
    const victim = join(folder, 'victim');
    writeFileSync(victim, '');
    symlinkSync(victim, join(folder, 'mdw.log'));

    expect(() => createLogger({ level: 'info', dir: folder }))
      .to.throw(/^LOG_DIR=.* cannot be written: .*ELOOP/)
      .with.property('code', 'invalid_config');
    expect(() => openLogFile(join(folder, 'mdw.log'))).to.throw(/ELOOP/);
  });

  it('are begun anew with the next line after one was moved away, with the same rights', () => {
    const logger = createLogger({ level: 'info', dir: folder });
    logger.info('one');
    renameSync(join(folder, 'mdw.log'), join(folder, 'mdw.log.1'));
    logger.info('two');
    logger.child({ worker: 1 }).info('three');

    expect(messagesOf('mdw.log.1')).to.deep.equal(['one']);
    expect(messagesOf('mdw.log')).to.deep.equal(['two', 'three']);
    expect(modeOf('mdw.log')).to.equal('600');
  });

  it('are made again after the whole folder was removed', () => {
    const dir = join(folder, 'logs');
    const logger = createLogger({ level: 'info', dir });
    logger.info('one');
    rmSync(dir, { recursive: true });
    logger.info('two');

    expect(messagesOf('logs', 'mdw.log')).to.deep.equal(['two']);
    expect(modeOf('logs')).to.equal('700');
  });

  it('are continued from the beginning after one was emptied', () => {
    const logger = createLogger({ level: 'info', dir: folder });
    logger.info('one');
    truncateSync(join(folder, 'mdw.log'));
    logger.info('two');

    expect(messagesOf('mdw.log')).to.deep.equal(['two']);
  });

  it('are used further while no new one can be made', () => {
    const logger = createLogger({ level: 'info', dir: folder });
    renameSync(join(folder, 'mdw.log'), join(folder, 'mdw.log.1'));
    symlinkSync(join(folder, 'victim'), join(folder, 'mdw.log'));
    logger.info('one');

    expect(messagesOf('mdw.log.1')).to.deep.equal(['one']);
    expect(readdirSync(folder)).to.have.members(['mdw.log', 'mdw.log.1']);
  });
});
