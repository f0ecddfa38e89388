/** Runs the example of the guide that uses the Python package `websockets`. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '../support/documents.js';
import { followsThroughALoss } from '../support/follower.js';
import { pythonPackages } from './tools.js';

const [example] = codeOf('docs/following.md', ['python']).filter(({ text }) => text.includes('from websockets'));

describe('the example of the guide for websockets in Python', () => {
  it('continues after a lost connection', async () => {
    const tools = await pythonPackages('websockets', ['websockets==17.4']);
    const command = join(tools, 'bin', 'python');
    await followsThroughALoss({ command, args: ['-'], text: example!.text, cwd: tmpdir() });
  });
});
