import { Flags } from '@oclif/core';
import { CLUSTER_FLAGS, KubeCommand, NAME_ARG } from '../cli/kube-command.js';
import { updatedOutput } from '../observe/print.js';

export default class Status extends KubeCommand {
  static override summary = 'Print the state of a Middleware resource: copy, servers, height, problems, reloads';
  static override examples = ['mdw status sample', 'mdw status sample --watch', 'mdw status sample --json'];
  static override args = NAME_ARG;
  static override flags = {
    ...CLUSTER_FLAGS,
    watch: Flags.boolean({ char: 'w', summary: 'Continue until Ctrl-C' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Status);
    const [{ getMiddleware }, { follow }, { createRateText, statusLines }] = await Promise.all([
      import('../operator/plugin/resources.js'),
      import('../operator/plugin/follow.js'),
      import('../operator/plugin/view.js'),
    ]);
    // Without a terminal, only changed lines are written. A rate changes every time, so it is not shown there.
    const paceOf = process.stdout.isTTY ? createRateText() : undefined;
    await this.withCluster(flags, async (cluster) => {
      await follow({
        read: () => getMiddleware(cluster, args.name),
        lines: (resource) => (flags.json ? [JSON.stringify(resource.status)] : statusLines(resource, paceOf)),
        done: () => !flags.watch,
        screen: updatedOutput(!flags.json),
        signal: this.untilInterrupted(),
      });
    });
  }
}
