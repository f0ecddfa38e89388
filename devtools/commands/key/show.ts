import { Args, Flags } from '@oclif/core';
import { PlainCommand } from '../../../src/cli/plain-command.js';
import { KEY_FORMS } from '../../key/key.js';
import { print } from '../../../src/observe/print.js';
import type { KeyForm } from '../../key/key.js';

export default class KeyShow extends PlainCommand {
  static override summary = 'Print the account of a secret key; the key itself only with --secret';
  static override examples = ['mdw key show key', 'mdw key show key --secret hex'];
  static override args = {
    file: Args.string({ description: 'File with the key [default: the variable MDW_SECRET_KEY]' }),
  };
  static override flags = {
    secret: Flags.option({
      options: KEY_FORMS,
      summary:
        'Print the key itself: sk is the form sk_… for SDKs; hex is the form for older SDKs and tools of the node',
    })(),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(KeyShow);
    const { isOpenToOthers, readKey } = await import('../../key/key.js');
    const key = readKey(args.file, process.env, 'mdw key show FILE');
    if (args.file !== undefined && isOpenToOthers(args.file))
      print('stderr', `mdw: others can read ${args.file}: chmod 600 ${args.file}`);
    const form: KeyForm | undefined = flags.secret;
    this.log(form === undefined ? key.account : key.secret(form));
  }
}
