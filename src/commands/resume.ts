import { CLUSTER_FLAGS, KubeCommand, NAME_ARG } from '../cli/kube-command.js';

export default class Resume extends KubeCommand {
  static override summary = 'Let the operator reconcile a paused resource again';
  static override description = 'Ends a pause by mdw pause, spec.paused or the annotation chain-middleware.io/paused.';
  static override examples = ['mdw resume sample'];
  static override args = NAME_ARG;
  static override flags = CLUSTER_FLAGS;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Resume);
    const { resume } = await import('../operator/plugin/actions.js');
    await this.act({ name: args.name, flags }, resume);
  }
}
