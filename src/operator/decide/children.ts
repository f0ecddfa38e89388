import { availability } from '../desired/availability.js';
import { cluster } from '../desired/cluster.js';
import { configMap } from '../desired/config.js';
import { httpRoute } from '../desired/http-route.js';
import { ingress } from '../desired/ingress.js';
import { middlewareJob } from '../desired/job.js';
import { migrationJob, retryAt } from '../desired/migration.js';
import { monitors } from '../desired/monitors.js';
import { networkPolicy } from '../desired/network-policy.js';
import { annotationsOf, liveService, metricsService, serviceAccount } from '../desired/services.js';
import { isWorkload, withFrozenTemplate, withTemplate } from '../desired/template.js';
import { trialDatabase } from '../desired/trial-database.js';
import { populatorDeployment, serverDeployment } from '../desired/workloads.js';
import { earliest } from '../times.js';
import type { KubeObject } from '../types.js';
import type { World } from '../world/world.js';
import { removalShownMs } from './conditions.js';
import { headAgeRest } from './faults.js';
import type { CopyProgress, Findings, Step } from './findings.js';
import { retentionOf } from './retention.js';

/** What is written besides the status; nothing while the resource is paused, or asks for what is not allowed. */
export const children: Step = (world, found) => {
  if (world.paused || found.blocker?.refused === true) return {};
  return {
    want: wantedChildren(world, found),
    keeps: retentionOf(world, found),
    events: [...found.events, ...found.upgrade.events, ...found.plan.events],
    requeueAfterMs: found.upgrade.begins ? 0 : requeueMs(world, found),
  };
};

/** All children that must exist now, in the order in which they are written. */
function wantedChildren(world: World, { plan, copies, blocker }: Findings): KubeObject[] {
  const { resource } = world;
  const { served } = plan;
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
    ...(blocker === undefined ? jobs(world, isOpen ? [] : copies, plan.jobs) : []),
    ...copies.flatMap((copy) => workloads(world, copy)),
    // The routes come after the Service to which they lead.
    ...(isOpen
      ? []
      : [liveService(resource, served.live, annotationsOf(served)), ...ingress(resource), ...httpRoute(world)]),
    ...monitors(world),
  ];
}

/** The Jobs: of migrations, and of the plan. */
const jobs = (world: World, copies: readonly CopyProgress[], planned: Findings['plan']['jobs']): KubeObject[] => [
  ...copies.map(({ plan, state }) => migrationJob(world, plan, state.migrationJob)),
  ...planned.map(({ name, make }) => (make ? middlewareJob(world, make) : world.children.job(name)!)),
];

/** The Deployments of a copy that may have their newest template now, each with its disruption budget and autoscaler. */
function workloads(world: World, { plan, mayPopulate, mayServe }: CopyProgress): KubeObject[] {
  const { resource } = world;
  const isPopulated = mayPopulate && plan.populates && resource.spec.populator.enabled;
  const isServed = mayServe && plan.servers !== 0;
  const servers = isServed ? withTemplate(withFrozenTemplate(world, serverDeployment(world, plan))) : undefined;
  return [
    ...(isPopulated ? [withTemplate(withFrozenTemplate(world, populatorDeployment(world, plan)))] : []),
    ...(servers ? [servers, ...availability(resource, plan, servers)] : []),
  ];
}

/** Time after which the resource is reconciled again although nothing changes, ms; undefined if nothing is due. */
function requeueMs(world: World, { plan, live, copies, jobFaultDueMs }: Findings): number | undefined {
  return earliest(
    plan.requeueAfterMs,
    removalShownMs(world),
    headAgeRestMs(world, live),
    ...copies.map(({ state }) => state.unusualAfterMs),
    jobFaultDueMs,
    ...copies.map((copy) => retryPause(world, copy)),
    ...copies.map(({ known }) => (known ? undefined : 0)),
  );
}

/** Time until the head is too old, ms. No change of an object reports that: the head gets old because nothing changes. */
function headAgeRestMs(world: World, live: CopyProgress): number | undefined {
  const rest = headAgeRest(world, live.state.health);
  return rest === undefined || rest <= 0 ? undefined : rest;
}

function retryPause({ children, now }: World, { state }: CopyProgress): number | undefined {
  const job = children.job(state.migrationJob.name);
  if (state.migration.state !== 'failed' || job === undefined) return undefined;
  const at = retryAt(job, state.migration);
  return Number.isFinite(at) ? Math.max(at - now, 0) + 100 : undefined;
}
