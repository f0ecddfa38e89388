import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';
import { openCopy } from '../cli/copy.js';
import { schemaFlag } from '../cli/schema-flag.js';
import { writeTerminationMessage } from '../cli/termination-message.js';

/** Steps of a reload that this command records; `mdw drop` records the last one. */
const STEPS = ['intended', 'switched'] as const;

export default class Record extends BaseCommand {
  static override summary = 'Record in the database that a copy is to serve or serves clients, and end';
  static override description =
    'The copy is that of DATABASE_SCHEMA. The operator runs this command when a reload lets another copy serve, so that the database shows which copy serves when nothing else does. The command itself changes no Service.';
  static override examples = ['DATABASE_SCHEMA=mdw_green mdw record switched --other mdw --reload after-the-fix'];
  static override args = {
    step: Args.string({ required: true, options: [...STEPS], description: 'Whether it is to serve, or serves' }),
  };
  static override flags = {
    other: schemaFlag({ summary: 'Schema of the other copy, in which this is recorded, too', required: true }),
    reload: Flags.string({ summary: 'Name of the reload', helpValue: '<id>', required: true }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Record);
    const config = this.settings('migrate');
    const { recordServing } = await import('../store/schema/serving.js');
    const database = await openCopy(config);
    try {
      const step = args.step as (typeof STEPS)[number];
      const entry = { step, reload: flags.reload, result: null };
      const message = (await recordServing(database, flags.other, entry))
        ? `Recorded: schema ${config.databaseSchema} ${step}, reload ${flags.reload}`
        : `Nothing was recorded: the copy in schema ${config.databaseSchema} is of an older version, which has no record`;
      this.log(message);
      writeTerminationMessage(process.env, { ok: true, message });
    } finally {
      await database.close();
    }
  }
}
