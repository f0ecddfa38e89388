import { otherColor, schemaOf, wantedServers } from '../readings/colors.js';
import { serverName } from '../names.js';
import type { Color } from '../schema/status.js';
import type { CopyPlan, Served } from '../types.js';
import type { CurrentReload } from '../world/current-reload.js';
import { reloadBeside } from '../world/world.js';
import type { World } from '../world/world.js';
import type { State } from './state.js';

/** The copy that serves, as it must be without any reload. */
export const liveCopy = ({ resource }: World, { live, reload }: Served): CopyPlan => ({
  color: live,
  schema: schemaOf(resource, live),
  populates: true,
  servers: 'spec',
  reload,
});

/** The copies that must exist in a state. */
export function copiesOf(world: World, current: CurrentReload, { served, other }: State): CopyPlan[] {
  const color = otherColor(served.live);
  const schema = schemaOf(world.resource, color);
  const copy = (populates: boolean, servers: CopyPlan['servers']): CopyPlan[] => [
    { color, schema, populates, servers, reload: reloadBeside(served, current) },
  ];
  const live = liveCopy(world, served);
  switch (other) {
    case 'none':
    case 'untouched':
      return [live];
    case 'schema':
      return [live, ...copy(false, 0)];
    case 'populator':
      return [live, ...copy(true, 0)];
    case 'servers':
      return [live, ...copy(true, currentServers(world, served.live))];
    case 'kept':
      return [live, ...copy(true, currentServers(world, color))];
  }
}

/** The number of servers that the copy of this color has now, which an autoscaler may have set. */
function currentServers({ resource, children }: World, color: Color): CopyPlan['servers'] {
  if (resource.spec.server.autoscaling === undefined) return 'spec';
  return wantedServers(resource, children.deployment(serverName(resource.metadata.name, color)));
}
