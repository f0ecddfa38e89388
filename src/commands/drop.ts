import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';
import { openCopy } from '../cli/copy.js';
import { writeTerminationMessage } from '../cli/termination-message.js';
import { MiddlewareError } from '../observe/errors.js';
import { schemaFlag } from '../cli/schema-flag.js';
import type { Dropped } from '../store/schema/drop.js';

const MESSAGES: Record<Dropped, string> = {
  dropped: 'Dropped schema %',
  emptied: 'Dropped everything in schema %; the schema itself stays, because this user could not create it again',
  empty: 'There is nothing in schema %',
  absent: 'There is no schema %',
};

export default class Drop extends BaseCommand {
  static override summary = 'Drop a copy of the chain that is no longer used: its schema with all tables, and end';
  static override description =
    'The schema is that of DATABASE_SCHEMA, and must also be given as the argument. The command is refused while a populator writes to the schema, and if the schema contains anything else: that is listed, and nothing is dropped.';
  static override examples = ['DATABASE_SCHEMA=mdw_old mdw drop mdw_old'];
  static override args = {
    schema: Args.string({ required: true, description: 'Name of the schema, the same as DATABASE_SCHEMA' }),
  };
  static override flags = {
    serving: schemaFlag({
      summary: 'Refuse if the schema has more proven work than the copy in this schema, which serves',
    }),
    'any-work': Flags.boolean({ summary: 'Do not compare the work', dependsOn: ['serving'] }),
    reload: Flags.string({
      summary: 'Record in the copy that serves that this reload has ended',
      helpValue: '<id>',
      dependsOn: ['serving', 'result'],
    }),
    result: Flags.string({ summary: 'How it ended', helpValue: '<word>', dependsOn: ['reload'] }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Drop);
    const { serving, reload, result } = flags;
    const config = this.settings('migrate');
    if (args.schema !== config.databaseSchema) {
      const message = `DATABASE_SCHEMA is ${config.databaseSchema}, not ${args.schema}: nothing is dropped`;
      throw new MiddlewareError('usage', message);
    }
    if (serving === args.schema) throw new MiddlewareError('usage', `--serving ${serving} is the schema to be dropped`);
    const entry = reload && result ? ({ step: 'done', reload, result } as const) : undefined;
    const operator = serving === undefined ? undefined : { serving, anyWork: flags['any-work'], entry };
    const { dropCopy } = await import('../store/schema/drop.js');
    const database = await openCopy(config);
    try {
      const message = MESSAGES[await dropCopy(database, operator)].replace('%', args.schema);
      this.log(message);
      writeTerminationMessage(process.env, { ok: true, message });
    } finally {
      await database.close();
    }
  }
}
