import { Flags } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';
import { commandLogger, openCopy } from '../cli/copy.js';
import { writeTerminationMessage } from '../cli/termination-message.js';
import type { Config } from '../config.js';
import { createLifecycle } from '../runtime/lifecycle.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import { createStartup } from '../observe/startup.js';
import type { Database } from '../store/connection/database.js';

export default class Migrate extends BaseCommand {
  static override summary = 'Bring the database schema up to date, and end';
  static override description =
    'Several processes may migrate at once: they wait for each other. Every -p, -s and -H does the same on start.';
  static override examples = ['DATABASE_URL=postgres://mdw:secret@localhost/mdw mdw migrate'];
  static override flags = {
    'database-id': Flags.string({
      summary: 'Change nothing in another database than this one, or one of these',
      description:
        'The identity as TERMINATION_LOG has it after a migration; not looked at where the role may not read it.',
      helpValue: '<id>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    json: Flags.boolean({ summary: 'Answer with a JSON object' }),
    node: Flags.boolean({ summary: 'Also check that the node is on the chain that the database holds' }),
    'no-wait': Flags.boolean({
      summary: 'End with status 75 when database or node is away, instead of waiting for it',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Migrate);
    const config = this.settings('migrate', ...(flags.node ? ['doctor' as const] : []));
    const [{ migrate }, { databaseIdentity }, { serveProgress }, waiting] = await Promise.all([
      import('../store/schema/migrate.js'),
      import('../store/schema/identity.js'),
      import('../observe/progress-server.js'),
      import('../cli/waiting.js'),
    ]);
    const logger = commandLogger(config);
    const { databaseUrl } = config;
    const database = await openCopy(config, logger);
    const { signal } = createLifecycle({ logger });
    const startup = createStartup();
    const progress = config.progressAddress && (await serveProgress(config.progressAddress, startup));
    const options = { wait: !flags['no-wait'], databaseUrl, startup, signal, logger, onWaiting: waiting.sayWaiting };
    try {
      const identity = await waiting.untilReached(() => databaseIdentity(database), options);
      refuseOther(identity, flags['database-id']);
      const applied = await waiting.untilReached(() => migrate(database), options);
      if (flags.node) await waiting.untilReached(() => checkNode(config, database, logger, signal), options);
      writeTerminationMessage(this.environment(), { ok: true, applied, database: identity });
      if (flags.json) this.log(JSON.stringify({ applied }));
      else this.log(applied.length === 0 ? 'Nothing to apply' : applied.map((name) => `Applied ${name}`).join('\n'));
    } finally {
      progress?.close();
      // An attempt to reach it may take long, and the end does not wait for that.
      if (!signal.aborted) await database.close();
    }
  }
}

function refuseOther(identity: string | undefined, wanted: readonly string[] | undefined): void {
  if (wanted === undefined || identity === undefined || wanted.includes(identity)) return;
  const message = `The database is ${identity}, not ${wanted.join(' or ')}: nothing was changed in it`;
  throw new MiddlewareError('other_database', message, { details: { database: identity } });
}

/** A database that holds a chain already may wait for its node; an empty one is of no use without. */
async function checkNode(config: Config, database: Database, logger: Logger, signal: AbortSignal): Promise<void> {
  const [{ openNode }, { createMetrics }, { readIdentity }] = await Promise.all([
    import('../cli/start.js'),
    import('../observe/metrics.js'),
    import('../store/chain-state.js'),
  ]);
  const mayWait = (await readIdentity(database)) !== null;
  const node = await openNode({
    config,
    database,
    logger,
    metrics: createMetrics(),
    signal,
    mayWait,
    patienceMs: 1_000,
  });
  node.close();
}
