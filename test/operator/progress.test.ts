import { expect } from 'chai';
import { createProgress } from '../../src/operator/loop/progress.js';
import type { MiddlewareStatus } from '../../src/operator/schema/status.js';

const UID = 'u';

describe('The progress in a status', () => {
  let now = 0;
  let progress: ReturnType<typeof createProgress>;
  let stored: MiddlewareStatus;

  beforeEach(() => {
    now = 0;
    progress = createProgress(() => now);
    stored = {};
  });

  const status = (height: number, phase: MiddlewareStatus['phase'] = 'Serving'): MiddlewareStatus => ({
    height,
    phase,
  });
  const restMs = (wanted: MiddlewareStatus): number => progress.restMs(UID, stored, wanted);
  const write = (wanted: MiddlewareStatus): void => {
    progress.written(UID, stored, wanted);
    stored = wanted;
  };

  it('is written every 10 s, while other changes are written at once', () => {
    expect(restMs(status(1))).to.be.at.most(0);
    write(status(1));
    now = 1_000;
    expect(restMs(status(2))).to.equal(9_000);
    expect(restMs(status(2, 'Degraded'))).to.be.at.most(0);
    now = 10_000;
    expect(restMs(status(2))).to.be.at.most(0);
  });

  it('is not delayed by writes without new figures', () => {
    write(status(1));
    now = 9_000;
    write(status(1, 'Paused'));
    now = 10_000;
    expect(restMs(status(2, 'Paused'))).to.be.at.most(0);
  });

  it('counts as written together with other changes, and as messages that alone have changed', () => {
    write(status(1));
    now = 9_000;
    write(status(2, 'Paused'));
    now = 10_000;
    expect(restMs(status(3, 'Paused'))).to.equal(9_000);
    now = 20_000;
    write(status(2, 'Paused'));
    expect(restMs(status(2, 'Paused'))).to.equal(10_000);
  });
});
