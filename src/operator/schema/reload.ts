import { z } from 'zod';
import { described, duration, isOfForm, rules, matching } from './parts.js';

const RANGES = '[0-9]{1,15}(-[0-9]{1,15})?(,[0-9]{1,15}(-[0-9]{1,15})?)*';

/** One of the words, or heights in the format of `-H`. */
function heights(field: string, ...words: string[]) {
  const form = new RegExp(`^(${[...words, RANGES].join('|')})$`);
  const message = `must be ${words.join(', ')} or heights and ranges separated by commas, such as 1,3-4,6,100-200`;
  const runs = "self.split(',').all(part, !part.contains('-') || int(part.split('-')[0]) <= int(part.split('-')[1]))";
  return matching(form, message, {
    rule: `self in [${words.map((word) => `'${word}'`).join(', ')}] || !${isOfForm(form)} || ${runs}`,
    message: `${field} runs backwards: a range is a-b with a not above b`,
  }).max(1024);
}

const reloadId = () =>
  matching(
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
    'must be a name such as 2024-05-fix: small letters, digits and -, with a letter or digit at both ends',
  ).max(40);

export const reload = z
  .object({
    id: described(
      reloadId().optional(),
      'Name of a reload. A name that was not there before starts one, with the other fields as they are then.',
    ),
    heights: described(
      heights('reload.heights', 'all').default('all'),
      'What is loaded again: all into a new copy beside the one that serves, or single heights and ranges in place, ' +
        'for example 1,3-4,6,100-200.',
    ),
    promotion: described(
      z.enum(['Automatic', 'Manual']).default('Automatic'),
      'Whether the new copy serves as soon as it is verified, or when action says Promote.',
    ),
    action: described(
      z.enum(['Promote', 'Abort', 'Rollback']).optional(),
      'What is to become of the reload that actionFor names: Promote lets the verified copy serve, Abort drops it, ' +
        'Rollback lets the old copy serve again while it is kept.',
    ),
    actionFor: described(
      reloadId().optional(),
      'The id of the reload that action is for. The action does nothing to any other reload, so it may stay here.',
    ),
    verify: described(
      heights('reload.verify', 'all', 'none').default('all'),
      'Heights of the new copy that are compared with the chain before it serves: all, none, or ranges.',
    ),
    maxLag: described(
      z.int().min(0).max(1_000_000).default(2),
      'Key blocks that the new copy may be behind the node when it begins to serve.',
    ),
    retain: described(
      duration().default('1h'),
      'How long the old copy is kept after promotion, for a rollback at once.',
    ),
    repair: described(
      z.boolean().default(false),
      'Load heights again in place when the verification finds them different from the chain.',
    ),
  })
  .meta(
    rules({
      rule: '!has(self.action) || has(self.actionFor)',
      message: 'reload.action needs reload.actionFor: the id of the reload that it is for',
      reason: 'FieldValueRequired',
      fieldPath: '.actionFor',
    }),
  );

export const verification = z.object({
  interval: described(
    duration().optional(),
    'Time from one comparison of the whole database with the chain to the next, for example 24h; none unless given.',
  ),
  heights: described(heights('verification.heights', 'all').default('all'), 'Heights that are compared.'),
});

export const retention = z.object({
  jobs: described(duration().default('24h'), 'How long Jobs that are done are kept, besides the newest migration.'),
  reloads: described(z.int().min(0).max(50).default(10), 'How many past reloads the status lists.'),
  database: described(
    z.enum(['Keep', 'Delete']).default('Keep'),
    'What becomes of a Cluster, or of the volume of database.trial, that was made for the resource when the resource is deleted.',
  ),
});
