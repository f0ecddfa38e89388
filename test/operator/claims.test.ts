import { expect } from 'chai';
import { hashOf } from '../../src/operator/names.js';
import type { Claim } from '../../src/operator/types.js';
import { OperatorModel } from '../support/operator-model.js';

const DATABASE = '7301/16384';
const COPY = '0b1f4c5e-8d0e-4f55-9a53-0c1d2e3f4a5b';
const PROVEN = [hashOf(COPY, 32)];

const other = (claim: Partial<Claim>): Claim => ({
  databaseId: DATABASE,
  copies: PROVEN,
  hasSameUrl: true,
  isEarlier: true,
  ...claim,
});

const reporting = (report: object): OperatorModel =>
  new OperatorModel({
    job: ([what]) => ({
      exitCode: 0,
      ...(what === 'migrate' && { report: { ok: true, database: DATABASE, ...report } }),
    }),
  });

const isBlocked = ({ status }: OperatorModel): boolean => {
  const stalled = status.conditions?.find(({ type }) => type === 'Stalled');
  return stalled?.status === 'True' && stalled.reason === 'DatabaseInUse';
};
const isServing = ({ status }: OperatorModel): boolean => status.phase === 'Serving';

/** A resource that an operator without claims has settled. */
function ofOlderVersion(): OperatorModel {
  const model = reporting({});
  model.settle();
  delete model.status.claim;
  return model;
}

describe('A claim of a database', () => {
  it('is a hash of the ids that the migration read, which are not shown', () => {
    const model = reporting({ copies: [COPY] });
    model.pass();
    expect(model.status.claim).to.deep.equal([]);
    model.settle();
    expect(model.status.claim).to.deep.equal(PROVEN);
    expect(JSON.stringify(model.status)).to.not.contain(COPY);
  });

  it('blocks another resource that read the same id, whichever is older', () => {
    for (const isEarlier of [true, false]) {
      const model = reporting({ copies: [COPY] });
      model.claims = [other({ isEarlier })];
      model.settle();
      expect(isBlocked(model)).to.equal(true);
      expect(model.status.claim).to.deep.equal([]);
    }
  });

  it('does not block one that serves from that database, except the younger of two that claimed it at the same time', () => {
    const model = reporting({ copies: [COPY] });
    model.settle();
    model.claims = [other({ isEarlier: false })];
    model.settle();
    expect(isServing(model)).to.equal(true);
    model.claims = [other({ isEarlier: true })];
    model.settle();
    expect(isBlocked(model)).to.equal(true);
  });

  it('with ids that are not in the database blocks nothing', () => {
    const model = reporting({ copies: [COPY] });
    model.claims = [other({ copies: ['x'] })];
    model.settle();
    expect(isServing(model)).to.equal(true);
  });
});

describe('A resource whose database an older version of the operator recorded, without ids', () => {
  it('serves on, whatever resources of other namespaces claim', () => {
    const model = ofOlderVersion();
    model.claims = [other({ copies: PROVEN })];
    model.settle();
    expect(isServing(model)).to.equal(true);
  });

  it('claims it as soon as a migration reads the ids', () => {
    const before = ofOlderVersion();
    before.settle();
    expect(before.status.claim).to.equal(undefined);
    const after = reporting({ copies: [COPY] });
    after.status = before.status;
    after.settle();
    expect(after.status.claim).to.deep.equal(PROVEN);
  });

  it('keeps it before a younger one that can open it, before and after the migration of that one', () => {
    const byUrl = reporting({ copies: [COPY] });
    byUrl.claims = [other({ copies: undefined })];
    byUrl.settle();
    expect(isBlocked(byUrl)).to.equal(true);
    expect(byUrl.jobs('migrate')).to.deep.equal([]);

    const byIdentity = reporting({ copies: [COPY] });
    byIdentity.claims = [other({ copies: undefined, hasSameUrl: false })];
    byIdentity.settle();
    expect(isBlocked(byIdentity)).to.equal(true);
    expect(byIdentity.jobs('migrate')).to.have.lengthOf(1);
    expect(byIdentity.status.claim).to.deep.equal([]);
  });

  it('keeps it before an older one that opens it only now', () => {
    const model = reporting({ copies: [COPY] });
    model.claims = [other({ copies: undefined, isEarlier: false })];
    model.settle();
    expect(isBlocked(model)).to.equal(true);
  });

  it('does not take it from an older one of which that is true, too, nor from one that claims it', () => {
    const older = ofOlderVersion();
    older.claims = [other({ copies: undefined, isEarlier: false })];
    older.settle();
    expect(isServing(older)).to.equal(true);

    const proven = reporting({ copies: [COPY] });
    proven.settle();
    proven.claims = [other({ copies: undefined })];
    proven.settle();
    expect(isServing(proven)).to.equal(true);
  });

  it('stays blocked when it was, and the other one has claimed the database since', () => {
    const model = ofOlderVersion();
    model.claims = [other({ copies: undefined })];
    model.settle();
    expect(isBlocked(model)).to.equal(true);
    expect(model.status.claim).to.equal(undefined);
    model.claims = [other({ copies: PROVEN })];
    model.settle();
    expect(isBlocked(model)).to.equal(true);
    model.claims = [];
    model.settle();
    expect(isServing(model)).to.equal(true);
  });
});
