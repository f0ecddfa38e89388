import { needsAction, unusualAfter } from '../observe/copies.js';
import { jobOutcome } from '../observe/jobs.js';
import type { Plan, World } from '../types.js';

/** Why the pods of the Jobs of a plan do not start: those of a reload, a comparison or the acceptance of a reorg. */
const jobFaultsOf = (world: World, { jobs }: Plan) =>
  jobs.flatMap(({ metadata }) => jobOutcome(world, world.children.job(metadata.name)).blocked ?? []);

/** The first one where somebody has to act. */
export const jobStartFault = (world: World, plan: Plan) =>
  jobFaultsOf(world, plan).find((block) => needsAction(block, world));

/** Time until one of them has lasted longer than usual, ms. */
export const jobFaultDueMs = (world: World, plan: Plan): number | undefined =>
  unusualAfter(jobFaultsOf(world, plan), world);
