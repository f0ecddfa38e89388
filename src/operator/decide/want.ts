import { cluster } from '../desired/cluster.js';
import { configMap } from '../desired/config.js';
import { httpRoute } from '../desired/http-route.js';
import { ingress } from '../desired/ingress.js';
import { monitors } from '../desired/monitors.js';
import { networkPolicy } from '../desired/network-policy.js';
import { liveService, metricsService, serviceAccount } from '../desired/services.js';
import { trialDatabase } from '../desired/trial-database.js';
import type { KubeObject, World } from '../types.js';
import { workloads } from './copies.js';
import type { Findings } from './findings.js';
import { withFrozenTemplate, isWorkload, withTemplate } from './template.js';

/** All children that must exist now, in the order in which they are written. */
export function wantedChildren(world: World, { plan, copies, blocker }: Findings): KubeObject[] {
  const { resource } = world;
  const isOpen = world.question?.isOpen === true;
  return [
    serviceAccount(resource),
    configMap(resource),
    ...cluster(world),
    ...trialDatabase(world).map((object) =>
      isWorkload(object) ? withTemplate(withFrozenTemplate(world, object)) : object,
    ),
    ...networkPolicy(world),
    metricsService(resource),
    ...(blocker === undefined && !isOpen ? copies.map(({ migration }) => migration) : []),
    ...(blocker === undefined ? plan.jobs : []),
    ...copies.flatMap((copy) => workloads(world, copy)),
    // The routes come after the Service to which they lead.
    ...(isOpen ? [] : [liveService(resource, plan.live, plan.service), ...ingress(resource), ...httpRoute(world)]),
    ...monitors(world),
  ];
}
