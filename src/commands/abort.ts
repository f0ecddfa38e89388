import { CLUSTER_FLAGS, KubeCommand, NAME_ARG } from '../cli/kube-command.js';

export default class Abort extends KubeCommand {
  static override summary = 'Drop the copy that a reload loads; what serves stays as it is';
  static override description = 'At any time before the copy serves; afterwards see mdw rollback.';
  static override examples = ['mdw abort sample'];
  static override args = NAME_ARG;
  static override flags = CLUSTER_FLAGS;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Abort);
    const { abort } = await import('../operator/plugin/actions.js');
    await this.act({ name: args.name, flags }, abort);
  }
}
