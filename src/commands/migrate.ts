import { Flags } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';
import { createLogger } from '../observe/logger.js';

export default class Migrate extends BaseCommand {
  static override summary = 'Bring the database schema up to date, and end';
  static override description =
    'Several processes may migrate at once: they wait for each other. Every -p, -s and -H does the same on start.';
  static override examples = ['DATABASE_URL=postgres://mdw:secret@localhost/mdw mdw migrate'];
  static override flags = { json: Flags.boolean({ summary: 'Answer with a JSON object' }) };

  async run(): Promise<void> {
    const { flags } = await this.parse(Migrate);
    const config = this.settings('migrate');
    const [{ createDatabase }, { migrate }] = await Promise.all([
      import('../store/database.js'),
      import('../store/migrate.js'),
    ]);
    const database = createDatabase({
      url: config.databaseUrl,
      schema: config.databaseSchema,
      poolSize: config.databasePoolSize,
      statementTimeoutMs: 0,
      logger: createLogger({ level: config.logLevel, dir: config.logDir, stream: 'stderr' }),
    });
    try {
      const applied = await migrate(database);
      if (flags.json) this.log(JSON.stringify({ applied }));
      else this.log(applied.length === 0 ? 'Nothing to apply' : applied.map((name) => `Applied ${name}`).join('\n'));
    } finally {
      await database.close();
    }
  }
}
