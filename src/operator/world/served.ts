import { ANNOTATION } from '../names.js';
import { liveColor, otherColor, schemaOf, serviceColor } from '../readings/colors.js';
import { isPaused } from '../resource.js';
import { copyHealth } from './copies.js';
import { RELOAD } from './series.js';
import type { Series } from './series.js';
import { colorIn, copyOf, readSurvey, surveySeries } from './survey.js';
import type { Survey, SurveyedCopy } from './survey.js';
import { FINAL_PHASES } from '../schema/reload-phases.js';
import type { Color, MiddlewareStatus, PastReload, ReloadPhase, ReloadStatus } from '../schema/status.js';
import type { Basis, Middleware, Served } from '../types.js';
import { inSeconds } from '../times.js';

/**
 * Two copies that follow one chain, and were stopped one after the other, differ by at most this number of key blocks. A larger
 * difference is no matter of the moment.
 */
const FOLLOWING = 10;

/** A question that a Job answers from the database: which copy serves? */
export interface Question {
  /** Nothing is changed until the Job has answered. The Job stays until the status has the answer. */
  isOpen: boolean;
  /** The Job, and what it found. */
  survey: Series;
}

/** Which copy serves, and the resource with a status that says so. */
interface Serving {
  served: Served;
  /** Present while the live Service and the status do not say it together. */
  question?: Question;
  resource: Middleware;
}

/** Finds out which copy serves. Where the live Service and the status do not say it together, a Job reads it from the database. */
export function servingOf(basis: Basis): Serving {
  const { resource } = basis;
  const seen = servedBy(basis);
  const key = questionOf(basis, seen);
  if (key === undefined) return { served: seen, resource };
  const series = surveySeries(basis, key);
  const survey = series.state === 'succeeded' ? readSurvey(series.outcome) : undefined;
  if (survey === undefined || isPaused(resource)) {
    // What the status says is shown meanwhile.
    const served = { ...seen, live: resource.status.activeColor ?? seen.live };
    return { served, question: { isOpen: true, survey: series }, resource };
  }
  const served = servedIn(basis, survey);
  const isFirst = !isOurs(basis) || !isKnown(resource);
  const status = isFirst ? firstStatus(basis, survey, served.live) : resource.status;
  return {
    served,
    question: { isOpen: false, survey: series },
    resource: { ...resource, status: { ...status, activeColor: served.live } },
  };
}

/** Which copy serves, as the live Service says or, if somebody deleted that or its annotations, as the status says. */
function servedBy(basis: Basis): Served {
  const { resource, children } = basis;
  const live = liveColor(basis);
  const { annotations = {} } = children.service(resource.metadata.name)?.metadata ?? {};
  const { [ANNOTATION.reload]: reload, [ANNOTATION.rolledBack]: rolledBack } = annotations;
  const last = resource.status.reload;
  if (reload === undefined && rolledBack === undefined && last?.promotedAt !== undefined && last.color === live) {
    return { live, reload: last.id, promotedAt: last.promotedAt };
  }
  return {
    live,
    reload,
    previous: annotations[ANNOTATION.previous],
    promotedAt: annotations[ANNOTATION.promotedAt],
    rolledBack,
  };
}

/** What there is to find out, as a key; undefined if nothing. */
function questionOf(basis: Basis, { live }: Served): string[] | undefined {
  const { resource } = basis;
  const { uid } = resource.metadata;
  const { status } = resource;
  const service = serviceColor(basis);
  if (!isOurs(basis) || !isKnown(resource)) return [uid, 'first'];
  const { activeColor = 'blue' } = status;
  if (service !== undefined && service !== activeColor && !isSwitch(basis, service)) {
    return [uid, 'disagree', service, activeColor];
  }
  const populated = status.conditions?.find(({ type }) => type === 'Populated');
  if (populated?.status === 'True' && copyHealth(basis, live)?.loading === true) {
    return [uid, 'emptied', activeColor, populated.lastTransitionTime];
  }
  return undefined;
}

/** Whether the status describes this resource, and not an earlier one of the same name. Earlier versions did not write the uid. */
const isOurs = (basis: Basis): boolean => {
  const { status, metadata } = basis.resource;
  return status.uid === metadata.uid || (status.uid === undefined && serviceColor(basis) !== undefined);
};

/** Whether the status tells which copy serves. Until it has the identity of the database, nothing was migrated. */
const isKnown = ({ status }: Middleware): boolean =>
  status.activeColor !== undefined && status.databaseId !== undefined;

/** Phases in which a reload switches the Service, and the phases that are written with the switch. */
const SWITCHING = new Set<ReloadPhase | undefined>([
  ...(['Starting', 'AwaitingPromotion', 'Promoting', 'Retaining', 'RollingBack'] as const),
]);

/** Whether the reload of the status explains that the Service selects another copy than the status says: an operator ended in between. */
function isSwitch({ resource: { metadata, status }, children }: Basis, service: Color): boolean {
  const { id, phase, color } = status.reload ?? {};
  const annotations = children.service(metadata.name)?.metadata.annotations ?? {};
  const [promoted, rolledBack] = [annotations[ANNOTATION.reload], annotations[ANNOTATION.rolledBack]];
  if (id === undefined || annotations[ANNOTATION.live] !== service) return false;
  if (rolledBack === id) return SWITCHING.has(phase) && color !== service;
  return promoted === id && SWITCHING.has(phase) && color === service;
}

/** The copy that serves, from what the status, the Service and the database say. */
function servedIn(basis: Basis, survey: Survey): Served {
  const { resource } = basis;
  const live = servingColor(basis, survey);
  const service = serviceColor(basis);
  if (service === live) return servedBy(basis);
  // Somebody edited the color in the annotations. The others still describe the copy that serves.
  const isRestored = service !== undefined && isOurs(basis) && resource.status.activeColor === live;
  return isRestored ? { ...servedBy(basis), live } : { live };
}

function servingColor(basis: Basis, survey: Survey): Color {
  const { resource } = basis;
  const { activeColor } = resource.status;
  // The record is newer than the status of a resource that was created again.
  const named =
    (isOurs(basis) ? activeColor : undefined) ??
    serviceColor(basis) ??
    recordedColor(resource, survey) ??
    activeColor ??
    'blue';
  const row = survey.serving.findLast(({ step }) => step !== 'intended');
  // An older backup was restored under the record.
  const isOlder =
    row !== undefined &&
    colorIn(resource, row) === named &&
    BigInt(copyOf(resource, survey, named)?.work ?? 0) < BigInt(row.work);
  const other = otherColor(named);
  const margin = isOlder ? 0 : FOLLOWING;
  return isBetter(copyOf(resource, survey, other), copyOf(resource, survey, named), margin) ? other : named;
}

/** The copy that the record names. A copy that is only intended to serve does not serve yet; the other one does. */
function recordedColor(resource: Middleware, { serving }: Survey): Color | undefined {
  const last = serving.at(-1);
  const color = last && colorIn(resource, last);
  return color !== undefined && last?.step === 'intended' ? otherColor(color) : color;
}

/** Whether the other copy has to serve in place of the one that is named. */
function isBetter(other: SurveyedCopy | undefined, named: SurveyedCopy | undefined, margin: number): boolean {
  if (other === undefined || named === undefined) return other !== undefined;
  if (other.live !== named.live) return other.live;
  return BigInt(other.work) > BigInt(named.work) && other.provenHeight - named.provenHeight > margin;
}

/** The status of a resource that is seen for the first time, as far as the database tells it. */
function firstStatus(basis: Basis, survey: Survey, live: Color): MiddlewareStatus {
  const { spec, status, metadata } = basis.resource;
  const { id } = spec.reload;
  if (status.uid === metadata.uid && status.reload !== undefined) return status;
  const ended = survey.serving
    .filter(({ step }) => step === 'done')
    .map(({ reload, result, at }): PastReload => ({ id: reload, result: resultOf(result), finishedAt: at }))
    .reverse();
  const past = [...new Map(ended.map((one) => [one.id, one])).values()].filter((one) => one.id !== id);
  return {
    ...status,
    reloads: past.length === 0 ? undefined : past.slice(0, spec.retention.reloads),
    reload: id === undefined ? undefined : firstReload(basis, survey, live, id),
  };
}

const RESULTS: readonly PastReload['result'][] = ['Complete', 'Aborted', 'RolledBack', 'Failed'];
const resultOf = (text: string | null): PastReload['result'] => RESULTS.find((one) => one === text) ?? 'Complete';

/**
 * The reload that the resource names counts as done when the resource is first seen. It continues only if the resource itself is not new,
 * but its status was lost.
 */
function firstReload(basis: Basis, survey: Survey, live: Color, id: string): ReloadStatus | undefined {
  const { resource, now } = basis;
  const { heights } = resource.spec.reload;
  const rows = survey.serving.filter(({ reload }) => reload === id);
  const done = rows.findLast(({ step }) => step === 'done');
  if (done === undefined && isUnderWay(basis, id)) return undefined;
  const { status } = resource;
  const wasUnderWay = rows.length > 0 || (status.reload?.id === id && !FINAL_PHASES.has(status.reload.phase));
  const serves = rows.some((row) => colorIn(resource, row) === live);
  const phase = done !== undefined ? resultOf(done.result) : wasUnderWay && !serves ? 'Aborted' : 'Complete';
  const message =
    done !== undefined || !wasUnderWay
      ? 'It was in the resource when the operator first saw it, so it counts as done'
      : 'The resource was created again while it was under way, so it counts as done';
  const finishedAt = done?.at ?? inSeconds(now);
  return { id, phase, heights, schema: schemaOf(resource, live), finishedAt, message };
}

/** Whether objects of this resource belong to the reload. */
function isUnderWay({ children, resource }: Basis, id: string): boolean {
  const { annotations } = children.service(resource.metadata.name)?.metadata ?? {};
  return (
    annotations?.[ANNOTATION.reload] === id ||
    annotations?.[ANNOTATION.rolledBack] === id ||
    children.jobs().some(({ metadata }) => metadata.labels?.[RELOAD] === id) ||
    children
      .all()
      .some(({ kind, metadata }) => kind === 'Deployment' && metadata.annotations?.[ANNOTATION.reload] === id)
  );
}
