import { Flags } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';

export default class Demo extends BaseCommand {
  static override summary = 'Show everything on this machine: PostgreSQL, a simulated node, populator and server';
  static override description =
    'The data stays in .data, and the next run goes on with it. DATABASE_URL and NODE_URL replace the embedded parts.';
  static override flags = {
    'node-address': Flags.string({ summary: 'Where the simulated node listens', default: '127.0.0.1:3013' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Demo);
    const { demo } = await import('../demo/demo.js');
    process.exitCode = await demo({
      env: this.environment(),
      folder: process.cwd(),
      nodeAddress: flags['node-address'],
      say: (line) => this.log(line),
    });
  }
}
