import { expect } from 'chai';
import { growByTheClock } from '../../devtools/devnode/pace.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { closeDevnodes, generated } from '../support/devnode.js';

describe('growth at fixed intervals', () => {
  afterEach(closeDevnodes);

  /** Lets the chain grow until the nth key block, with or without a fork. */
  async function grownBy(devnode: Devnode, keyBlocks: number, microForkEvery: number): Promise<string[]> {
    const stop = new AbortController();
    const steps: string[] = [];
    const count = (step: string): void => {
      steps.push(step);
      if (steps.filter((name) => name !== 'micro block').length === keyBlocks) stop.abort();
    };
    const watched: Devnode = {
      ...devnode,
      mineKeyBlock: () => devnode.mineKeyBlock().then(() => count('key block')),
      addMicroBlock: () => devnode.addMicroBlock({ txs: 1 }).then(() => count('micro block')),
      microFork: (options) => devnode.microFork(options).then(() => count('micro fork')),
    };
    await growByTheClock(watched, { keyMs: 40, microMs: 5, microForkEvery }, stop.signal);
    return steps;
  }

  it('mines key blocks and adds micro blocks between them until stopped', async () => {
    const devnode = await generated({ generations: 1 });
    const steps = await grownBy(devnode, 2, 0);
    expect(devnode.height()).to.equal(3);
    expect(steps).to.include('micro block').and.not.to.include('micro fork');
  });

  it('abandons a micro block with every n-th key block', async () => {
    const devnode = await generated({ generations: 1 });
    const steps = await grownBy(devnode, 4, 2);
    expect(devnode.height()).to.equal(5);
    expect(steps.filter((step) => step !== 'micro block')).to.deep.equal([
      'key block',
      'micro fork',
      'key block',
      'micro fork',
    ]);
  });
});
