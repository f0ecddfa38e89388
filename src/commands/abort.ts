import { CLUSTER_FLAGS, KubeCommand, NAME_ARG } from '../cli/kube-command.js';

export default class Abort extends KubeCommand {
  static override summary = 'Abort a reload and drop the copy that it loads; the serving copy is not changed';
  static override description = 'Possible at any time before the new copy serves; after that, see mdw rollback.';
  static override examples = ['mdw abort sample'];
  static override args = NAME_ARG;
  static override flags = CLUSTER_FLAGS;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Abort);
    const { abort } = await import('../operator/plugin/actions.js');
    await this.act({ name: args.name, flags }, abort);
  }
}
