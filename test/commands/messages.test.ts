import { expect } from 'chai';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mdw } from '../support/mdw.js';

const BIN = join(fileURLToPath(new URL('../..', import.meta.url)), 'bin', 'mdw.js');
const AWAY = { NODE_URL: '127.0.0.1:1', DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d' };
const STACK = /\bat .+:\d+:\d+|"stack"/;

/** What `mdw` prints on a pseudo terminal. */
function onTerminal(args: string, env: Record<string, string>): { status: number | null; text: string } {
  const { status, stdout } = spawnSync('script', ['-qec', `${process.execPath} ${BIN} ${args}`, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'dumb', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  return { status, text: stdout.replaceAll('\r', '') };
}

describe('the messages of mdw', () => {
  before(() => mdw(['-V']));

  it('are on a terminal one sentence and what to do, without the log of the fault', () => {
    for (const args of ['-v --no-wait', '-H1 --no-wait', 'migrate --no-wait']) {
      const { status, text } = onTerminal(args, AWAY);
      expect(status, text).to.equal(75);
      expect(text).to.match(/^mdw: database: [^\n]*ECONNREFUSED[^\n]*\n[^\n]*DATABASE_URL[^\n]*mdw doctor[^\n]*\n$/m);
      expect(text).to.not.match(STACK).and.not.contain('Ended by a fault');
    }
    const wrong = onTerminal('-s', { ...AWAY, LOG_LEVEL: 'loud' });
    expect([wrong.status, wrong.text.split('\n').length]).to.deep.equal([78, 4]);
    expect(wrong.text).to.contain('LOG_LEVEL').and.contain('mdw --help');
  });

  it('are lines of JSON without a terminal, with stacks only when debugging', async () => {
    const fault = (stdout: string): Record<string, { message: string }> =>
      stdout
        .split('\n')
        .filter((line) => line.includes('Ended by a fault'))
        .map((line) => JSON.parse(line) as Record<string, { message: string }>)[0]!;
    const plain = await mdw(['-H1', '--no-wait'], AWAY);
    expect(fault(plain.stdout)['err']).to.include({ code: 'database_unreachable' });
    expect(plain.stdout + plain.stderr).to.not.match(STACK);
    expect(plain.stderr).to.match(/^mdw: database: .*ECONNREFUSED.*\n$/);
    const debugging = await mdw(['-H1', '--no-wait'], { ...AWAY, LOG_LEVEL: 'debug' });
    expect(fault(debugging.stdout)['err']).to.have.property('stack');
    expect(debugging.stderr).to.match(STACK);
  });

  for (const [args, words, helping] of [
    [['migrat'], 'There is no command migrat. Did you mean migrate?'],
    [['flwo', 'spend'], 'There is no command flwo. Did you mean flow?'],
    [['xyzzy'], 'There is no command xyzzy'],
    [['openapi', 'foo'], 'openapi takes no argument: foo'],
    [['flow', 'spnd'], 'flow has no command spnd. Did you mean spend?'],
    [['flow', 'xyzzy'], 'flow has no command xyzzy, but mine, name, oracle, spend'],
    [['devnode', 'min'], 'devnode has no command min. Did you mean mine?'],
    [['help', 'docter'], 'There is no command docter. Did you mean doctor?'],
    [['--poplate'], 'There is no flag --poplate. Did you mean --populate?'],
    [['migrate', '--jsno'], 'migrate has no flag --jsno. Did you mean --json?', 'migrate'],
    [['devnode', '--pace-kye', '5'], 'devnode has no flag --pace-kye. Did you mean --pace-key?', 'devnode'],
    [['key', 'new'], 'Missing 1 required arg:\nfile  File to write', 'key new'],
    [['-x'], 'There is no flag -x'],
  ] as [string[], string, string?][]) {
    it(`for ${args.join(' ')} are: ${words}`, async () => {
      const help = helping === undefined ? 'mdw' : `mdw ${helping}`;
      expect(await mdw(args)).to.deep.equal({ status: 2, stdout: '', stderr: `mdw: ${words}\nTry ${help} --help.\n` });
    });
  }

  it('begin each help with a summary, and have a readable usage line', () => {
    const help = (...args: string[]): string =>
      execFileSync(process.execPath, [BIN, ...args, '--help'], { encoding: 'utf8' });
    expect(help('flow').split('\n')[0]).to.equal('Run a flow against any node and the middleware');
    const usage = /\nUSAGE\n([^]*?)\n\n/.exec(help('devnode'))?.[1];
    expect(usage).to.equal('  $ mdw devnode [--live | --replay FILE | --seed TEXT] [FLAGS]');
  });
});
