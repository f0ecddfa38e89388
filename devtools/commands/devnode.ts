import { Flags } from '@oclif/core';
import { BaseCommand } from '../../src/cli/base-command.js';
import { LIVE_FLAGS, liveOptions } from '../cli/live-flags.js';
import { networkFlag } from '../../src/cli/network-flag.js';
import type { DevnodeOptions } from '../devnode/options.js';

export default class DevnodeCommand extends BaseCommand {
  static override summary = 'Run the simulated node alone';
  static override description =
    'Serves a chain as a real node does, for development and tests: a generated chain, a recorded one, or with --live one of posted transactions and mined blocks. The admin address takes POST /grow, /key-block, /micro-block, /fork, /micro-fork and /misbehave with JSON bodies, and GET /state.';
  static override usage = 'devnode [--live | --replay FILE | --seed TEXT] [FLAGS]';
  static override examples = [
    'mdw devnode --generations 100 --pace-key 20000 --pace-micro 3000',
    'mdw devnode --network hyperchain --pace-key 3000 --pace-micro 2000',
    'mdw devnode --replay recording.jsonl.gz',
    'mdw devnode --live --profile early --beneficiary ak_… --autostart',
  ];
  static override flags = {
    external: Flags.string({
      default: '127.0.0.1:3013',
      helpValue: 'HOST:PORT',
      summary: 'Address of the external interface',
    }),
    internal: Flags.string({
      default: '127.0.0.1:3113',
      helpValue: 'HOST:PORT',
      summary: 'Address of the internal interface',
    }),
    rosetta: Flags.string({
      default: '127.0.0.1:3213',
      helpValue: 'HOST:PORT',
      summary: 'Address of the Rosetta interface; not of a recording',
    }),
    admin: Flags.string({
      default: '127.0.0.1:3313',
      helpValue: 'HOST:PORT',
      summary: 'Address of the admin interface',
    }),
    replay: Flags.string({
      helpValue: 'FILE',
      summary: 'Recording to serve (JSON lines, may be gzipped) instead of a generated chain',
      exclusive: ['seed', 'transactions', 'generations', 'pace-micro', 'pace-key', 'micro-forks'],
    }),
    seed: Flags.string({ summary: 'Seed of all generated data [default: devnode]' }),
    network: networkFlag({ exclusive: ['replay', 'live'] }),
    'epoch-length': Flags.integer({
      min: 1,
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'N',
      summary: 'Key blocks of an epoch of a hyperchain; several are taken in turn [default: 10]',
      exclusive: ['replay', 'live'],
    }),
    transactions: Flags.integer({ min: 0, summary: 'Transactions of the initial chain' }),
    generations: Flags.integer({ min: 0, summary: 'Generations of the initial chain' }),
    empty: Flags.integer({
      min: 0,
      max: 100,
      helpValue: 'PERCENT',
      summary: 'Percent of the generations that have no transactions [default: 0]',
      exclusive: ['replay', 'live', 'transactions'],
    }),
    'generation-size': Flags.integer({
      min: 1,
      helpValue: 'N',
      summary: 'Transactions of each of the other generations, about [default: 65]',
      exclusive: ['replay', 'live', 'transactions'],
    }),
    'pace-micro': Flags.integer({
      min: 1,
      helpValue: 'MS',
      summary: 'Time between micro blocks; without it, none are added',
    }),
    'pace-key': Flags.integer({
      min: 1,
      helpValue: 'MS',
      summary: 'Time between key blocks; without it, none are added',
    }),
    'micro-forks': Flags.integer({
      min: 1,
      helpValue: 'N',
      dependsOn: ['pace-key'],
      summary: 'Every Nth key block abandons the last micro block before it',
    }),
    ...LIVE_FLAGS,
    'network-id': Flags.string({
      summary: 'Network id [default: ae_dev, hc_dev of a hyperchain, or that of the recording]',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(DevnodeCommand);
    const [{ startDevnode }, { growByTheClock }] = await Promise.all([
      import('../devnode/start.js'),
      import('../devnode/pace.js'),
    ]);
    const { seed = 'devnode', transactions, generations, 'generation-size': txsPerGeneration } = flags;
    const emptyShare = (flags.empty ?? 0) / 100;
    const { network: consensus, 'epoch-length': epochs } = flags;
    const source: DevnodeOptions['source'] =
      flags.replay !== undefined
        ? { replay: flags.replay }
        : flags.live
          ? { live: liveOptions(flags) }
          : { generate: { seed, transactions, generations, consensus, epochs, emptyShare, txsPerGeneration } };
    const { external, internal, rosetta, admin, 'network-id': networkId } = flags;
    const devnode = await startDevnode({ external, internal, rosetta, admin, source, networkId });
    const { height, hash } = devnode.top();
    this.log(
      `Node ready at ${devnode.externalUrl}, operator at ${devnode.internalUrl}, admin at ${devnode.adminUrl}, head ${height} ${hash}`,
    );

    const stop = new AbortController();
    const stopped = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
    const pace = {
      keyMs: flags['pace-key'] ?? 0,
      microMs: flags['pace-micro'] ?? 0,
      microForkEvery: flags['micro-forks'] ?? 0,
    };
    try {
      await Promise.all([growByTheClock(devnode, pace, stop.signal), stopped]);
    } finally {
      await devnode.close();
    }
  }
}
