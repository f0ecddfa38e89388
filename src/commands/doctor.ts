import { Flags } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';
import { readGenesisFile } from '../cli/genesis-file.js';
import { createLogger } from '../observe/logger.js';
import { printable } from '../observe/printable.js';

export default class Doctor extends BaseCommand {
  static override summary = 'Check database, rights, schema, node and clocks, one line a check';
  static override description = 'Changes nothing. The exit status is 0 if no check failed, otherwise 1.';
  static override flags = { json: Flags.boolean({ summary: 'One JSON object a line' }) };

  async run(): Promise<void> {
    const { flags } = await this.parse(Doctor);
    const config = this.settings('doctor');
    const genesis = readGenesisFile(config);
    const { examine } = await import('../doctor/examine.js');
    // The findings already contain what would be logged.
    const logger = createLogger({ level: config.logLevel === 'debug' ? 'debug' : 'silent', stream: 'stderr' });
    for await (const finding of examine(config, genesis, logger)) {
      const { verdict, check, message } = finding;
      this.log(
        flags.json ? JSON.stringify(finding) : `${verdict.padEnd(4)}  ${check.padEnd(14)}  ${printable(message)}`,
      );
      if (verdict === 'fail') process.exitCode = 1;
    }
  }
}
