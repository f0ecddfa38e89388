import { schemaOf, wantedServers } from '../observe/copies.js';
import { serverName } from '../names.js';
import type { Color } from '../schema/status.js';
import type { CopyPlan, World } from '../types.js';
import type { Served } from './live-service.js';

/** The copy that serves, as it is without any reload. */
export const liveCopy = ({ resource }: World, { live, reload }: Served): CopyPlan => ({
  color: live,
  schema: schemaOf(resource, live),
  populates: true,
  servers: 'spec',
  reload,
});

/** As many servers as the copy that serves has now, also when an autoscaler set their number. */
export function currentServers(world: World, color: Color): CopyPlan['servers'] {
  const { resource, children } = world;
  if (resource.spec.server.autoscaling === undefined) return 'spec';
  return wantedServers(resource, children.deployment(serverName(resource.metadata.name, color)));
}
