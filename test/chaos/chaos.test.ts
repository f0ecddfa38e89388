import { expect } from 'chai';
import { chaos } from './chaos.js';

const MINUTES = 3;

describe('a populator and two servers in storms of faults', function () {
  this.timeout((MINUTES + 9) * 60_000);

  it(`keep copy, answers and events correct for ${MINUTES} minutes`, async () => {
    const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
    const say = (line: string): void => void process.stdout.write(`      ${line}\n`);
    say(`CHAOS_SEED=${seed}`);
    const { broken, steps, figures } = await chaos({ minutes: MINUTES, seed, say });
    expect(broken, `CHAOS_SEED=${seed}\n${steps.join('\n')}`).to.deep.equal([]);
    // Enough happened for the result to be meaningful.
    expect(figures.quietPhases).to.be.greaterThan(2);
    expect(figures.events).to.be.greaterThan(figures.changes);
  });
});
