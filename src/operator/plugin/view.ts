import { bar, formatSeconds, percent } from '../../observe/bar.js';
import { FINAL_PHASES, waitingReload } from '../schema/reload-phases.js';
import type { ConditionType, ReloadPhase, ReloadStatus } from '../schema/status.js';
import type { Middleware } from '../types.js';

/** Phases in which a reload has ended, serves, or waits for a person. */
const IDLE_PHASES = new Set<ReloadPhase | undefined>([...FINAL_PHASES, 'AwaitingPromotion', 'Retaining', 'Retiring']);

const isOver = ({ phase }: ReloadStatus): boolean => FINAL_PHASES.has(phase);
export const isIdle = ({ phase }: ReloadStatus): boolean => IDLE_PHASES.has(phase);
export const hasFailed = ({ phase }: ReloadStatus): boolean =>
  phase === 'Failed' || phase === 'Aborted' || phase === 'RolledBack';

/** `[######----] 60 % 600/1000` */
const barLine = (done: number, total: number): string => `${bar(done, total)} ${percent(done, total)} ${done}/${total}`;

/** Rate and time left of a reload: `, 12.3 heights/s, 3m20s left`. Empty at the first call, when the rate is unknown. */
type RateText = (phase: ReloadPhase, done: number, total: number) => string;

export function createRateText(now: () => number = () => performance.now()): RateText {
  let start: { phase: ReloadPhase; at: number; done: number } | undefined;
  return (phase, done, total) => {
    const at = now();
    if (start?.phase !== phase || done < start.done) start = { phase, at, done };
    const perSecond = at > start.at ? (done - start.done) / ((at - start.at) / 1000) : 0;
    if (perSecond === 0) return '';
    return `, ${perSecond.toFixed(1)} heights/s, ${formatSeconds((total - done) / perSecond)} left`;
  };
}

/** State of a reload, one line for each fact. */
export function reloadLines(reload: ReloadStatus, rateText: RateText = () => ''): string[] {
  const { id, phase, heights, inPlace, color, schema, loaded, verified, total, height, lag, differing, message } =
    reload;
  const where = inPlace === true ? 'in place' : `into the ${color} copy, schema ${schema}`;
  return [
    `Reload ${id}: ${phase}, heights ${heights} ${where}`,
    ...(loaded !== undefined && total !== undefined && phase === 'Loading'
      ? [`  loaded    ${barLine(loaded, total)}${rateText(phase, loaded, total)}`]
      : []),
    ...(verified !== undefined && total !== undefined && phase === 'Verifying'
      ? [`  verified  ${barLine(verified, total)}${rateText(phase, verified, total)}`]
      : []),
    ...(height === undefined ? [] : [`  height    ${height}${lag === undefined ? '' : `, ${lag} behind the node`}`]),
    ...(differing === undefined ? [] : [`  differing ${differing}`]),
    ...(reload.retainUntil === undefined || phase !== 'Retaining' ? [] : [`  rollback  until ${reload.retainUntil}`]),
    ...(message === undefined ? [] : [`  ${message}`]),
  ];
}

/** A line about a reload that was requested while another one is in progress; empty if there is none. */
export function waitingLines(resource: Middleware): string[] {
  const { reload } = resource.status;
  const waiting = waitingReload(resource, reload);
  return waiting === undefined ? [] : [`Reload ${waiting}: waits for the end of reload ${reload?.id}`];
}

/** Conditions that are shown while they are True. All others are shown while they are not True. */
const PROGRESS_AND_FAULTS = new Set<string>([
  'Stalled',
  'Degraded',
  'Reloading',
  'Reconciling',
  'ReorgHeld',
  'Outdated',
] satisfies ConditionType[]);

/** State of a resource, one line for each fact. */
export function statusLines(resource: Middleware, rateText?: RateText): string[] {
  const { metadata, status, spec } = resource;
  const { conditions = [], reload, reloads = [], verification, migration } = status;
  const bad = (type: string, is: string): boolean => (PROGRESS_AND_FAULTS.has(type) ? is === 'True' : is !== 'True');
  return [
    `${metadata.namespace}/${metadata.name}: ${status.phase ?? 'Pending'}${spec.paused ? ' (paused)' : ''}`,
    `  copy      ${status.activeColor ?? '?'}, schema ${status.activeSchema ?? '?'}, image ${status.image ?? '?'}`,
    `  servers   ${status.servers ?? '0/0'}`,
    `  height    ${status.height ?? '?'} of ${status.nodeHeight ?? '?'}${lagText(status)}`,
    ...(migration?.state === 'Failed' ? [`  migration Failed: ${migration.message}`] : []),
    ...conditions
      .filter(({ type, status: is }) => bad(type, is))
      .map(({ type, status: is, reason, message }) => `  ${type}=${is} ${reason}: ${message}`),
    ...(reload?.id === undefined ? [] : reloadLines(reload, rateText)),
    ...waitingLines(resource),
    ...reloads.map(
      (past) => `Reload ${past.id}: ${past.result}${past.message === undefined ? '' : `, ${past.message}`}`,
    ),
    ...(verification === undefined
      ? []
      : [
          `Verification: ${verification.finishedAt === undefined ? 'running' : `ended ${verification.finishedAt}`}${verification.message === undefined ? '' : `, ${verification.message}`}`,
        ]),
  ];
}

function lagText({ lag, nodeSeenAt }: Middleware['status']): string {
  if (lag !== undefined) return `, ${lag} behind`;
  return nodeSeenAt === undefined ? '' : `, not seen since ${nodeSeenAt}`;
}

const COLUMNS = ['NAMESPACE', 'NAME', 'PHASE', 'READY', 'HEIGHT', 'LAG', 'COLOR', 'SERVERS', 'RELOAD'];

/** All resources, one line each, in columns. */
export function table(resources: readonly Middleware[]): string[] {
  const rows = resources.map((resource) => {
    const { metadata, status } = resource;
    return [
      metadata.namespace,
      metadata.name,
      status.phase ?? 'Pending',
      status.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'Unknown',
      String(status.height ?? '-'),
      String(status.lag ?? '-'),
      status.activeColor ?? '-',
      status.servers ?? '-',
      summary(resource),
    ];
  });
  const all = [COLUMNS, ...rows];
  const widths = COLUMNS.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}

function summary(resource: Middleware): string {
  const { reload } = resource.status;
  if (reload?.id === undefined || isOver(reload)) return '-';
  const { id, phase, loaded, verified, total } = reload;
  const done = phase === 'Loading' ? loaded : phase === 'Verifying' ? verified : undefined;
  const share =
    done === undefined || total === undefined || total === 0 ? '' : ` ${Math.floor((done / total) * 100)} %`;
  const waiting = waitingReload(resource, reload);
  return `${id} ${phase}${share}${waiting === undefined ? '' : `, ${waiting} waits`}`;
}
