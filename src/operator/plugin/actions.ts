import { MiddlewareError } from '../../observe/errors.js';
import { ANNOTATION } from '../names.js';
import type { ReloadPhase } from '../schema/status.js';
import type { Middleware } from '../types.js';

/** What a command does to a resource. Without a patch there is nothing to do. */
export interface Action {
  patch?: object;
  message: string;
}

interface ReloadRequest {
  id: string;
  heights: string;
  promotion?: 'Automatic' | 'Manual' | undefined;
  verify?: string | undefined;
  retain?: string | undefined;
  maxLag?: number | undefined;
}

const ENDED = new Set<ReloadPhase | undefined>([undefined, 'Complete', 'Aborted', 'RolledBack', 'Failed']);
const PROMOTED = new Set<ReloadPhase | undefined>(['Retaining', 'Retiring']);

const refuse = (message: string): MiddlewareError => new MiddlewareError('wrong_phase', message);

/** Requests a reload. Throws if the id was used before, or another reload is in progress. */
export function requestReload(resource: Middleware, request: ReloadRequest): Action {
  const { id, phase } = resource.status.reload ?? {};
  const { name } = resource.metadata;
  if (id === request.id || resource.status.reloads?.some((past) => past.id === request.id)) {
    throw refuse(`${name} already had a reload ${request.id}: give another --id`);
  }
  if (!ENDED.has(phase) && !PROMOTED.has(phase)) {
    throw refuse(`Reload ${id} of ${name} is ${phase}: wait until it ends, or run mdw abort ${name}`);
  }
  const { promotion, verify, retain, maxLag, heights } = request;
  const given = { promotion, verify, retain, maxLag };
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const patch = { spec: { reload: { id: request.id, heights, ...fields, action: null, actionFor: null } } };
  const what = heights === 'all' ? 'the whole chain into a second copy' : `heights ${heights} in place`;
  return { patch, message: `Reload ${request.id} of ${name} was requested: ${what}` };
}

/** Lets the loaded copy serve, now or as soon as it is ready. */
export function promote(resource: Middleware): Action {
  const { id, phase, inPlace } = current(resource, 'promote');
  if (PROMOTED.has(phase) || phase === 'Complete') return { message: `Reload ${id} already serves` };
  if (inPlace === true) throw refuse(`Reload ${id} is in place: there is nothing to promote`);
  mustRun(id, phase, 'promote');
  const message =
    phase === 'AwaitingPromotion'
      ? `Reload ${id} is promoted`
      : `Reload ${id} is ${phase}: it will serve as soon as it is ready`;
  return { patch: act('Promote', id), message };
}

/** Drops the loaded copy. The copy that serves stays unchanged. */
export function abort(resource: Middleware): Action {
  const { id, phase } = current(resource, 'abort');
  if (phase === 'Aborting' || phase === 'Aborted') return { message: `Reload ${id} is already ${phase}` };
  if (PROMOTED.has(phase))
    throw refuse(`Reload ${id} already serves: go back with mdw rollback ${resource.metadata.name}`);
  mustRun(id, phase, 'abort');
  return { patch: act('Abort', id), message: `Reload ${id} is aborted` };
}

/** Rolls back: the old copy serves again. Throws if it no longer exists. */
export function rollBack(resource: Middleware): Action {
  const { name } = resource.metadata;
  const { id, phase } = current(resource, 'roll back');
  if (phase === 'RollingBack' || phase === 'RolledBack') return { message: `Reload ${id} is already ${phase}` };
  if (phase === 'Complete' || phase === 'Retiring')
    throw refuse(`The old copy of reload ${id} was deleted: load another copy with mdw reload ${name}`);
  if (!PROMOTED.has(phase)) throw refuse(`Reload ${id} is ${phase} and does not serve: drop it with mdw abort ${name}`);
  return { patch: act('Rollback', id), message: `The copy before reload ${id} serves again` };
}

export function pause(resource: Middleware): Action {
  const { name } = resource.metadata;
  if (resource.spec.paused) return { message: `${name} is already paused` };
  return {
    patch: { spec: { paused: true } },
    message: `${name} is paused: the operator changes nothing until mdw resume ${name}`,
  };
}

export function resume(resource: Middleware): Action {
  const { name, annotations } = resource.metadata;
  const annotated = annotations?.[ANNOTATION.paused] !== undefined;
  if (!resource.spec.paused && !annotated) return { message: `${name} is not paused` };
  const patch = {
    spec: { paused: false },
    ...(annotated && { metadata: { annotations: { [ANNOTATION.paused]: null } } }),
  };
  return { patch, message: `${name} is resumed` };
}

const act = (action: 'Promote' | 'Abort' | 'Rollback', id: string) => ({
  spec: { reload: { action, actionFor: id } },
});

/** The reload that the resource names, with its phase if the operator has begun it. Throws if the resource names none. */
function current({ metadata: { name }, spec, status }: Middleware, what: string) {
  const { id } = spec.reload;
  if (id === undefined) throw refuse(`${name} has no reload to ${what}: request one with mdw reload ${name}`);
  const { phase, inPlace } = status.reload?.id === id ? status.reload : { phase: undefined, inPlace: undefined };
  return { id, phase, inPlace };
}

function mustRun(id: string, phase: ReloadPhase | undefined, what: string): void {
  if (phase !== undefined && ENDED.has(phase)) throw refuse(`Reload ${id} is ${phase}: there is nothing to ${what}`);
}
