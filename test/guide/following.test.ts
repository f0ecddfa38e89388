import { fileURLToPath } from 'node:url';
import { codeOf } from '../support/documents.js';
import { followsThroughALoss } from '../support/follower.js';
import { tool } from '../support/kube-tools.js';
import { skipFor } from '../support/skip.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const textOf = (language: string, part: string): string =>
  codeOf('docs/following.md', [language]).find(({ text }) => text.includes(part))!.text;

describe('the examples that follow the chain', () => {
  it('continue after a lost connection, in JavaScript over a websocket', () =>
    followsThroughALoss({
      command: process.execPath,
      args: ['--input-type=module'],
      text: textOf('js', "from 'ws'"),
      cwd: ROOT,
    }));

  it('continue after a lost connection, in Python with server-sent events', async function () {
    if (tool('python3') === undefined) skipFor('python3 is not in PATH', this);
    await followsThroughALoss({ command: 'python3', args: ['-'], text: textOf('python', 'urlopen'), cwd: ROOT });
  });
});
