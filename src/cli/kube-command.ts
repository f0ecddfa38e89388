import { Args, Flags } from '@oclif/core';
import type { Cluster } from '../operator/plugin/resources.js';
import type { Action } from '../operator/plugin/actions.js';
import type { Middleware } from '../operator/types.js';
import { PlainCommand } from './plain-command.js';

/** Flags that select the cluster, as those of kubectl. */
export const CLUSTER_FLAGS = {
  namespace: Flags.string({ char: 'n', helpValue: 'NAME', summary: 'Namespace; that of the context unless given' }),
  kubeconfig: Flags.string({ helpValue: 'PATH', summary: 'Path of a kubeconfig; KUBECONFIG unless given' }),
  context: Flags.string({ helpValue: 'NAME', summary: 'Context of the kubeconfig' }),
  json: Flags.boolean({ summary: 'Print JSON' }),
};

export const NAME_ARG = { name: Args.string({ required: true, description: 'Name of the Middleware resource' }) };

interface ClusterFlags {
  namespace?: string | undefined;
  kubeconfig?: string | undefined;
  context?: string | undefined;
}

/** Base of the commands for Middleware resources of a cluster. */
export abstract class KubeCommand extends PlainCommand {
  protected async withCluster<T>(flags: ClusterFlags, work: (cluster: Cluster) => Promise<T>): Promise<T> {
    const { connect } = await import('../operator/kube/connect.js');
    const { kubeconfig, context } = flags;
    const { client, namespace } = connect({ kubeconfig, context, env: process.env });
    try {
      return await work({ client, namespace: flags.namespace ?? namespace });
    } finally {
      await client.close();
    }
  }

  /** Applies one action to a resource and prints the result. */
  protected async act(
    { name, flags }: { name: string; flags: ClusterFlags & { json?: boolean } },
    decide: (resource: Middleware) => Action,
  ): Promise<void> {
    const { changeMiddleware } = await import('../operator/plugin/resources.js');
    await this.withCluster(flags, async (cluster) => {
      const { patch, message } = await changeMiddleware(cluster, name, decide);
      this.log(flags.json ? JSON.stringify({ name, changed: patch !== undefined, message }) : message);
    });
  }

  /** Aborts on SIGINT or SIGTERM. */
  protected untilInterrupted(): AbortSignal {
    const end = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort());
    return end.signal;
  }
}
