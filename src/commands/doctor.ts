import { Flags } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';
import { createLogger } from '../observe/logger.js';

export default class Doctor extends BaseCommand {
  static override summary = 'Check database, rights, schema, node and clocks, one line a check';
  static override description = 'Changes nothing. Ends with 0 when nothing failed, otherwise with 1.';
  static override flags = { json: Flags.boolean({ summary: 'One JSON object a line' }) };

  async run(): Promise<void> {
    const { flags } = await this.parse(Doctor);
    const config = this.settings('doctor');
    const { examine } = await import('../doctor/examine.js');
    // The findings say what the parts would log.
    const logger = createLogger({ level: config.logLevel === 'debug' ? 'debug' : 'silent', stream: 'stderr' });
    for await (const finding of examine(config, logger)) {
      const { verdict, check, message } = finding;
      this.log(flags.json ? JSON.stringify(finding) : `${verdict.padEnd(4)}  ${check.padEnd(14)}  ${message}`);
      if (verdict === 'fail') process.exitCode = 1;
    }
  }
}
