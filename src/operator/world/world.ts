import { otherColor, schemaOf } from '../readings/colors.js';
import { isPaused } from '../resource.js';
import type { Color } from '../schema/status.js';
import type { Basis, Observed, Served } from '../types.js';
import { observeCopy } from './copies.js';
import type { CopyState } from './copies.js';
import { currentReload } from './current-reload.js';
import type { CurrentReload } from './current-reload.js';
import { basisOf } from './image.js';
import { servingOf } from './served.js';
import type { Question } from './served.js';

/** All that a decision depends on. It is read once for each pass, and nothing is read from the caches beside it. */
export interface World extends Basis {
  /** Only the status is written. */
  paused: boolean;
  /** Which copy serves. */
  served: Served;
  /** Present while the operator does not know which copy serves. */
  question?: Question;
  /** The reload to work on; undefined if there is none, or nothing is decided now. */
  reload: CurrentReload | undefined;
  /** The copy that serves. */
  live: CopyState;
  /** The other copy; undefined without a reload. */
  beside: CopyState | undefined;
}

/** The same observation gives the same world. */
export function readWorld(observed: Observed): World {
  const before = basisOf(observed);
  const serving = servingOf(before);
  const basis = { ...before, ...serving };
  const { served, question, resource } = serving;
  const paused = isPaused(resource);
  const reload = paused || question?.isOpen === true ? undefined : currentReload(resource, served.reload);
  const live = { color: served.live, schema: schemaOf(resource, served.live), reload: served.reload };
  const color = otherColor(served.live);
  const beside = reload && { color, schema: schemaOf(resource, color), reload: reloadBeside(served, reload) };
  return {
    ...basis,
    paused,
    reload,
    live: observeCopy(basis, live),
    beside: beside && observeCopy(basis, beside),
  };
}

/** The reload that made the copy which does not serve: before it serves, after a rollback, or the one before. */
export const reloadBeside = (served: Served, { id }: CurrentReload): string | undefined =>
  served.reload === id && served.rolledBack !== id ? served.previous : id;

/** The state of one of the two copies. */
export function copyIn({ live, beside }: World, color: Color): CopyState {
  if (live.color === color) return live;
  if (beside === undefined) throw new Error(`the ${color} copy was not read: no reload is under way`);
  return beside;
}
