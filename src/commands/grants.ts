import { Flags } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';

const role = (name: string, does: string) =>
  Flags.string({ summary: `Name of the role that ${does}`, default: `mdw_${name}`, helpValue: 'ROLE' });

export default class Grants extends BaseCommand {
  static override summary = 'Print SQL that creates a role for each task, with no more rights than it needs';
  static override description =
    'The SQL is for the schema of DATABASE_SCHEMA. Run it as an administrator of the database, before the first migration or later, and run it again after that migration. The roles have no login: grant them to your users. Then run each of mdw migrate, mdw -p and mdw -s as its own user.';
  static override examples = [
    'mdw grants | psql postgres://administrator@localhost/mdw',
    'DATABASE_SCHEMA=blue mdw grants --serve web',
  ];
  static override flags = {
    migrate: role('migrate', 'owns the schema and changes it'),
    populate: role('populate', 'loads the chain'),
    serve: role('serve', 'serves clients'),
    reader: role('reader', 'is for people who look at the data'),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Grants);
    const { grants } = await import('../store/schema/grants.js');
    this.log(grants(this.settings().databaseSchema, flags).trimEnd());
  }
}
