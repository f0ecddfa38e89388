import { isObject, parseExact } from '../chain/encoding/json.js';
import { keyBlockHash } from '../chain/serialize/verify-hash.js';
import { hasProofOfWork } from '../chain/work/cuckoo.js';
import { nodeFault } from '../node/faults.js';
import type { Block } from '../store/write/blocks.js';

/**
 * Throws `node_no_work` unless each key block has the work that its target claims: its hash follows from its content, and its proof is a
 * cycle in the graph that follows from that content, below the target. The genesis block needs none. Without `edgeBits` nothing is checked.
 */
export function mustHaveWork(blocks: readonly Block[], edgeBits: number | undefined): void {
  if (edgeBits === undefined) return;
  for (const block of blocks) {
    if (block.kind === 'micro' || block.keyBlock.height === 0) continue;
    const content = parseExact(block.keyBlock.body);
    if (isObject(content) && keyBlockHash(content) === block.hash && hasProofOfWork(content, edgeBits)) continue;
    throw nodeFault('node_no_work', `key block ${block.hash} (${block.keyBlock.height}) has no valid proof of work`);
  }
}
