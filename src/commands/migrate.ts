import { Flags } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';
import { onReachableCopy } from '../cli/reachable-copy.js';
import { writeTerminationMessage } from '../cli/termination-message.js';
import type { Config } from '../config.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Database } from '../store/connection/database.js';

export default class Migrate extends BaseCommand {
  static override summary = 'Update the database schema, and end';
  static override description =
    'Several processes may migrate at the same time: they wait for each other. -p, -s and -H also migrate when they start.';
  static override examples = ['DATABASE_URL=postgres://mdw:secret@localhost/mdw mdw migrate'];
  static override flags = {
    'database-id': Flags.string({
      summary: 'Refuse to change a database with another identity than this one, or one of these',
      description:
        'The identity is that in the file of TERMINATION_LOG after a migration. It is not checked if the role is not allowed to read it.',
      helpValue: '<id>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    json: Flags.boolean({ summary: 'Print a JSON object' }),
    node: Flags.boolean({
      summary: 'First check that the node is on the chain that the database holds, and that NETWORK_ID names it',
    }),
    'no-wait': Flags.boolean({
      summary: 'End with status 75 if database or node cannot be reached, instead of waiting for it',
    }),
    partitioned: Flags.boolean({
      summary: 'Partition the large tables; only while the copy is empty',
      description: 'A copy that is partitioned stays so, with or without the flag.',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Migrate);
    const config = this.settings('migrate', ...(flags.node ? ['doctor' as const] : []));
    const [{ migrate }, { partition, refuseUnpartitionable }, { copyIds, databaseIdentity }] = await Promise.all([
      import('../store/schema/migrate.js'),
      import('../store/schema/partition.js'),
      import('../store/schema/identity.js'),
    ]);
    await onReachableCopy(config, { wait: !flags['no-wait'] }, async ({ database, logger, signal, reached }) => {
      const identity = await reached(() => databaseIdentity(database));
      refuseOther(identity, flags['database-id']);
      if (flags.partitioned) await reached(() => refuseUnpartitionable(database));
      if (flags.node) await reached(() => checkNode(config, database, logger, signal));
      const applied = await reached(() => migrate(database));
      const partitioned = flags.partitioned && (await reached(() => partition(database)));
      const copies = await reached(() => copyIds(database));
      writeTerminationMessage(this.environment(), { ok: true, applied, database: identity, copies });
      const done = [
        ...applied.map((name) => `Applied ${name}`),
        ...(partitioned ? ['Partitioned the large tables'] : []),
      ];
      if (flags.json) this.log(JSON.stringify({ applied, ...(flags.partitioned && { partitioned }) }));
      else this.log(done.length === 0 ? 'Nothing to apply' : done.join('\n'));
    });
  }
}

function refuseOther(identity: string | undefined, wanted: readonly string[] | undefined): void {
  if (wanted === undefined || identity === undefined || wanted.includes(identity)) return;
  const message = `The database is ${identity}, not ${wanted.join(' or ')}: nothing was changed in it`;
  throw new MiddlewareError('other_database', message, { details: { database: identity } });
}

/** Checks the chain of the node, before there are any tables, too. If the database holds a chain already, a node that does not answer is no error. */
async function checkNode(config: Config, database: Database, logger: Logger, signal: AbortSignal): Promise<void> {
  const [{ openNode }, { createMetrics }, { readIdentity }, { schemaState }] = await Promise.all([
    import('../cli/start.js'),
    import('../observe/metrics.js'),
    import('../store/chain-state.js'),
    import('../store/schema/migrate.js'),
  ]);
  const isMade = (await schemaState(database)).applied.length > 0;
  const identity = isMade ? await readIdentity(database) : null;
  const node = await openNode({
    config,
    database,
    logger,
    metrics: createMetrics(),
    signal,
    identity,
    mayWait: identity !== null,
    patienceMs: 1_000,
  });
  node.close();
}
