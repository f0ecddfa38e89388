import { expect } from 'chai';
import { liveService } from '../../src/operator/desired/services.js';
import { ANNOTATION } from '../../src/operator/names.js';
import type { Color, MiddlewareStatus, ReloadPhase } from '../../src/operator/schema/status.js';
import { OperatorModel, workIn } from './operator-model.js';

/** What one state consists of: an index into each of the lists below. */
type State = number[];

/** A copy: absent, created, half loaded, complete but old, complete, complete and not proven yet. */
const COPIES = [
  undefined,
  { height: -1, loading: true },
  { height: 50, loading: true },
  { height: 60, loading: false },
  { height: 100, loading: false },
  { height: 100, loading: false, proven: -1 },
] as const;

/** Rows of the record, as step, color and work; undefined for databases of an older version. */
const RECORDS: ([step: 'intended' | 'switched' | 'done', color: Color, work: number][] | undefined)[] = [
  undefined,
  [],
  [['switched', 'blue', 50]],
  [['switched', 'green', 50]],
  [['intended', 'green', 50]],
  [
    ['switched', 'green', 50],
    ['intended', 'blue', 50],
  ],
  [
    ['switched', 'green', 50],
    ['done', 'green', 101],
  ],
  [
    ['switched', 'green', 50],
    ['switched', 'blue', 101],
  ],
  [['done', 'blue', 101]],
];

const SERVICES = ['absent', 'blue', 'green', 'by selector'] as const;

/** The status: lost, of this resource, of the resource that was deleted, or of an operator that wrote no uid. */
const OWNERS = ['lost', 'own', 'earlier', 'without uid'] as const;
const COLORS: Color[] = ['blue', 'green'];
const PHASES: (ReloadPhase | undefined)[] = [
  undefined,
  ...(['Preparing', 'Loading', 'Verifying', 'Promoting', 'Retaining', 'Retiring'] as const),
  ...(['Failing', 'Aborting', 'RollingBack', 'Complete', 'Aborted'] as const),
];
const ASKED = [
  { id: undefined },
  { id: 'one' },
  { id: 'two' },
  { id: 'one', action: 'Promote', actionFor: 'one' },
] as const;

const LISTS: { length: number }[] = [COPIES, COPIES, RECORDS, SERVICES, OWNERS, COLORS, PHASES, ASKED];
const COUNT = LISTS.reduce((product, { length }) => product * length, 1);

/** The state with this number. */
const stateOf = (number: number): State =>
  LISTS.reduce<{ rest: number; state: State }>(
    ({ rest, state }, { length }) => ({ rest: Math.floor(rest / length), state: [...state, rest % length] }),
    { rest: number, state: [] },
  ).state;

const schemaOf = (color: Color): string => (color === 'blue' ? 'mdw' : 'mdw_green');

function statusOf(model: OperatorModel, state: State): MiddlewareStatus {
  const [owner, color, phase] = [OWNERS[state[4]!], COLORS[state[5]!]!, PHASES[state[6]!]];
  if (owner === 'lost') return {};
  const lastTransitionTime = new Date(model.now).toISOString();
  const populated = { type: 'Populated', status: 'True', reason: 'Loaded', message: '', lastTransitionTime } as const;
  const isServing = phase === 'Retaining' || phase === 'Retiring' || phase === 'Complete';
  const target = isServing ? color : color === 'blue' ? 'green' : 'blue';
  return {
    ...(owner === 'own' && { uid: model.uid }),
    ...(owner === 'earlier' && { uid: 'earlier' }),
    activeColor: color,
    databaseId: model.databaseId,
    conditions: [populated],
    ...(phase && {
      reload: {
        ...{ id: 'one', phase, heights: 'all', color: target, schema: schemaOf(target) },
        ...(isServing && { promotedAt: lastTransitionTime }),
      },
    }),
  };
}

function modelOf(state: State): OperatorModel {
  const model = new OperatorModel({ spec: { reload: ASKED[state[7]!] } });
  for (const [index, color] of (['blue', 'green'] as const).entries()) {
    const copy = COPIES[state[index]!];
    if (copy === undefined) continue;
    const rows = RECORDS[state[2]!]?.map(([step, of, work]) => {
      const result = step === 'done' ? 'Complete' : null;
      return { step, reload: 'one', result, schema: schemaOf(of), work: String(work), at: '2026-01-01T00:00:00Z' };
    });
    model.schemas.set(schemaOf(color), { ...copy, ...(rows && { serving: rows }) });
  }
  model.status = statusOf(model, state);
  const service = SERVICES[state[3]!];
  if (service !== 'absent') {
    const color = service === 'by selector' ? 'green' : service!;
    const object = liveService(model.resource(), color, { [ANNOTATION.reload]: 'one' });
    if (service === 'by selector') object.metadata.annotations = {};
    model.apply(object);
    model.selected = color;
  } else if (OWNERS[state[4]!] === 'own') {
    // The Service that somebody deleted is created again as the status says.
    model.selected = COLORS[state[5]!];
  }
  return model;
}

const described = (state: State): string =>
  JSON.stringify([
    ...[COPIES, COPIES, RECORDS, SERVICES, OWNERS, COLORS, PHASES, ASKED].map((list, index) => list[state[index]!]),
  ]);

/** Settles states of two copies, the record, the Service, the status and the spec; one in `every` of all of them. */
export function copyStates({ every, from = 0 }: { every: number; from?: number }): void {
  it(`never lose the copy with the most proven work, and the Service never selects a lesser one: ${Math.floor(COUNT / every)} states`, () => {
    let served = 0;
    for (let number = from; number < COUNT; number += every) {
      const state = stateOf(number);
      const model = modelOf(state);
      const before = new Map([...model.schemas].map(([schema, data]) => [schema, workIn(data)]));
      const most = Math.max(...before.values(), 0);
      try {
        model.settle();
      } catch (cause) {
        throw new Error(`state ${number}: ${described(state)}`, { cause });
      }
      const words = `state ${number}: ${described(state)}`;
      expect(model.faults, words).to.deep.equal([]);
      // Whatever was dropped had no more work than what is left.
      expect(Math.max(...[...model.schemas.values()].map(workIn), 0), words).to.be.at.least(most);
      expect(model.status.readyReplicas, words).to.equal(2);
      served++;
    }
    expect(served).to.be.above(100);
  }).timeout(1_200_000);
}
