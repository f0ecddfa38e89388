import { expect } from 'chai';
import { EventEmitter, once } from 'node:events';
import { pino } from 'pino';
import { createLifecycle } from '../../src/runtime/lifecycle.js';

const logger = pino({ level: 'silent' });

function setUp(deadlineMs: () => number = () => 15_000) {
  const source = new EventEmitter();
  const exits = new EventEmitter();
  const statuses: number[] = [];
  const exit = (status: number) => {
    statuses.push(status);
    exits.emit('exit', status);
  };
  return { source, exits, statuses, lifecycle: createLifecycle({ logger, source, exit, deadlineMs }) };
}

describe('the end of a process', () => {
  it('closes the parts in the opposite order of their opening, even when one fails', async () => {
    const { lifecycle, statuses } = setUp();
    const closed: string[] = [];
    lifecycle.onClose('database', () => closed.push('database'));
    lifecycle.onClose('broken', () => Promise.reject(new Error('no')));
    lifecycle.onClose('server', async () => {
      await Promise.resolve();
      closed.push('server');
    });

    await Promise.all([lifecycle.close(), lifecycle.close()]);

    expect(closed).to.deep.equal(['server', 'database']);
    expect(lifecycle.signal.aborted).to.equal(true);
    expect(statuses).to.deep.equal([]);
  });

  for (const [name, status] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    it(`drains on ${name} and ends at once with ${status} on the second`, () => {
      const { source, lifecycle, statuses } = setUp();

      source.emit(name, name);
      expect(lifecycle.signal.aborted).to.equal(true);
      expect(statuses).to.deep.equal([]);

      source.emit(name, name);
      expect(statuses).to.deep.equal([status]);
    });
  }

  it('ends by force when the deadline passes', async () => {
    const { source, lifecycle, exits } = setUp(() => 20);
    lifecycle.onClose('stuck', () => new Promise(() => undefined));
    const ended = once(exits, 'exit');

    source.emit('SIGTERM', 'SIGTERM');
    void lifecycle.close();
    // The deadline does not keep a process alive that has nothing else to do.
    const alive = setTimeout(() => undefined, 5000);

    expect(await ended).to.deep.equal([1]);
    clearTimeout(alive);
  });

  it('goes on when its time has grown by the end of it', async () => {
    let deadlineMs = 20;
    let asked = 0;
    const { source, lifecycle, exits, statuses } = setUp(() => {
      asked++;
      return deadlineMs;
    });
    lifecycle.onClose('stuck', () => new Promise(() => undefined));
    const ended = once(exits, 'exit');

    source.emit('SIGTERM', 'SIGTERM');
    deadlineMs = 100;
    const alive = setTimeout(() => undefined, 5000);
    await ended;
    clearTimeout(alive);

    expect(asked).to.be.at.least(3);
    expect(statuses).to.deep.equal([1]);
  });

  it('ends with 1 on a rejection that nobody handled', () => {
    const { source, statuses } = setUp();

    source.emit('unhandledRejection', new Error('lost'));

    expect(statuses).to.deep.equal([1]);
  });

  it('leaves the signals alone once it is closed', async () => {
    const { source, lifecycle } = setUp();

    await lifecycle.close();

    expect(source.eventNames()).to.deep.equal([]);
  });
});
