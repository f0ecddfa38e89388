import { Flags } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';
import { onReachableCopy } from '../cli/reachable-copy.js';
import { schemaFlag } from '../cli/schema-flag.js';
import { writeTerminationMessage } from '../cli/termination-message.js';
import type { surveyCopies } from '../store/schema/survey.js';

type Survey = Awaited<ReturnType<typeof surveyCopies>>;

/** The newest rows that fit into a termination message. */
const MAX_ROWS = 12;

export default class Copies extends BaseCommand {
  static override summary =
    'List the copies of the chain that an operator uses, and which one served last; changes nothing';
  static override description =
    'The copies are in the schemas DATABASE_SCHEMA and --other. The operator runs this command before it migrates the database of a resource that it does not know.';
  static override examples = ['mdw copies --other mdw_green'];
  static override flags = {
    other: schemaFlag({ summary: 'Schema of the other copy', required: true }),
    json: Flags.boolean({ summary: 'Print a JSON object' }),
    'no-wait': Flags.boolean({
      summary: 'End with status 75 if the database cannot be reached, instead of waiting for it',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Copies);
    const config = this.settings('migrate');
    const { surveyCopies } = await import('../store/schema/survey.js');
    await onReachableCopy(config, { wait: !flags['no-wait'] }, async ({ database, reached }) => {
      const found = await reached(() => surveyCopies(database, [config.databaseSchema, flags.other]));
      const report = reportOf(found);
      writeTerminationMessage(this.environment(), { ok: true, ...report });
      this.log(flags.json ? JSON.stringify(report) : textOf(found));
    });
  }
}

/** Work is text, because it may be larger than a number of JSON can be. */
const reportOf = ({ copies, serving }: Survey) => ({
  copies: copies.map((copy) => ({ ...copy, work: String(copy.work) })),
  serving: serving.slice(-MAX_ROWS).map(({ number: _, ...row }) => row),
});

function textOf({ copies, serving }: Survey): string {
  const last = serving.at(-1);
  const lines = copies.map(
    ({ schema, live, height, provenHeight, work }) =>
      `${schema}: ${live ? 'complete' : 'not complete'}, height ${height}, proven up to ${provenHeight}, work ${work}`,
  );
  const row = last && `${last.at}: ${last.schema} ${last.step}${last.reload && `, reload ${last.reload}`}`;
  return [...(lines.length === 0 ? ['There is no copy of the chain'] : lines), ...(row ? [row] : [])].join('\n');
}
