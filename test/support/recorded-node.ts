import { readGeneration, readKeyBlock, readMicroBlock } from '../../src/chain/facts.js';
import type { ChainNode } from '../../src/node/client.js';
import { nodeFault } from '../../src/node/faults.js';
import { readReplay, replayBody } from '../../src/node/dry-run.js';
import { recordedDryRun } from './recorded-dry-run.js';
import { recordedReplay } from './recorded-replay.js';
import { recorded, recordedGenerations, recordedKeyBlock, recording } from './recording.js';
import type { Recording } from './recording.js';

/** A node with the recorded chain that answers immediately. */
export function recordedNode(top?: number, of?: Recording): ChainNode {
  const head = top ?? recordedGenerations(of).length - 1;
  const info = (hash: string): Promise<string | null> => {
    const answer = recording(of).get(`GET /v2/transactions/${hash}/info`);
    if (answer?.status === 500) return Promise.reject(nodeFault('node_error', 'answered 500'));
    return Promise.resolve(answer?.status === 200 ? answer.body : null);
  };
  return {
    status: () => Promise.reject(new Error('not asked')),
    currentGeneration: () => Promise.resolve(readGeneration(recorded(`/v2/generations/height/${head}`, of))),
    generation: (height) =>
      Promise.resolve(height > head ? null : readGeneration(recorded(`/v2/generations/height/${height}`, of))),
    keyBlock: (height) => Promise.resolve(height > head ? null : readKeyBlock(recordedKeyBlock(height, of))),
    microBlock(hash) {
      const path = `/v2/micro-blocks/hash/${hash}`;
      return Promise.resolve(readMicroBlock(recorded(`${path}/header`, of), recorded(`${path}/transactions`, of)));
    },
    info,
    contractCode(contractId) {
      const path = `/contracts/${contractId}/code`;
      const answer = recording(of).get(`GET /v2${path}`) ?? recording(of).get(`GET /v3${path}`);
      return Promise.resolve(
        answer?.status === 200 ? (JSON.parse(answer.body) as { bytecode: string }).bytecode : null,
      );
    },
    dryRun: (block, calls) => Promise.resolve(of === 'realnode-tokens' ? recordedDryRun(block, calls) : null),
    replay(block, replay) {
      if (of !== 'realnode-tokens') return Promise.resolve(null);
      const { status, text } = recordedReplay(replayBody(block, replay));
      return Promise.resolve(readReplay(status, text) ?? null);
    },
    get: () => Promise.reject(new Error('not asked')),
    close: () => undefined,
  };
}
