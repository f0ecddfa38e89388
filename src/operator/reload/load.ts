import { countHeights, parseHeights } from '../../config/heights.js';
import { migrationFault } from '../migration-fault.js';
import { ANNOTATION, populatorName, serverName } from '../names.js';
import { otherColor, schemaOf } from '../readings/colors.js';
import type { CopyState } from '../world/copies.js';
import type { CurrentReload } from '../world/current-reload.js';
import { endMessage } from '../world/series.js';
import { copyIn } from '../world/world.js';
import type { World } from '../world/world.js';
import { POLL_MS, cleanUp, isBusy } from './clean-up.js';
import { differingText, dropSeries, hasLoaded, keptText, loadSeries, progressText, verifySeries } from './jobs.js';
import type { Target } from './jobs.js';
import { isNear, lagText, start } from './serving.js';
import type { State, Verified } from './state.js';

/** The new copy, before it serves. */
interface Loading {
  world: World;
  current: CurrentReload;
  target: Target;
  state: CopyState;
  /** Whether it has a populator, or servers, of this reload. */
  follows: boolean;
  serves: boolean;
}

/** What the reload must do before the new copy can be verified: the first one that is not done is its state. */
const STAGES: readonly ((loading: Loading) => State | undefined)[] = [populatorOff, emptying, migrating, filling];

/** The state before the new copy serves. */
export function load(world: World, current: CurrentReload): State {
  const { resource, children, served } = world;
  const { name } = resource.metadata;
  const color = otherColor(served.live);
  const isOwn = (deployment: string): boolean =>
    children.deployment(deployment)?.metadata.annotations?.[ANNOTATION.reload] === current.id;
  const loading = {
    world,
    current,
    target: { id: current.id, color, schema: schemaOf(resource, color) },
    state: copyIn(world, color),
    follows: isOwn(populatorName(name, color)),
    serves: isOwn(serverName(name, color)),
  };
  for (const stage of STAGES) {
    const state = stage(loading);
    if (state !== undefined) return state;
  }
  const verified = verify(loading);
  return 'phase' in verified ? verified : start(world, current, verified, detailsOf(loading));
}

const detailsOf = ({ state: { health } }: Loading) => ({ height: health?.height, lag: health?.lag });

const failed = ({ world, current }: Loading, message: string, details: State['details'] = {}): State =>
  cleanUp(world, current, world.served, 'Failing', message, details);

function populatorOff(loading: Loading): State | undefined {
  const { populator, hibernated } = loading.world.resource.spec;
  if (populator.enabled) return undefined;
  const why = hibernated ? 'spec.hibernated is true' : 'spec.populator.enabled is false';
  return failed(loading, `${why}: no populator would follow the chain in the new copy`);
}

/** What is in the schema is dropped before its first migration. */
function emptying(loading: Loading): State | undefined {
  const { world, target, state, follows, serves } = loading;
  const { color, schema } = target;
  if (follows || serves || state.migration.state !== 'missing') return undefined;
  const base = { other: 'none', served: world.served, phase: 'Preparing' } as const;
  if (isBusy(world, color)) {
    return { ...base, message: `Waiting for pods of an earlier ${color} copy to end`, requeueAfterMs: POLL_MS };
  }
  const drop = dropSeries(world, target);
  if (drop.state === 'succeeded') return undefined;
  if (drop.state === 'failed')
    return failed(loading, `Schema ${schema} cannot be emptied: ${endMessage(drop.outcome)}`);
  const { job, requeueAfterMs } = drop;
  return {
    ...base,
    message: progressText(drop, `Emptying schema ${schema}`),
    job,
    kept: keptText(drop),
    requeueAfterMs,
  };
}

function migrating(loading: Loading): State | undefined {
  const { world, target, state, follows } = loading;
  const { migration } = state;
  if (follows || migration.state === 'succeeded') return undefined;
  if (migration.state === 'failed') {
    const { reason, message, lasting } = migrationFault(migration.report, migration.exitCode);
    if (lasting) return failed(loading, `Migration of schema ${target.schema}: ${reason}: ${message}`);
  }
  const message = `The tables of schema ${target.schema} are being created`;
  return { other: 'schema', served: world.served, phase: 'Migrating', message };
}

/** Loads all heights. Loaded heights stay when the Job is killed, so the next Job continues from there. */
function filling(loading: Loading): State | undefined {
  const { world, current, target, follows } = loading;
  if (follows) return undefined;
  const base = { other: 'schema', served: world.served } as const;
  const head = headOf(world);
  if (head === undefined) {
    const message = 'No pod of the copy that serves has reported the height of the chain yet';
    return { ...base, phase: 'Waiting', message };
  }
  const series = loadSeries(world, target, resume(current, head), ({ heights }) =>
    resume(current, lastIn(heights) ?? head),
  );
  if (hasLoaded(series)) return undefined;
  const loaded = loadedOf(current, series.heights, series.done);
  if (series.state === 'failed') return failed(loading, `Loading failed: ${endMessage(series.outcome)}`, { loaded });
  const message = progressText(series, 'Loading the chain');
  const details = { loaded, total: (lastIn(series.heights) ?? head) + 1 };
  return { ...base, phase: 'Loading', message, details, job: series.job, requeueAfterMs: series.requeueAfterMs };
}

/** Follows the chain, and compares the new copy with it. A verification begins when the copy is near the head. */
function verify(loading: Loading): Verified | State {
  const { world, state, serves } = loading;
  const { verify: asked, maxLag } = world.resource.spec.reload;
  const { health } = state;
  const details = detailsOf(loading);
  if (serves) {
    if (health?.loading !== true) return { by: 'servers' };
    return failed(loading, 'The data of the new copy was removed while the copy waited to serve', details);
  }
  const near = isNear(world, state);
  if (near && asked === 'none') return { by: 'not asked' };
  const mayBegin = hasBegun(loading) || (near && health?.height !== undefined);
  if (asked === 'none' || !mayBegin) {
    const message = lagText(state, maxLag);
    return { other: 'populator', served: world.served, phase: 'CatchingUp', message, details };
  }
  return compare(loading, asked === 'all' ? `0-${health?.height ?? 0}` : asked);
}

/** Whether a verification of this reload has begun. It goes on also if the copy falls behind. */
const hasBegun = ({ world: { resource, children }, current }: Loading): boolean =>
  children
    .jobs()
    .some(
      ({ metadata }) =>
        metadata.name.startsWith(`${resource.metadata.name}-verify-`) &&
        metadata.labels?.[ANNOTATION.reload] === current.id,
    );

function compare(loading: Loading, heights: string): Verified | State {
  const { world, target } = loading;
  const details = detailsOf(loading);
  const series = verifySeries(world, target, heights, schemaOf(world.resource, otherColor(target.color)));
  const { state, outcome, job, requeueAfterMs } = series;
  if (state === 'succeeded') return { by: 'clean' };
  if (state === 'failed') {
    const { report } = outcome;
    if (report.code !== 'differs')
      return failed(loading, `The comparison did not finish: ${endMessage(outcome)}`, details);
    const message = `The new copy has wrong data: ${endMessage(outcome)}`;
    return failed(loading, message, { ...details, differing: differingText(report) });
  }
  const total = series.total ?? countHeights(parseHeights(series.heights ?? '0'));
  return {
    ...{ other: 'populator', served: world.served, phase: 'Verifying', job, requeueAfterMs },
    message: progressText(series, 'Comparing the new copy with the chain and the copy that serves'),
    details: { ...details, verified: series.done ?? 0, total },
  };
}

/** Height of the chain's head, as the copy that serves knows it. */
function headOf({ live: { health }, resource: { status } }: World): number | undefined {
  return health?.nodeHeight ?? health?.height ?? status.nodeHeight ?? status.height;
}

/** Heights that are still to load. They begin one height below the last reported one, which may be incomplete. */
const resume = ({ last }: CurrentReload, head: number): string =>
  `${Math.min(Math.max((last?.loaded ?? 0) - 1, 0), head)}-${head}`;

const lastIn = (heights: string | undefined): number | undefined =>
  heights === undefined ? undefined : Number(heights.split(/[-,]/).at(-1));

/** Number of loaded heights, from 0 on. Loading heights again does not reduce it. */
const loadedOf = ({ last }: CurrentReload, heights: string | undefined, done: number | undefined): number =>
  Math.max(last?.loaded ?? 0, heights === undefined || done === undefined ? 0 : parseHeights(heights)[0]!.from + done);
