/** The recorded chains as a node shows them while they grow. */
import { transactionTexts } from './recorded-view.js';
import { recorded, recordedGenerations, recording } from './recording.js';
import type { Recording } from './recording.js';
import type { ShownChain, NodeAnswer } from './shown-chain.js';

/** Key blocks of the states. A chain of this length is loaded within a second. */
const LENGTHS = [40, 41, 43, 46];

export function recordedChain(of: Recording, lengths: readonly number[] = LENGTHS): ShownChain[] {
  const blocks = new Map<string, { header: string; transactions?: string[] }>();
  const keys: string[] = [];
  const micros: string[][] = [];
  for (const { keyBlock, microBlocks } of recordedGenerations(of)) {
    const id = hashIn(keyBlock);
    keys.push(id);
    blocks.set(id, { header: keyBlock });
    micros.push(microBlocks.map(({ hash }) => hash));
    for (const { hash, header, transactions } of microBlocks)
      blocks.set(hash, { header, transactions: transactionTexts(transactions) });
  }
  const additions = (path: string): NodeAnswer | undefined =>
    recording(of).get(`GET /v2${path}`) ?? recording(of).get(`GET /v3${path}`);
  const status = recorded('/v2/status', of);
  return lengths.map((length) => ({
    ...{ status, blocks, additions },
    ...{ keys: keys.slice(0, length), micros: micros.slice(0, length) },
  }));
}

const hashIn = (block: string): string => (JSON.parse(block) as { hash: string }).hash;
