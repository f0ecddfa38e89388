import { errorRow } from '../../observe/errors.js';
import { compatibleRouteName } from '../names.js';
import { headLimits } from '../schema/head-limits.js';
import type { KubeObject, PodHealth } from '../types.js';
import type { World } from '../world/world.js';
import type { CopyProgress } from './findings.js';

/** A fault that exists while clients are served. The message has the evidence: object, number, since when. */
interface Fault {
  reason: string;
  message: string;
}

type Check = (world: World, live: CopyProgress) => Fault | undefined;

/** All checks, the most serious fault first. A rollout that makes progress is no fault. */
const CHECKS: readonly Check[] = [
  migrationFailed,
  databaseUnreachable,
  nodeNotUsable,
  behindNode,
  headTooOld,
  rolloutStuck,
  serversFailing,
  serversMissing,
  populatorDown,
  routeRefused,
];

/** All faults of the copy that serves, the most serious first. */
export const faultsOf = (world: World, live: CopyProgress): Fault[] =>
  CHECKS.flatMap((check) => check(world, live) ?? []);

function migrationFailed(_world: World, { state }: CopyProgress): Fault | undefined {
  const fault = state.migrationFault;
  if (fault === undefined || !state.servers.exists) return undefined;
  return { reason: fault.reason, message: `Running pods stay unchanged: ${fault.message}` };
}

function databaseUnreachable(_world: World, { state }: CopyProgress): Fault | undefined {
  const { health, cutOff, failing } = state;
  const reporting = health !== undefined && reportsDatabase(health) ? health : cutOff[0];
  if (reporting === undefined) return undefined;
  const todo = failing.database?.message ?? 'check the database';
  const text = reporting.reason ?? errorRow(reporting.code)?.when ?? 'the database cannot be read';
  return { reason: 'DatabaseUnreachable', message: `Pod ${reporting.pod} reports: ${text}; ${todo}` };
}

/** Whether a pod is not ready because of the database. A schema of another version is a conflict, which ends with the rollout that is in progress. */
function reportsDatabase({ ready, code }: PodHealth): boolean {
  const row = ready ? undefined : errorRow(code);
  return row?.origin === 'database' && row.fault !== 'conflict';
}

function nodeNotUsable(_world: World, { state: { health } }: CopyProgress): Fault | undefined {
  if (health?.nodeState === undefined || USUAL.has(health.nodeState)) return undefined;
  return { reason: reasonOf(health.nodeState), message: nodeText(health) };
}

function behindNode(world: World, { state: { health } }: CopyProgress): Fault | undefined {
  return health?.loading === false ? isBehind(world, health) : undefined;
}

/** The database is further behind than the resource allows. */
export function isBehind({ resource }: World, health: PodHealth & { pod: string }): Fault | undefined {
  const { lag, height, nodeHeight, pod } = health;
  const { maxLag } = headLimits(resource);
  if (lag === undefined || lag <= maxLag) return undefined;
  const message =
    `The database is ${lag} key blocks behind the node, at height ${height ?? 'unknown'} of ${nodeHeight ?? 'unknown'} ` +
    `as pod ${pod} reports; spec.head.maxLag allows ${maxLag}`;
  return { reason: 'Behind', message };
}

function headTooOld(world: World, { state: { health } }: CopyProgress): Fault | undefined {
  const rest = headAgeRest(world, health);
  if (health?.headTime === undefined || rest === undefined || rest > 0) return undefined;
  const since = new Date(health.headTime).toISOString();
  const message =
    `The newest key block, height ${health.height ?? 'unknown'}, was mined at ${since}, as pod ${health.pod} reports; ` +
    `spec.head.maxAge allows ${headLimits(world.resource).maxAge}: check the node`;
  return { reason: 'HeadTooOld', message };
}

/** Time until the head is older than the resource allows, ms; 0 or less when it is. Undefined if the age does not matter. */
export function headAgeRest({ resource, now }: World, health: PodHealth | undefined): number | undefined {
  if (health?.headTime === undefined || health.loading !== false) return undefined;
  return health.headTime + headLimits(resource).maxAgeMs - now;
}

function rolloutStuck({ resource }: World, { state, plan }: CopyProgress): Fault | undefined {
  if (!state.servers.stuck || state.health?.loading === true) return undefined;
  const deployment = `${resource.metadata.name}-server-${plan.color}`;
  return {
    reason: 'RolloutStuck',
    message: `New servers do not become ready: check the pods of Deployment ${deployment}`,
  };
}

function serversFailing(_world: World, { state: { servers, failing } }: CopyProgress): Fault | undefined {
  if (servers.ready === 0 || failing.servers === undefined) return undefined;
  return { reason: 'ServersFailing', message: failing.servers.message };
}

function serversMissing(_world: World, { state: { servers, short } }: CopyProgress): Fault | undefined {
  if (servers.ready === 0 || !short.servers) return undefined;
  const message = `Only ${servers.ready} of ${servers.wanted} servers take requests, since ${iso(servers.shortSince)}`;
  return { reason: 'ServersMissing', message };
}

function populatorDown(world: World, { plan, state }: CopyProgress): Fault | undefined {
  const { populator, servers, failing, short } = state;
  const populates = plan.populates && world.resource.spec.populator.enabled && populator.exists;
  if (!populates || populator.ready > 0 || servers.ready === 0) return undefined;
  const down = 'The populator is not ready: servers answer from what is stored';
  if (failing.populator !== undefined)
    return { reason: 'PopulatorDown', message: `${down}. ${failing.populator.message}` };
  if (!short.populator) return undefined;
  return { reason: 'PopulatorDown', message: `${down}. It has not been ready since ${iso(populator.shortSince)}` };
}

interface RouteStatus {
  parents?: { parentRef: { name: string }; conditions?: { type: string; status: string; message?: string }[] }[];
}

/** A Gateway reports in the status of the HTTPRoute that it refuses it. The status of an Ingress reports no refusals. */
function routeRefused({ resource, children }: World): Fault | undefined {
  const refusalsOf = (name: string): string[] => {
    const route = children.get('HTTPRoute', name) as (KubeObject & { status?: RouteStatus }) | undefined;
    return (route?.status?.parents ?? []).flatMap(({ parentRef, conditions = [] }) =>
      conditions
        .filter(({ type, status }) => (type === 'Accepted' || type === 'ResolvedRefs') && status === 'False')
        .map(
          ({ type, message }) =>
            `Gateway ${parentRef.name} reports that the HTTPRoute ${name} is not ${type}: ${message ?? ''}`,
        ),
    );
  };
  const { name } = resource.metadata;
  const refusals = [name, compatibleRouteName(name)].flatMap(refusalsOf);
  return refusals.length === 0 ? undefined : { reason: 'RouteRefused', message: refusals.join('; ') };
}

const iso = (time = 0): string => new Date(time).toISOString();

/** Normal states of the node. */
const USUAL = new Set(['ok', 'loading']);

/** The reason for a state of the node: `wrong_network` becomes `NodeWrongNetwork`. */
export const reasonOf = (state: string | undefined): string =>
  state === undefined
    ? 'NodeUnknown'
    : `Node${state
        .replace(/^node_/, '')
        .split(/[_ -]/)
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join('')}`;

export function nodeText({ nodeState, height }: PodHealth): string {
  if (nodeState === undefined) return 'No populator has reported the state of the node for a minute';
  const { when } = errorRow(nodeState) ?? {};
  const state = when === undefined ? nodeState : `${nodeState} (${when})`;
  return `The populator reports the state of the node: ${state}; the head of the database is at height ${height ?? 'unknown'}`;
}
