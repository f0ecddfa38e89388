import { Flags } from '@oclif/core';
import { BaseCommand } from '../../src/cli/base-command.js';
import { networkFlag } from '../../src/cli/network-flag.js';
import { createScreen } from '../../src/observe/screen.js';

export default class Demo extends BaseCommand {
  static override summary = 'Run everything on this machine: PostgreSQL, a simulated node, populator and server';
  static override description =
    'The data is stored in .data, and the next run continues with it. The key of an account with coins is there, too. DATABASE_URL and NODE_URL replace the embedded parts.';
  static override flags = {
    'node-address': Flags.string({ summary: 'Address of the simulated node', default: '127.0.0.1:3013' }),
    'internal-address': Flags.string({
      summary: "Address of the interface of the node's operator, with the transaction builders",
      default: '127.0.0.1:3113',
    }),
    'rosetta-address': Flags.string({
      summary: 'Address of the Rosetta interface of the simulated node, which tells what changed balances',
      default: '127.0.0.1:3213',
    }),
    network: networkFlag(),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Demo);
    const { demo } = await import('../demo/demo.js');
    process.exitCode = await demo({
      env: this.environment(),
      folder: process.cwd(),
      nodeAddress: flags['node-address'],
      internalAddress: flags['internal-address'],
      rosettaAddress: flags['rosetta-address'],
      consensus: flags.network,
      screen: createScreen({ env: process.env }),
    });
  }
}
