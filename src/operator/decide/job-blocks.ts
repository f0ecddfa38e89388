import { isLasting, unusualAfter } from '../observe/copies.js';
import { jobOutcome } from '../observe/jobs.js';
import type { Plan, World } from '../types.js';

/** Why the pods of the Jobs of a plan do not start: those of a reload, a comparison or the acceptance of a reorg. */
const blocksOf = (world: World, { jobs }: Plan) =>
  jobs.flatMap(({ metadata }) => jobOutcome(world, world.children.job(metadata.name)).blocked ?? []);

/** The first one where somebody has to act. */
export const blockedJob = (world: World, plan: Plan) => blocksOf(world, plan).find((block) => isLasting(block, world));

/** Time until one of them has lasted longer than usual, ms. */
export const jobUnusualAfterMs = (world: World, plan: Plan): number | undefined =>
  unusualAfter(blocksOf(world, plan), world);
