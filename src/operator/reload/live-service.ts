import { liveColor } from '../readings/colors.js';
import { ANNOTATION } from '../names.js';
import type { Served, World } from '../types.js';

/** Which copy serves: as the database says, as the live Service says or, if somebody deleted that or its annotations, as the status says. */
export function servedBy(world: World): Served {
  const { resource, children } = world;
  if (world.served !== undefined) return world.served;
  const live = liveColor(world);
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

/** The annotations that record the state on the live Service. */
export function annotationsOf({ reload, previous, promotedAt, rolledBack }: Served): Record<string, string> {
  const fields = {
    [ANNOTATION.reload]: reload,
    [ANNOTATION.previous]: previous,
    [ANNOTATION.promotedAt]: promotedAt,
    [ANNOTATION.rolledBack]: rolledBack,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
}
