import { schemaOf, wantedServers } from '../readings/colors.js';
import { serverName } from '../names.js';
import type { Color } from '../schema/status.js';
import type { CopyPlan, Served, World } from '../types.js';

/** The copy that serves, as it must be without any reload. */
export const liveCopy = ({ resource }: World, { live, reload }: Served): CopyPlan => ({
  color: live,
  schema: schemaOf(resource, live),
  populates: true,
  servers: 'spec',
  reload,
});

/** The number of servers that the copy of this color has now, which an autoscaler may have set. */
export function currentServers(world: World, color: Color): CopyPlan['servers'] {
  const { resource, children } = world;
  if (resource.spec.server.autoscaling === undefined) return 'spec';
  return wantedServers(resource, children.deployment(serverName(resource.metadata.name, color)));
}
