import { expect } from 'chai';
import { expectAsRecorded, servedRecording } from '../support/as-recorded.js';
import { recording } from '../support/recording.js';

/** Paths of the port that is not served. */
const INTERNAL = /\/(debug|node)\b/;

describe('the recorded chain with a proof of work', () => {
  let served: Awaited<ReturnType<typeof servedRecording>>;
  before(async () => (served = await servedRecording('realnode')));
  after(() => served.close());

  it('is served as the node answered, byte for byte, every recorded request', async () => {
    const answers = [...recording()].filter(([request]) => request.startsWith('GET ') && !INTERNAL.test(request));
    const cached = await expectAsRecorded(served.api, served.node, answers);
    // All recorded requests of the served port, and those of them that are answered from the copy.
    expect([answers.length, cached]).to.deep.equal([6_317, 1_904]);
  });
});
