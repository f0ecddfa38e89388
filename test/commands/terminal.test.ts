import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Devnode } from '../../devtools/devnode/start.js';
import { closeDevnodes, generated } from '../support/devnode.js';
import { buildOnce, mdw } from '../support/mdw.js';
import { testDatabase } from '../support/postgres.js';
import { watchForSecrets } from '../support/secrets.js';
import type { TestDatabase } from '../support/postgres.js';

const BIN = join(fileURLToPath(new URL('../..', import.meta.url)), 'bin', 'mdw.js');
const BAR = /\[#*-*\] \d+ %/;
const TIME = /^\d\d:\d\d:\d\d /;

/** The final text on a terminal: `text` with its returns and deletions executed. */
function seen(text: string): string[] {
  return text
    .split('\n')
    .map((line) =>
      line.split('\r').reduce((shown, part) => {
        const [first = '', ...renewed] = part.split('\x1b[K');
        const kept = renewed.length > 0 ? renewed.at(-1)! : first;
        return renewed.length > 0 ? kept : first + shown.slice(first.length);
      }, ''),
    )
    .filter((line) => line !== '');
}

describe('mdw on a terminal', () => {
  let devnode: Devnode;
  let database: TestDatabase;
  let settings: Record<string, string>;
  const last = 60;

  before(async () => {
    buildOnce();
    devnode = await generated({ generations: last });
    database = await testDatabase();
    settings = {
      NODE_URL: devnode.externalUrl,
      DATABASE_URL: database.url,
      HTTP_ADDRESS: '127.0.0.1:0',
      METRICS_ADDRESS: '127.0.0.1:0',
      WEBSOCKET_ADDRESS: '127.0.0.1:0',
    };
  });
  after(async () => {
    await closeDevnodes();
    await database.drop();
  });

  /** Runs it on a pseudo terminal, until it ends or has printed something. */
  async function onTerminal(args: string, env: Record<string, string> = {}, until?: RegExp): Promise<string> {
    const child = spawn('script', ['-qec', `stty cols 100; exec ${process.execPath} ${BIN} ${args}`, '/dev/null'], {
      env: { PATH: process.env.PATH, TERM: 'xterm', ...settings, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    watchForSecrets(child, settings);
    let text = '';
    let isEnding = false;
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (until?.test(text) !== true || isEnding) return;
      isEnding = true;
      // Ctrl-C on this terminal.
      child.stdin.write('\x03');
    });
    await once(child, 'close');
    return text.replaceAll('\r\n', '\n');
  }

  it('loads with a bar, plain lines above it, and a summary', async () => {
    const text = await onTerminal('-p', {}, /Caught up/);
    expect(text)
      .to.match(BAR)
      .and.match(/\d+ %, \S+ left, \d+\/61 heights/);
    const lines = seen(text).map((line) => line.replaceAll(/\x1b\[\d+m/g, ''));
    expect(lines.filter((line) => BAR.test(line))).to.deep.equal([]);
    expect(lines.filter((line) => line.startsWith('{'))).to.deep.equal([]);
    expect(lines.some((line) => TIME.test(line) && line.endsWith(' Caught up with the node'))).to.equal(true);
    expect(lines.filter((line) => line.startsWith('Loading:'))).to.have.lengthOf(1);
    expect(lines.find((line) => line.startsWith('Loading:'))).to.match(/^Loading: \d+ heights in \d+s/);
  });

  it('reloads and verifies with bars, and leaves whole lines', async () => {
    const reloaded = await onTerminal('-H 1-30');
    expect(reloaded).to.match(BAR);
    expect(seen(reloaded).filter((line) => !TIME.test(line.replaceAll(/\x1b\[\d+m/g, '')))).to.deep.equal([
      seen(reloaded).find((line) => line.startsWith('Loading:')),
      'Replaced 30 of 30 heights (1-30)',
    ]);

    const verified = await onTerminal('-v');
    expect(verified).to.match(/Comparing with the node \[/);
    const lines = seen(verified);
    const heights = lines.filter((line) => line.startsWith('Height '));
    expect(heights).to.deep.equal(Array.from({ length: last + 1 }, (_, i) => `Height ${last - i} OK`));
    expect(lines.filter((line) => BAR.test(line))).to.deep.equal([]);
    expect(lines.at(-1)).to.equal(`${last + 1} heights verified, all OK`);
  });

  it('shows no bar with --no-progress, nor on a terminal that cannot rewrite a line', async () => {
    for (const [args, env] of [
      ['-H 1-30 --no-progress', {}],
      ['-H 1-30', { TERM: 'dumb' }],
    ] as const) {
      const text = await onTerminal(args, env);
      expect(text).to.not.match(BAR).and.not.contain('\x1b[K');
      expect(text).to.match(/^.*\d\d:\d\d:\d\d.* Loading.*done 1,/m);
    }
  });

  it('colours nothing with NO_COLOR', async () => {
    expect(await onTerminal('-H 1-4', { LOG_LEVEL: 'info' })).to.contain('\x1b[90m');
    expect(await onTerminal('-H 1-4', { NO_COLOR: '1' })).to.not.match(/\x1b\[\d+m/);
  });

  it('prints lines of JSON without a terminal', async () => {
    const { stdout, stderr } = await mdw(['-H', '1-30'], settings);
    expect(stderr).to.equal('Replaced 30 of 30 heights (1-30)\n');
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string });
    expect(records.map(({ msg }) => msg)).to.include('Loading');
  });
});
