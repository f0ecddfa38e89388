import { Flags } from '@oclif/core';
import { DEFAULT_EDGE_BITS, MIN_EDGE_BITS } from '../../../src/chain/work/cuckoo.js';
import { MAX_SEARCHED_BITS } from '../../../src/chain/work/cycles.js';
import { BaseCommand } from '../../../src/cli/base-command.js';
import { address, internalAddress } from '../../cli/flow-command.js';
import type { MinerEvent } from '../../devnode/mining/miner.js';

export default class DevnodeMine extends BaseCommand {
  static override summary = 'Mine key blocks for a node that does not mine itself';
  static override description =
    'Fetches candidates, searches proofs of work in a separate thread, and submits the completed blocks. Continues with the next candidate when another miner was faster. Ends on Ctrl-C.';
  static override examples = ['mdw devnode mine --url http://127.0.0.1:3013', 'mdw devnode mine --blocks 10'];
  static override flags = {
    url: Flags.string({
      default: 'http://127.0.0.1:3013',
      helpValue: 'URL',
      summary: 'External interface of the node, which returns candidates',
    }),
    internal: Flags.string({
      helpValue: 'URL',
      summary: 'Internal interface of the node, which accepts blocks [default: port 3113 of the same host]',
    }),
    'edge-bits': Flags.integer({
      default: DEFAULT_EDGE_BITS,
      min: MIN_EDGE_BITS,
      max: MAX_SEARCHED_BITS,
      helpValue: 'N',
      summary: 'Size of the graphs in bits, the same as in the node; large ones need another miner',
    }),
    blocks: Flags.integer({ min: 1, helpValue: 'N', summary: 'End after this number of accepted blocks' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(DevnodeMine);
    const { runMiner } = await import('../../devnode/mining/miner.js');
    const url = address(flags.url, '--url');
    const end = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort());
    await runMiner({
      url,
      internalUrl: internalAddress(flags.internal, url),
      edgeBits: flags['edge-bits'],
      blocks: flags.blocks,
      signal: end.signal,
      onEvent: (event) => this.log(line(event)),
    });
  }
}

function line(event: MinerEvent): string {
  switch (event.kind) {
    case 'candidate':
      return `Candidate for height ${event.height}, target ${event.target}`;
    case 'accepted':
      return `Block ${event.height} ${event.hash} accepted`;
    case 'refused':
      return `Block ${event.height} ${event.hash} refused: ${event.reason}`;
    case 'unsent':
      return `Block ${event.height} ${event.hash} not sent, no answer from --internal: ${event.reason}`;
    case 'waiting':
      return `No candidate: ${event.reason}`;
  }
}
