import { readGeneration, readKeyBlock, readMicroBlock } from '../../src/chain/facts.js';
import type { ChainNode } from '../../src/node/client.js';
import { recorded, recordedGenerations, recording } from './recording.js';

/** A node with the recorded chain that answers immediately. */
export function recordedNode(top = recordedGenerations().length - 1): ChainNode {
  const info = (hash: string): string | null => {
    const answer = recording().get(`GET /v2/transactions/${hash}/info`);
    return answer?.status === 200 ? answer.body : null;
  };
  return {
    status: () => Promise.reject(new Error('not asked')),
    currentGeneration: () => Promise.resolve(readGeneration(recorded(`/v2/generations/height/${top}`))),
    generation: (height) =>
      Promise.resolve(height > top ? null : readGeneration(recorded(`/v2/generations/height/${height}`))),
    keyBlock: (height) =>
      Promise.resolve(height > top ? null : readKeyBlock(recorded(`/v2/key-blocks/height/${height}`))),
    microBlock(hash) {
      const path = `/v2/micro-blocks/hash/${hash}`;
      const block = readMicroBlock(recorded(`${path}/header`), recorded(`${path}/transactions`));
      for (const transaction of block.transactions) {
        if (transaction.body.includes('"GAMetaTx"')) transaction.info = info(transaction.hash);
      }
      return Promise.resolve(block);
    },
    info: (hash) => Promise.resolve(info(hash)),
    contractCode(contractId) {
      const answer = recording().get(`GET /v2/contracts/${contractId}/code`);
      return Promise.resolve(
        answer?.status === 200 ? (JSON.parse(answer.body) as { bytecode: string }).bytecode : null,
      );
    },
    get: () => Promise.reject(new Error('not asked')),
    close: () => undefined,
  };
}
