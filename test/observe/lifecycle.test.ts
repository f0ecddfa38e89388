import { expect } from 'chai';
import { EventEmitter, once } from 'node:events';
import { pino } from 'pino';
import { createLifecycle } from '../../src/runtime/lifecycle.js';

const logger = pino({ level: 'silent' });

function setUp(deadlineMs: () => number = () => 15_000, hasTerminal = true) {
  const source = new EventEmitter();
  const exits = new EventEmitter();
  const statuses: number[] = [];
  const exit = (status: number) => {
    statuses.push(status);
    exits.emit('exit', status);
  };
  return { source, exits, statuses, lifecycle: createLifecycle({ logger, source, exit, deadlineMs, hasTerminal }) };
}

describe('the shutdown of a process', () => {
  it('closes the parts in reverse order, even when one fails', async () => {
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
    ['SIGHUP', 129],
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

  it('goes on after SIGHUP without a terminal', () => {
    const { source, lifecycle, statuses } = setUp(undefined, false);

    source.emit('SIGHUP', 'SIGHUP');
    source.emit('SIGHUP', 'SIGHUP');

    expect([lifecycle.signal.aborted, statuses]).to.deep.equal([false, []]);
  });

  it('continues to drain on the first signal after it was asked to stop', () => {
    const { source, lifecycle, statuses } = setUp();

    lifecycle.stop('asked');
    source.emit('SIGTERM', 'SIGTERM');
    expect(statuses).to.deep.equal([]);

    source.emit('SIGTERM', 'SIGTERM');
    expect(statuses).to.deep.equal([143]);
  });

  it('ends by force when the deadline passes', async () => {
    const { source, lifecycle, exits } = setUp(() => 20);
    lifecycle.onClose('stuck', () => new Promise(() => undefined));
    const ended = once(exits, 'exit');

    source.emit('SIGTERM', 'SIGTERM');
    void lifecycle.close();
    // The timer of the deadline must not keep the process alive.
    const alive = setTimeout(() => undefined, 5000);

    expect(await ended).to.deep.equal([1]);
    clearTimeout(alive);
  });

  it('continues when its deadline was extended meanwhile', async () => {
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

  it('ends with 1 on an unhandled rejection', () => {
    const { source, statuses } = setUp();

    source.emit('unhandledRejection', new Error('lost'));

    expect(statuses).to.deep.equal([1]);
  });

  it('no longer handles signals once it is closed', async () => {
    const { source, lifecycle } = setUp();

    await lifecycle.close();

    expect(source.eventNames()).to.deep.equal([]);
  });
});
