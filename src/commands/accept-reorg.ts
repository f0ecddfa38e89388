import { Args } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';
import { openCopy } from '../cli/copy.js';
import { writeTerminationMessage } from '../cli/termination-message.js';
import { MiddlewareError } from '../observe/errors.js';

export default class AcceptReorg extends BaseCommand {
  static override summary = 'Let the populator apply a deep reorg that it holds back, and end';
  static override description =
    'If the work of key blocks cannot be proven, a reorg deeper than MAX_UNPROVEN_REORG waits until a second node confirms it or it is accepted with this command. /middleware/status shows it as held_reorg, with the hash of its newest key block: compare that hash with nodes that you trust. The command accepts the branch with this key block, even if it has grown since.';
  static override examples = ['mdw accept-reorg kh_2wDYi3Fs2R6GsvKpP9MPQ8Tk35DNXQkP1jkCLTCRyzyUr5JPDq'];
  static override args = {
    hash: Args.string({ required: true, description: 'A key block of the branch, kh_…' }),
  };

  async run(): Promise<void> {
    const { args } = await this.parse(AcceptReorg);
    const config = this.settings('migrate');
    const { acceptReorg } = await import('../store/held-reorg.js');
    const database = await openCopy(config);
    try {
      if (!(await acceptReorg(database, args.hash))) {
        const message = `No reorg with the key block ${args.hash} is held back in schema ${config.databaseSchema}`;
        throw new MiddlewareError('reorg_not_held', message);
      }
      const message = `Accepted the branch of ${args.hash}: the populator applies it the next time it reads the node`;
      this.log(message);
      writeTerminationMessage(process.env, { ok: true, message });
    } finally {
      await database.close();
    }
  }
}
