import { Flags } from '@oclif/core';
import { DEFAULT_EDGE_BITS, MIN_EDGE_BITS } from '../../../src/chain/work/cuckoo.js';
import { MAX_SEARCHED_BITS } from '../../../src/chain/work/cycles.js';
import { FlowCommand, TARGET_FLAGS } from '../../cli/flow-command.js';

export default class FlowMine extends FlowCommand {
  static override summary = 'Mine key blocks step by step: candidate, proof of work, submission';
  static override description = 'At the end, prints what the middleware answers about the last block. Needs no key.';
  static override examples = ['mdw flow mine --blocks 3'];
  static override flags = {
    blocks: Flags.integer({ default: 1, min: 1, helpValue: 'N', summary: 'Number of blocks' }),
    'edge-bits': Flags.integer({
      default: DEFAULT_EDGE_BITS,
      min: MIN_EDGE_BITS,
      max: MAX_SEARCHED_BITS,
      helpValue: 'N',
      summary: 'Size of the graphs in bits, the same as in the node',
    }),
    ...TARGET_FLAGS,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(FlowMine);
    const { mineFlow } = await import('../../flow/mine.js');
    await mineFlow(await this.reader(flags), { blocks: flags.blocks, edgeBits: flags['edge-bits'] });
  }
}
