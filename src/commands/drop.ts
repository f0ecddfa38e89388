import { Args } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';
import { leaveWords } from '../cli/last-words.js';
import { MiddlewareError } from '../observe/errors.js';
import { createLogger } from '../observe/logger.js';

export default class Drop extends BaseCommand {
  static override summary = 'Drop a copy of the chain that is no longer used: its schema with all tables, and end';
  static override description =
    'The schema is that of DATABASE_SCHEMA, and has to be named once more. Refused while a populator works on it, and for a schema that holds something else.';
  static override examples = ['DATABASE_SCHEMA=mdw_old mdw drop mdw_old'];
  static override args = {
    schema: Args.string({ required: true, description: 'Name of the schema, the same as DATABASE_SCHEMA' }),
  };

  async run(): Promise<void> {
    const { args } = await this.parse(Drop);
    const config = this.settings('migrate');
    if (args.schema !== config.databaseSchema) {
      const message = `DATABASE_SCHEMA is ${config.databaseSchema}, not ${args.schema}: nothing is dropped`;
      throw new MiddlewareError('bad_request', 'usage', message);
    }
    const [{ createDatabase }, { dropCopy }] = await Promise.all([
      import('../store/database.js'),
      import('../store/drop.js'),
    ]);
    const database = createDatabase({
      url: config.databaseUrl,
      schema: config.databaseSchema,
      poolSize: 2,
      statementTimeoutMs: 0,
      logger: createLogger({ level: config.logLevel, dir: config.logDir, stream: 'stderr' }),
    });
    try {
      const dropped = await dropCopy(database);
      const message = dropped ? `Dropped schema ${args.schema}` : `There is no schema ${args.schema}`;
      this.log(message);
      leaveWords(process.env, { ok: true, message });
    } finally {
      await database.close();
    }
  }
}
