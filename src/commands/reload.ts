import { Flags } from '@oclif/core';
import { CLUSTER_FLAGS, KubeCommand, NAME_ARG } from '../cli/kube-command.js';
import { formatHeights, parseHeights } from '../config.js';
import { EXIT } from '../observe/exit.js';
import { MiddlewareError } from '../observe/errors.js';
import { updatedOutput } from '../observe/print.js';

export default class Reload extends KubeCommand {
  static override summary = 'Load the chain of a Middleware resource again';
  static override description =
    'The whole chain is loaded into a second copy. The present copy serves until the second one has reached the head, was verified and is ready. With --heights, some heights are replaced in place. With --watch, the exit status is 0 if the new copy serves or waits for promotion, and 1 if the reload failed or was aborted.';
  static override examples = [
    'mdw reload sample --watch',
    'mdw reload sample --promotion Manual --retain 6h',
    'mdw reload sample --heights 1,3-4,6,100-200',
    'kubectl mdw reload sample -n chain --verify none',
  ];
  static override args = NAME_ARG;
  static override flags = {
    ...CLUSTER_FLAGS,
    heights: Flags.string({
      helpValue: 'HEIGHTS',
      default: 'all',
      summary: 'Heights to load, for example 1,3-4,6,100-200',
    }),
    id: Flags.string({ helpValue: 'NAME', summary: 'Name of the reload; the time unless given' }),
    promotion: Flags.string({
      options: ['Automatic', 'Manual'],
      summary: 'Whether the new copy serves as soon as it is ready',
    }),
    verify: Flags.string({
      helpValue: 'HEIGHTS',
      summary: 'Heights to compare with the chain before the new copy serves: all, none, or ranges',
    }),
    retain: Flags.string({
      helpValue: 'TIME',
      summary: 'How long the old copy is kept for a rollback, for example 1h',
    }),
    'max-lag': Flags.integer({
      min: 0,
      helpValue: 'BLOCKS',
      summary: 'Max key blocks that the new copy may be behind when it begins to serve',
    }),
    watch: Flags.boolean({ char: 'w', summary: 'Show the progress until the reload has ended or waits for promotion' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Reload);
    const request = {
      id: flags.id ?? `r${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`,
      heights: heightsOf('heights', flags.heights, 'all'),
      promotion: flags.promotion as 'Automatic' | 'Manual' | undefined,
      verify: flags.verify === undefined ? undefined : heightsOf('verify', flags.verify, 'all', 'none'),
      retain: flags.retain,
      maxLag: flags['max-lag'],
    };
    const { requestReload } = await import('../operator/plugin/actions.js');
    await this.act({ name: args.name, flags }, (resource) => requestReload(resource, request));
    if (flags.watch) await this.showProgress(args.name, flags);
  }

  private async showProgress(
    name: string,
    flags: { namespace?: string; kubeconfig?: string; context?: string; json?: boolean },
  ) {
    const [
      { getMiddleware },
      { follow, seenReload },
      { createRateText, hasFailed, isIdle, reloadLines, waitingLines },
    ] = await Promise.all([
      import('../operator/plugin/resources.js'),
      import('../operator/plugin/follow.js'),
      import('../operator/plugin/view.js'),
    ]);
    const paceOf = process.stdout.isTTY ? createRateText() : undefined;
    await this.withCluster(flags, async (cluster) => {
      const { reload: last } = await follow({
        read: async () => {
          const resource = await getMiddleware(cluster, name);
          return { reload: seenReload(resource), waiting: waitingLines(resource) };
        },
        lines: ({ reload, waiting }) => {
          if (flags.json) return [JSON.stringify(reload ?? null)];
          if (reload !== undefined) return reloadLines(reload, paceOf);
          return waiting.length > 0 ? waiting : ['Waiting for the operator to start it'];
        },
        done: ({ reload }) => reload !== undefined && isIdle(reload),
        screen: updatedOutput(!flags.json),
        signal: this.untilInterrupted(),
      });
      if (last !== undefined && hasFailed(last)) process.exitCode = EXIT.failed;
    });
  }
}

/** Heights in the form of the resource. Throws a usage error that names the flag. */
function heightsOf(flag: string, text: string, ...words: string[]): string {
  if (words.includes(text)) return text;
  try {
    return formatHeights(parseHeights(text));
  } catch (cause) {
    const allowed = [...words, 'heights such as 1,3-4,6,100-200'].join(', ');
    throw new MiddlewareError('usage', `--${flag} ${text} is none of: ${allowed}`, { cause });
  }
}
