import { Flags } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';

export default class Crd extends BaseCommand {
  static override summary = 'Print the definition of the Middleware resource for Kubernetes';
  static override examples = ['mdw crd | kubectl apply --server-side -f -', 'mdw crd --sample | kubectl apply -f -'];
  static override flags = {
    sample: Flags.boolean({ summary: 'Print a minimal resource instead; its Secret is sample-db' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Crd);
    const { asYaml, customResourceDefinition, sample } = await import('../operator/schema/crd.js');
    this.log(asYaml(flags.sample ? sample : customResourceDefinition()).trimEnd());
  }
}
