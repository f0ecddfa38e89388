import { Args } from '@oclif/core';
import { PlainCommand } from '../../../src/cli/plain-command.js';

export default class KeyNew extends PlainCommand {
  static override summary = 'Create a secret key in a new file that only its owner can read, and print its account';
  static override description = 'An existing file is never overwritten. mdw flow reads the file with --key-file.';
  static override examples = ['mdw key new key'];
  static override args = { file: Args.string({ required: true, description: 'File to write' }) };

  async run(): Promise<void> {
    const { args } = await this.parse(KeyNew);
    const { newKey } = await import('../../key/key.js');
    this.log(newKey(args.file).account);
  }
}
