import { CLUSTER_FLAGS, KubeCommand, NAME_ARG } from '../cli/kube-command.js';

export default class Pause extends KubeCommand {
  static override summary = 'Stop the operator from changing a resource';
  static override description = 'Everything that runs continues to run, and the status is still updated.';
  static override examples = ['mdw pause sample'];
  static override args = NAME_ARG;
  static override flags = CLUSTER_FLAGS;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Pause);
    const { pause } = await import('../operator/plugin/actions.js');
    await this.act({ name: args.name, flags }, pause);
  }
}
