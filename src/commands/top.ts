import { Flags } from '@oclif/core';
import { CLUSTER_FLAGS, KubeCommand } from '../cli/kube-command.js';
import { updatedOutput } from '../observe/print.js';

export default class Top extends KubeCommand {
  static override summary = 'Show all Middleware resources, one line each, and update them until Ctrl-C';
  static override examples = ['mdw top', 'mdw top --all-namespaces --once', 'kubectl mdw top -n chain'];
  static override flags = {
    ...CLUSTER_FLAGS,
    'all-namespaces': Flags.boolean({
      char: 'A',
      summary: 'Show the resources of all namespaces',
      exclusive: ['namespace'],
    }),
    once: Flags.boolean({ summary: 'Show them once, and end' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Top);
    const [{ listMiddlewares }, { follow }, { table }] = await Promise.all([
      import('../operator/plugin/resources.js'),
      import('../operator/plugin/follow.js'),
      import('../operator/plugin/view.js'),
    ]);
    await this.withCluster(flags, async (cluster) => {
      await follow({
        read: () => listMiddlewares(cluster, flags['all-namespaces'] ? undefined : cluster.namespace),
        lines: (resources) =>
          flags.json
            ? [
                JSON.stringify(
                  resources.map(({ metadata: { namespace, name }, status }) => ({ namespace, name, status })),
                ),
              ]
            : table(resources),
        done: () => flags.once,
        screen: updatedOutput(!flags.json),
        signal: this.untilInterrupted(),
      });
    });
  }
}
