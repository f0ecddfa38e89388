import { expect } from 'chai';
import { abort, requestReload, pause, promote, resume, rollBack } from '../../src/operator/plugin/actions.js';
import type { Action } from '../../src/operator/plugin/actions.js';
import { follow } from '../../src/operator/plugin/follow.js';
import { createRateText, reloadLines, statusLines, table } from '../../src/operator/plugin/view.js';
import type { ReloadPhase } from '../../src/operator/schema/status.js';
import type { Middleware } from '../../src/operator/types.js';
import { OperatorModel } from '../support/operator-model.js';

/** A resource whose reload `one` is in a phase. */
function resource(phase?: ReloadPhase, more: object = {}): Middleware {
  const model = new OperatorModel({ spec: { reload: phase === undefined ? {} : { id: 'one' } } });
  model.status = { ...(phase !== undefined && { reload: { id: 'one', phase, ...more } }) };
  return model.resource();
}
const refused = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was refused';
};

describe('the commands for reloads', () => {
  it('request a reload with the given fields only', () => {
    const { patch } = requestReload(resource(), { id: 'two', heights: 'all', retain: '6h' });
    expect(patch).to.deep.equal({
      spec: { reload: { id: 'two', heights: 'all', retain: '6h', action: null, actionFor: null } },
    });
  });

  it('do not replace a running reload, nor use a name twice', () => {
    expect(refused(() => requestReload(resource('Loading'), { id: 'two', heights: 'all' }))).to.match(
      /Reload one of sample is Loading: .*mdw abort sample/,
    );
    expect(refused(() => requestReload(resource('Complete'), { id: 'one', heights: 'all' }))).to.match(
      /already had a reload one/,
    );
    expect(requestReload(resource('Complete'), { id: 'two', heights: 'all' }).patch).to.be.an('object');
  });

  it('allow an action only in phases where it makes sense, and say what to do instead', () => {
    const word = (act: (one: Middleware) => { patch?: object; message: string }, phase: ReloadPhase): string => {
      try {
        const { patch } = act(resource(phase));
        return patch === undefined ? 'no change' : 'change';
      } catch {
        return 'refused';
      }
    };
    const phases: ReloadPhase[] = [
      'Loading',
      'AwaitingPromotion',
      'Retaining',
      'Complete',
      'Aborted',
      'Failed',
      'RolledBack',
    ];
    expect(
      phases.map((phase) => [phase, word(promote, phase), word(abort, phase), word(rollBack, phase)]),
    ).to.deep.equal([
      ['Loading', 'change', 'change', 'refused'],
      ['AwaitingPromotion', 'change', 'change', 'refused'],
      ['Retaining', 'no change', 'refused', 'change'],
      ['Complete', 'no change', 'refused', 'refused'],
      ['Aborted', 'refused', 'no change', 'refused'],
      ['Failed', 'refused', 'refused', 'refused'],
      ['RolledBack', 'refused', 'refused', 'no change'],
    ]);
    expect(refused(() => promote(resource()))).to.match(
      /sample has no reload to promote: request one with mdw reload sample/,
    );
  });

  it('name the reload that an action is for', () => {
    const word = (act: (one: Middleware) => Action, phase: ReloadPhase) => act(resource(phase)).patch;
    const named = (action: string) => ({ spec: { reload: { action, actionFor: 'one' } } });
    expect(word(promote, 'AwaitingPromotion')).to.deep.equal(named('Promote'));
    expect(word(abort, 'Loading')).to.deep.equal(named('Abort'));
    expect(word(rollBack, 'Retaining')).to.deep.equal(named('Rollback'));
  });

  it('pause and resume once, with any kind of pause', () => {
    const model = new OperatorModel();
    expect(resume(model.resource()).patch).to.equal(undefined);
    expect(pause(model.resource()).patch).to.deep.equal({ spec: { paused: true } });
    const one = model.resource();
    const annotated = { ...one, metadata: { ...one.metadata, annotations: { 'chain-middleware.io/paused': 'true' } } };
    expect(resume(annotated).patch).to.deep.equal({
      spec: { paused: false },
      metadata: { annotations: { 'chain-middleware.io/paused': null } },
    });
  });

  it('show the progress of a reload', () => {
    const { reload } = resource('Loading', {
      heights: 'all',
      color: 'green',
      schema: 'mdw_green',
      loaded: 5,
      total: 10,
      message: 'text',
    }).status;
    expect(reloadLines(reload!)).to.deep.equal([
      'Reload one: Loading, heights all into the green copy, schema mdw_green',
      '  loaded    [###############---------------] 50 % 5/10',
      '  text',
    ]);
    const empty = resource('Loading', { loaded: 0, total: 0 }).status.reload!;
    expect(reloadLines(empty)[1]).to.equal(`  loaded    [${'#'.repeat(30)}] 100 % 0/0`);
    expect(table([resource('Loading', { loaded: 5, total: 10 })])[1]).to.match(
      /^test +sample +Pending +Unknown .* one Loading 50 %$/,
    );
    expect(statusLines(resource())[0]).to.equal('test/sample: Pending');
  });

  it('show rate and time left of a phase that is read repeatedly', () => {
    let now = 0;
    const paceOf = createRateText(() => now);
    const looks = [
      [0, 'Loading', 100],
      [10, 'Loading', 150],
      [20, 'Verifying', 0],
      [30, 'Verifying', 1],
    ] as const;
    const lines = looks.map(([seconds, phase, done]) => {
      now = seconds * 1000;
      const of = phase === 'Loading' ? { loaded: done } : { verified: done };
      return reloadLines(resource(phase, { ...of, total: 400 }).status.reload!, paceOf)[1]!.replace(/^.*\]/, '');
    });
    expect(lines).to.deep.equal([
      ' 25 % 100/400',
      ' 37 % 150/400, 5.0 heights/s, 50s left',
      ' 0 % 0/400',
      ' 0 % 1/400, 0.1 heights/s, 1h06m left',
    ]);
  });

  it('update their lines on a terminal, and print only new lines elsewhere', async () => {
    for (const isTTY of [true, false]) {
      const written: string[] = [];
      const values = [
        ['a', 'b'],
        ['a', 'c'],
      ];
      const screen = { isTTY, write: (text: string) => written.push(text) };
      const signal = new AbortController().signal;
      await follow({
        read: () => Promise.resolve(values.shift()!),
        lines: (value) => value,
        done: () => values.length === 0,
        screen,
        signal,
        pauseMs: 1,
      });
      expect(written.join('')).to.equal(isTTY ? 'a\nb\n\x1b[2A\x1b[Ja\nc\n' : 'a\nb\nc\n');
    }
  });
});
