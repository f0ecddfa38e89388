import { CLUSTER_FLAGS, KubeCommand, NAME_ARG } from '../cli/kube-command.js';

export default class Rollback extends KubeCommand {
  static override summary = 'Serve the copy again that served before the last reload';
  static override description =
    'Takes effect at once. Possible while the old copy exists (spec.reload.retain); the new copy is then dropped.';
  static override examples = ['mdw rollback sample'];
  static override args = NAME_ARG;
  static override flags = CLUSTER_FLAGS;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Rollback);
    const { rollBack } = await import('../operator/plugin/actions.js');
    await this.act({ name: args.name, flags }, rollBack);
  }
}
