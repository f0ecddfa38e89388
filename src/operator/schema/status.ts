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
  'Paused',
] as const;
export type Phase = (typeof PHASES)[number];

export const CONDITIONS = [
  'Ready',
  'Reconciling',
  'Stalled',
  'Migrated',
  'Populated',
  'Reloading',
  'Degraded',
  'ReorgHeld',
  'Outdated',
] as const;
export type ConditionType = (typeof CONDITIONS)[number];

const condition = z.object({
  type: described(z.string(), 'Name of the condition.'),
  status: described(z.enum(['True', 'False', 'Unknown']), 'Whether it holds.'),
  reason: described(z.string(), 'Why, in one word for programs.'),
  message: described(z.string(), 'Why, and what to do, for people.'),
  lastTransitionTime: described(z.string(), 'When the status changed last.', { format: 'date-time' }),
  observedGeneration: described(z.int().optional(), 'Generation of the resource that this was said of.'),
});

const UPGRADE_PHASES = ['Waiting', 'Rolling', 'Failed'] as const;
export type UpgradePhase = (typeof UPGRADE_PHASES)[number];

const upgradeStatus = z.object({
  image: text('Image of the pods, where the resource names none; another one of the operator waits for its turn.'),
  version: text('Version of the operator that said what the pods are like.'),
  asked: text('Hash of what the resource asked for then.'),
  phase: described(
    z.enum(UPGRADE_PHASES).optional(),
    'Whether the upgrade waits, is under way or has failed; absent when there is nothing to upgrade.',
  ),
  startedAt: time('When it began.'),
});

const migrationStatus = z.object({
  job: text('Name of the newest Job.'),
  hash: text('What the Job was made from.'),
  image: text('Image whose schema the database has.'),
  state: described(z.enum(['Pending', 'Running', 'Succeeded', 'Failed']).optional(), 'How far it is.'),
  message: text('What the Job said at its end.'),
});

/** Phases of a reload; those of the last line are final. */
const RELOAD_PHASES = [
  ...(['Waiting', 'Preparing', 'Migrating', 'Loading', 'CatchingUp', 'Verifying', 'Starting'] as const),
  ...(['AwaitingPromotion', 'Retaining', 'Retiring', 'Aborting', 'RollingBack', 'Failing'] as const),
  ...(['Complete', 'Aborted', 'RolledBack', 'Failed'] as const),
] as const;
export type ReloadPhase = (typeof RELOAD_PHASES)[number];

/** Progress of one reload, for people; decisions read only that it began or ended, the rest from the objects. */
const reloadStatus = z.object({
  id: text('Name of the reload, from spec.reload.id.'),
  phase: described(z.enum(RELOAD_PHASES).optional(), 'Where it is.'),
  heights: text('What is loaded again.'),
  color: described(z.enum(COLORS).optional(), 'Color of the copy that is loaded.'),
  schema: text('Database schema of that copy.'),
  inPlace: described(z.boolean().optional(), 'The copy that serves is loaded itself.'),
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
    message: text('Why it ended so.'),
  })
  .meta({ description: 'A past reload.' });

export const statusSchema = z
  .object({
    observedGeneration: count('Generation of the resource that was acted on last.'),
    phase: described(z.enum(PHASES).optional(), 'Where the resource is, in one word; the conditions say more.'),
    conditions: described(
      z.array(condition.meta({ description: 'A condition.' })).optional(),
      'What holds of the resource; true to what its clients see.',
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] },
    ),
    image: text('Image that the servers run.'),
    activeColor: described(z.enum(COLORS).optional(), 'Color of the copy that serves.'),
    activeSchema: text('Database schema of the copy that serves.'),
    databaseId: text('Identity of the database that servers answer from.'),
    height: count('Height of the top key block in the database.'),
    headTime: time('When the top key block in the database was mined.'),
    nodeHeight: count('Height of the top key block of the node.'),
    lag: count('Key blocks that the database is behind the node.'),
    replicas: count('Servers there are.'),
    readyReplicas: count('Servers that take requests.'),
    updatedReplicas: count('Servers that are as the resource wants them.'),
    servers: text('Ready servers of those wanted, for example 2/2.'),
    selector: text('Labels of the servers, for autoscalers.'),
    migration: described(migrationStatus.optional(), 'The newest migration.'),
    upgrade: described(upgradeStatus.optional(), 'What the pods are made by, and how far their upgrade is.'),
    reload: described(reloadStatus.optional(), 'The newest reload.'),
    reloads: described(z.array(pastReload).optional(), 'Past reloads, newest first.'),
    verification: described(
      z
        .object({
          startedAt: time('When the newest comparison began.'),
          finishedAt: time('When it ended.'),
          differing: text('Heights that differed from the chain.'),
          message: text('What it said at its end.'),
        })
        .optional(),
      'The newest comparison with the chain.',
    ),
    heldReorg: described(
      z
        .object({
          hash: described(z.string(), 'Newest key block of its branch.'),
          height: described(z.int(), 'Height of that key block.'),
          depth: described(z.int(), 'Stored key blocks that it would take back.'),
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
      'What spec.acceptReorg has accepted; it is not carried out once more before it is removed from the resource.',
    ),
  })
  .meta({ description: 'What is.' });

export type MiddlewareStatus = z.output<typeof statusSchema>;
export type Condition = z.output<typeof condition>;
export type ReloadStatus = z.output<typeof reloadStatus>;
export type PastReload = z.output<typeof pastReload>;
