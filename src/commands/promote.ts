import { CLUSTER_FLAGS, KubeCommand, NAME_ARG } from '../cli/kube-command.js';

export default class Promote extends KubeCommand {
  static override summary = 'Let the copy that a reload has loaded serve';
  static override description =
    'For reloads with manual promotion. If it is requested early, the copy serves as soon as it is loaded, verified and ready.';
  static override examples = ['mdw promote sample', 'kubectl mdw promote sample -n chain'];
  static override args = NAME_ARG;
  static override flags = CLUSTER_FLAGS;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Promote);
    const { promote } = await import('../operator/plugin/actions.js');
    await this.act({ name: args.name, flags }, promote);
  }
}
