import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

describe('a resource that was deleted', () => {
  it('is forgotten by the operator, with everything that was tried for it', async () => {
    // A process of its own: a snapshot of this one has all suites in it, which takes minutes on a busy machine.
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--import',
      'tsx',
      'test/support/forgetting-operator.ts',
    ]);
    const { before, after } = JSON.parse(stdout) as { before: number; after: number };
    expect(before).to.be.above(60);
    expect(after).to.be.below(6);
  });
});
