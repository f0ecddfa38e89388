import { expect } from 'chai';
import { decide } from '../../src/operator/decide/decide.js';
import type { Condition } from '../../src/operator/schema/status.js';
import { OperatorModel } from '../support/operator-model.js';
import type { JobEnd } from '../support/operator-model.js';

const hash = (letter: string): string => `kh_${letter.repeat(50)}`;
/** Key blocks of one branch, and of another branch. */
const BRANCH = ['a', 'b', 'c'].map(hash);
const OTHER = [hash('x')];

describe('A held reorg of a resource', () => {
  let model: OperatorModel;
  let branch: string[];
  let fails: JobEnd | undefined;
  let accepted: (string | undefined)[];

  beforeEach(() => {
    branch = [];
    fails = undefined;
    accepted = [];
    model = new OperatorModel({
      job: ([what, given]) => {
        if (what !== 'accept-reorg') return undefined;
        if (fails !== undefined) return fails;
        if (!branch.includes(given ?? '')) {
          const message = `No reorg with the key block ${given} is held back in schema mdw`;
          return { exitCode: 1, report: { ok: false, code: 'reorg_not_held', message } };
        }
        accepted.push(given);
        return { exitCode: 0, report: { ok: true } };
      },
    });
    model.settle();
  });

  const hold = (blocks: string[]): void => {
    branch = blocks;
    model.schemas.get('mdw')!.heldReorg = { hash: blocks.at(-1)!, height: 100 + blocks.length, depth: 150 };
    model.settle();
  };
  const release = (): void => {
    branch = [];
    delete model.schemas.get('mdw')!.heldReorg;
    model.settle();
  };
  const accept = (key: string | undefined): void => {
    model.spec['acceptReorg'] = key;
    model.generation++;
    model.settle();
  };
  const condition = (): Condition => model.status.conditions!.find(({ type }) => type === 'ReorgHeld')!;

  it('is reported as a condition with its newest key block, depth and time', () => {
    expect(condition()).to.include({ status: 'False', reason: 'NoReorg' });
    const since = new Date(model.now).toISOString().replace(/\.\d+Z$/, 'Z');
    hold(BRANCH);

    expect(condition()).to.include({ status: 'True', reason: 'Unconfirmed' });
    expect(condition().message).to.contain(`${BRANCH[2]} at height 103`).and.to.contain('150 key blocks');
    expect(model.status.heldReorg).to.deep.equal({ hash: BRANCH[2], height: 103, depth: 150, since });
    expect(model.events).to.include('Unconfirmed');

    // The branch has grown, but is the same.
    model.now += 60_000;
    hold([...BRANCH, hash('d')]);
    expect(model.status.heldReorg).to.include({ hash: hash('d'), since });
    expect(model.jobs('accept')).to.deep.equal([]);
  });

  it('is accepted by any of its key blocks in the resource, by a Job that gets only the database', () => {
    hold(BRANCH);
    accept(BRANCH[1]);

    expect(accepted).to.deep.equal([BRANCH[1]]);
    expect(condition()).to.include({ status: 'True', reason: 'Accepted' });
    expect(model.events).to.include('ReorgAccepted');
    const [job] = model.jobs('accept');
    const { template } = job!.spec as { template: { spec: { containers: object[]; volumes: object[] } } };
    expect(template.spec.containers[0]).to.deep.include({ args: ['accept-reorg', BRANCH[1]] });
    expect(template.spec.volumes[0]).to.nested.include({ 'secret.secretName': 'db' });

    release();
    expect(condition()).to.include({ status: 'False', reason: 'NoReorg' });
    expect(model.status).not.to.have.property('heldReorg');
  });

  it('ignores a hash of another branch, and reports that', () => {
    hold(BRANCH);
    accept(OTHER[0]);

    expect(accepted).to.deep.equal([]);
    expect(condition()).to.include({ status: 'True', reason: 'NotHeld' });
    expect(condition().message).to.contain(`spec.acceptReorg ${OTHER[0]} is ignored`);
    expect(model.jobs('accept').length).to.be.within(1, 8);
    expect(model.status).not.to.have.property('acceptedReorg');

    accept(BRANCH[2]);
    expect(accepted).to.deep.equal([BRANCH[2]]);
  });

  it('starts no Job while no reorg is held', () => {
    accept(BRANCH[2]);
    expect(model.jobs('accept')).to.deep.equal([]);
    expect(condition()).to.include({ status: 'False', reason: 'NoReorg' });
    expect(condition().message).to.contain(`spec.acceptReorg ${BRANCH[2]} is ignored`);

    hold(BRANCH);
    expect(accepted).to.deep.equal([BRANCH[2]]);
  });

  it('is not accepted twice by a hash that stays in the resource, and neither is another reorg', () => {
    hold(BRANCH);
    accept(BRANCH[2]);
    release();
    model.now += 24 * 3_600_000;
    model.settle();

    hold(BRANCH);
    expect(condition()).to.include({ status: 'True', reason: 'Unconfirmed' });
    expect(condition().message).to.contain('is not repeated');
    release();
    hold(OTHER);
    expect(condition()).to.include({ status: 'True', reason: 'Unconfirmed' });
    expect(accepted).to.deep.equal([BRANCH[2]]);

    // Set again on purpose.
    release();
    hold(BRANCH);
    accept(undefined);
    accept(BRANCH[2]);
    expect(accepted).to.deep.equal([BRANCH[2], BRANCH[2]]);
  });

  it('is not mistaken for the previous reorg when it begins within a second of its acceptance', () => {
    model.settle();
    hold(BRANCH);
    accept(BRANCH[2]);
    // The status has whole seconds.
    model.now = Date.parse(model.status.acceptedReorg!.at);
    release();
    model.now = Date.parse(model.status.acceptedReorg!.at);
    hold(BRANCH);

    expect(condition()).to.include({ status: 'True', reason: 'Unconfirmed' });
  });

  it('counts as accepted even if it was applied before the next pass of the operator', () => {
    hold(BRANCH);
    fails = 'hang';
    model.spec['acceptReorg'] = BRANCH[2];
    model.generation++;
    model.settle();
    expect(condition()).to.include({ status: 'True', reason: 'Accepting' });
    delete model.schemas.get('mdw')!.heldReorg;
    model.settle();
    expect(condition()).to.include({ status: 'True', reason: 'Accepting' });

    fails = undefined;
    model.settle();
    expect(condition()).to.include({ status: 'False', reason: 'NoReorg' });
    expect(model.status.acceptedReorg).to.include({ hash: BRANCH[2] });
    hold(BRANCH);
    expect(accepted).to.deep.equal([BRANCH[2]]);
  });

  it('is accepted by another Job when the first one fails for another reason', () => {
    hold(BRANCH);
    fails = { exitCode: 75, report: { ok: false, code: 'database_unreachable', message: 'database: refused' } };
    model.spec['acceptReorg'] = BRANCH[2];
    model.generation++;
    model.settle(() => model.jobs('accept').length === 2);
    fails = undefined;
    model.settle();

    expect(accepted).to.deep.equal([BRANCH[2]]);
    expect(condition()).to.include({ status: 'True', reason: 'Accepted' });
  });

  it('is shown, but not accepted, while the resource is paused', () => {
    model.spec['paused'] = true;
    hold(BRANCH);
    accept(BRANCH[2]);

    expect(condition()).to.include({ status: 'True', reason: 'Unconfirmed' });
    expect(model.jobs('accept')).to.deep.equal([]);
  });

  it('is Unknown while no pod reports it, and the same reorg afterwards', () => {
    hold(BRANCH);
    const { since } = model.status.heldReorg!;
    const world = model.observed();
    const { status } = decide({ ...world, health: new Map() });

    expect(status.conditions!.find(({ type }) => type === 'ReorgHeld')).to.include({ status: 'Unknown' });
    expect(status.heldReorg).to.deep.equal({ ...model.status.heldReorg, since });
  });
});
