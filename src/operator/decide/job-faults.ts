import { needsAction, unusualAfter } from '../readings/duration.js';
import { jobOutcome } from '../readings/jobs.js';
import type { Plan, World } from '../types.js';

/** Why pods of the Jobs of a plan do not start: Jobs of a reload, a comparison or the acceptance of a reorg. */
const jobFaultsOf = (world: World, { jobs }: Plan) =>
  jobs.flatMap(({ metadata }) => jobOutcome(world, world.children.job(metadata.name)).blocked ?? []);

/** The first fault for which somebody has to act. */
export const jobStartFault = (world: World, plan: Plan) =>
  jobFaultsOf(world, plan).find((block) => needsAction(block, world));

/** Time until the first of these faults has lasted longer than usual, ms; undefined if none will. */
export const jobFaultDueMs = (world: World, plan: Plan): number | undefined =>
  unusualAfter(jobFaultsOf(world, plan), world);
