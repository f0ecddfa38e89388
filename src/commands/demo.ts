import { Flags } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';
import { createScreen } from '../observe/screen.js';

export default class Demo extends BaseCommand {
  static override summary = 'Show everything on this machine: PostgreSQL, a simulated node, populator and server';
  static override description =
    'The data stays in .data, and the next run goes on with it; the key of an account with coins is there, too. DATABASE_URL and NODE_URL replace the embedded parts.';
  static override flags = {
    'node-address': Flags.string({ summary: 'Where the simulated node listens', default: '127.0.0.1:3013' }),
    'internal-address': Flags.string({
      summary: 'Where its operator is served, with the transaction builders',
      default: '127.0.0.1:3113',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Demo);
    const { demo } = await import('../demo/demo.js');
    process.exitCode = await demo({
      env: this.environment(),
      folder: process.cwd(),
      nodeAddress: flags['node-address'],
      internalAddress: flags['internal-address'],
      screen: createScreen({ env: process.env }),
    });
  }
}
