import { liveColor } from '../observe/copies.js';
import { ANNOTATION } from '../names.js';
import type { Color } from '../schema/status.js';
import type { World } from '../types.js';

/** State in the annotations of the live Service. One write of them lets a copy serve: the commit point of a reload. */
export interface Served {
  live: Color;
  /** The reload that made the copy which serves; absent for the first copy. */
  reload?: string | undefined;
  /** The reload that made the copy which served before. */
  previous?: string | undefined;
  /** When the copy began to serve, as an ISO time. */
  promotedAt?: string | undefined;
  /** The reload that was rolled back. */
  rolledBack?: string | undefined;
}

/** Reads the state from the live Service or, if somebody deleted the Service, from the status. */
export function servedBy(world: World): Served {
  const { resource, children } = world;
  const live = liveColor(world);
  const service = children.service(resource.metadata.name);
  if (service === undefined) {
    const { reload } = resource.status;
    if (reload?.promotedAt === undefined || reload.color !== live) return { live };
    return { live, reload: reload.id, promotedAt: reload.promotedAt };
  }
  const { annotations = {} } = service.metadata;
  return {
    live,
    reload: annotations[ANNOTATION.reload],
    previous: annotations[ANNOTATION.previous],
    promotedAt: annotations[ANNOTATION.promotedAt],
    rolledBack: annotations[ANNOTATION.rolledBack],
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
