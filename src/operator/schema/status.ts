import { z } from 'zod';
import { described } from './parts.js';

const time = (description: string) => described(z.string().optional(), description, { format: 'date-time' });
const count = (description: string) => described(z.int().optional(), description);
const text = (description: string) => described(z.string().optional(), description);

const COLORS = ['blue', 'green'] as const;
export type Color = (typeof COLORS)[number];

export const PHASES = [
  'Pending',
  'Migrating',
  'Starting',
  'Loading',
  'Serving',
  'Reloading',
  'Degraded',
  'Stalled',
  'ScaledToZero',
  'Paused',
  'Hibernated',
] as const;
export type Phase = (typeof PHASES)[number];

export const CONDITIONS = [
  'Ready',
  'Reconciling',
  'Stalled',
  'Migrated',
  'Populated',
  'Verified',
  'Reloading',
  'Degraded',
  'ReorgHeld',
  'Outdated',
] as const;
export type ConditionType = (typeof CONDITIONS)[number];

const condition = z.object({
  type: described(z.string(), 'Name of the condition.'),
  status: described(z.enum(['True', 'False', 'Unknown']), 'Whether the condition is true.'),
  reason: described(z.string(), 'Why, in one word for programs.'),
  message: described(z.string(), 'Why, and what to do, for people.'),
  lastTransitionTime: described(z.string(), 'When the status changed last.', { format: 'date-time' }),
  observedGeneration: described(z.int().optional(), 'Generation of the resource that the condition describes.'),
});

const UPGRADE_PHASES = ['Waiting', 'Rolling', 'Failed'] as const;
export type UpgradePhase = (typeof UPGRADE_PHASES)[number];

const upgradeStatus = z.object({
  image: text(
    'Image of the pods, if the resource names none; a new image of the operator is used when the upgrade begins.',
  ),
  version: text('Version of the operator that made the pods.'),
  asked: text('Hash of what the resource asked for at that time.'),
  phase: described(
    z.enum(UPGRADE_PHASES).optional(),
    'Whether the upgrade waits, is under way or has failed; absent when there is nothing to upgrade.',
  ),
  startedAt: time('When it began.'),
});

const migrationStatus = z.object({
  job: text('Name of the newest Job.'),
  hash: text('Hash of the inputs of the Job.'),
  image: text('Image whose schema the database has.'),
  state: described(z.enum(['Pending', 'Running', 'Succeeded', 'Failed']).optional(), 'State of the Job.'),
  message: text('Result of the Job, or what it waits for.'),
});

/** Phases of a reload; those of the last line are final. */
const RELOAD_PHASES = [
  ...(['Waiting', 'Preparing', 'Migrating', 'Loading', 'CatchingUp', 'Verifying', 'Starting'] as const),
  ...(['AwaitingPromotion', 'Promoting', 'Retaining', 'Retiring', 'Aborting', 'RollingBack', 'Failing'] as const),
  ...(['Complete', 'Aborted', 'RolledBack', 'Failed'] as const),
] as const;
export type ReloadPhase = (typeof RELOAD_PHASES)[number];

/** Progress of one reload. Decisions read from it mainly that the reload began or ended; the rest they read from objects. */
const reloadStatus = z.object({
  id: text('Name of the reload, from spec.reload.id.'),
  phase: described(z.enum(RELOAD_PHASES).optional(), 'Phase of the reload.'),
  heights: text('What is loaded again.'),
  color: described(z.enum(COLORS).optional(), 'Color of the copy that is loaded.'),
  schema: text('Database schema of that copy.'),
  inPlace: described(z.boolean().optional(), 'Whether heights are loaded in place, in the copy that serves.'),
  startedAt: time('When it began.'),
  finishedAt: time('When it ended.'),
  promotedAt: time('When the new copy began to serve.'),
  retainUntil: time('Until when the old copy is kept.'),
  loaded: count('Heights loaded.'),
  verified: count('Heights compared with the chain.'),
  total: count('Heights to load.'),
  height: count('Top height of the new copy.'),
  lag: count('Key blocks that the new copy is behind the node.'),
  differing: text('Heights that differed from the chain, or from the copy that serves.'),
  message: text('What it waits for, or why it failed.'),
});

const pastReload = z
  .object({
    id: described(z.string(), 'Name of the reload.'),
    result: described(z.enum(['Complete', 'Aborted', 'RolledBack', 'Failed']), 'How it ended.'),
    finishedAt: time('When it ended.'),
    message: text('Why it ended like that.'),
  })
  .meta({ description: 'A past reload.' });

export const statusSchema = z
  .object({
    observedGeneration: count('Generation of the resource that was acted on last.'),
    uid: text('The resource that the status describes: one that was created again has another uid.'),
    operator: text('The operator that is in charge of the resource: its lease, as NAMESPACE/NAME.'),
    phase: described(z.enum(PHASES).optional(), 'Where the resource is, in one word; the conditions say more.'),
    conditions: described(
      z.array(condition.meta({ description: 'A condition.' })).optional(),
      'Conditions of the resource, as its clients see it.',
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] },
    ),
    image: text('Image that the servers run.'),
    activeColor: described(z.enum(COLORS).optional(), 'Color of the copy that serves.'),
    activeSchema: text('Database schema of the copy that serves.'),
    databaseId: text('Identity of the database that servers answer from.'),
    claim: described(
      z.array(described(z.string(), 'Hash of the id of a copy.')).optional(),
      'Hashes of the ids of the copies in that database. They show that the resource has opened it. Empty before the first migration.',
    ),
    height: count('Height of the top key block in the database.'),
    headTime: time('When the top key block in the database was mined.'),
    nodeHeight: count('Height of the top key block of the node.'),
    lag: count('Key blocks that the database is behind the node; absent while nobody knows the height of the node.'),
    nodeSeenAt: time('While the lag is not known: when it was known last.'),
    replicas: count('Servers there are.'),
    readyReplicas: count('Servers that take requests.'),
    updatedReplicas: count('Servers with the newest pod template.'),
    servers: text('Ready servers of those wanted, for example 2/2.'),
    selector: text('Labels of the servers, for autoscalers.'),
    migration: described(migrationStatus.optional(), 'The newest migration.'),
    upgrade: described(upgradeStatus.optional(), 'What made the pods, and the state of their upgrade.'),
    reload: described(reloadStatus.optional(), 'The newest reload.'),
    reloads: described(z.array(pastReload).optional(), 'Past reloads, newest first.'),
    verification: described(
      z
        .object({
          startedAt: time(
            'When the newest comparison began; it distinguishes its Jobs from those of other comparisons.',
          ),
          finishedAt: time('When the Job that gave the result ended.'),
          heights: text('Heights that are compared.'),
          job: text('Name of the Job that runs, or that gave the result.'),
          jobUid: text('Uid of that Job.'),
          result: described(
            z.enum(['Matches', 'Differs', 'Mended', 'Unfinished']).optional(),
            'The result in one word; Mended if heights that differed were loaded again and now match.',
          ),
          differing: text('Heights that differed from the chain.'),
          message: text('Result of the comparison.'),
        })
        .optional(),
      'The newest comparison with the chain.',
    ),
    heldReorg: described(
      z
        .object({
          hash: described(z.string(), 'Newest key block of its branch.'),
          height: described(z.int(), 'Height of that key block.'),
          depth: described(z.int(), 'Stored key blocks that it would replace.'),
          since: described(z.string(), 'When it was reported first.', { format: 'date-time' }),
        })
        .optional(),
      'The reorg that is held back in the copy that serves, while one is.',
    ),
    acceptedReorg: described(
      z
        .object({
          hash: described(z.string(), 'The key block that it named.'),
          color: described(z.enum(COLORS), 'Color of the copy in which its branch was accepted.'),
          at: described(z.string(), 'When.', { format: 'date-time' }),
        })
        .optional(),
      'What spec.acceptReorg has accepted; it is not applied again while it stays in the resource.',
    ),
  })
  .meta({ description: 'The observed state.' });

export type MiddlewareStatus = z.output<typeof statusSchema>;
export type Condition = z.output<typeof condition>;
export type ReloadStatus = z.output<typeof reloadStatus>;
export type PastReload = z.output<typeof pastReload>;
