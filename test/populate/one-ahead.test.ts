import { expect } from 'chai';
import { oneAhead } from '../../src/populate/source.js';

describe('reading one batch ahead', () => {
  /** Batches 1 to 3, with a record of what was asked for; the one with the number `fault` fails. */
  const source = (asked: number[], fault?: number, onEnd = (): void => undefined) =>
    (async function* () {
      try {
        for (let batch = 1; batch <= 3; batch++) {
          asked.push(batch);
          await Promise.resolve();
          if (batch === fault) throw new Error(`no batch ${batch}`);
          yield batch;
        }
      } finally {
        onEnd();
      }
    })();

  it('asks for the next batch while one is worked on, and for no more', async () => {
    const asked: number[] = [];
    const seen: number[][] = [];
    for await (const batch of oneAhead(source(asked))) {
      await new Promise(setImmediate);
      seen.push([batch, asked.length]);
    }
    expect(seen).to.deep.equal([
      [1, 2],
      [2, 3],
      [3, 3],
    ]);
  });

  it('throws the fault of a batch after the batches before it', async () => {
    const worked: number[] = [];
    let fault: unknown;
    try {
      for await (const batch of oneAhead(source([], 3))) {
        await new Promise(setImmediate);
        worked.push(batch);
      }
    } catch (error) {
      fault = error;
    }
    expect(worked).to.deep.equal([1, 2]);
    expect(fault).to.have.property('message', 'no batch 3');
  });

  it('ends the source when the work on a batch fails, also if the next one fails too', async () => {
    for (const fault of [undefined, 2]) {
      let isEnded = false;
      let thrown: unknown;
      try {
        for await (const batch of oneAhead(source([], fault, () => (isEnded = true)))) {
          throw new Error(`could not store ${batch}`);
        }
      } catch (error) {
        thrown = error;
      }
      await new Promise(setImmediate);
      expect(thrown).to.have.property('message', 'could not store 1');
      expect(isEnded, 'the source ended').to.equal(true);
    }
  });
});
