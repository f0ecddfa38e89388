import { Flags } from '@oclif/core';
import { CLUSTER_FLAGS, KubeCommand, NAME_ARG } from '../cli/kube-command.js';
import { print } from '../observe/print.js';
import { printable } from '../observe/printable.js';
import type { Component } from '../operator/names.js';
import type { Color } from '../operator/schema/status.js';

export default class Logs extends KubeCommand {
  static override summary = 'Print the logs of the pods of a Middleware resource';
  static override examples = [
    'mdw logs sample',
    'mdw logs sample --component populator --follow',
    'mdw logs sample --component reload --color green --tail 1000',
  ];
  static override args = NAME_ARG;
  static override flags = {
    ...CLUSTER_FLAGS,
    component: Flags.string({
      options: ['migration', 'populator', 'server', 'reload', 'verification'],
      summary: 'Only pods of this kind',
    }),
    color: Flags.string({ options: ['blue', 'green'], summary: 'Only pods of this copy' }),
    tail: Flags.integer({ min: 0, default: 100, helpValue: 'LINES', summary: 'Last lines of each pod' }),
    follow: Flags.boolean({ char: 'f', summary: 'Continue until Ctrl-C' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Logs);
    const [{ getMiddleware }, { readLogs }] = await Promise.all([
      import('../operator/plugin/resources.js'),
      import('../operator/plugin/logs.js'),
    ]);
    await this.withCluster(flags, async (cluster) => {
      // Read first, so that a wrong name is reported.
      await getMiddleware(cluster, args.name);
      await readLogs(cluster, {
        name: args.name,
        component: flags.component as Component | undefined,
        color: flags.color as Color | undefined,
        tail: flags.tail,
        follow: flags.follow,
        signal: this.untilInterrupted(),
        onLine: (pod, line) =>
          print('stdout', flags.json ? JSON.stringify({ pod, line }) : `${pod} ${printable(line)}`),
      });
    });
  }
}
