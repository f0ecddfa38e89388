// Reads the whole chain exactly as the populator does, takes it apart, and stores nothing.
import { createNodePool } from '../dist/src/node/pool.js';
import { createLogger } from '../dist/src/observe/logger.js';
import { readGenerations } from '../dist/src/populate/source.js';

const node = createNodePool({
  urls: [process.argv[2]],
  api: 'auto',
  timeoutMs: 10_000,
  concurrency: 16,
  logger: createLogger({ level: 'silent' }),
});
const head = (await node.currentGeneration()).keyBlock.height;
const start = performance.now();
for await (const blocks of readGenerations(node, 0, head, { generations: 128, transactions: 6_000 })) void blocks;
console.log(JSON.stringify({ seconds: (performance.now() - start) / 1000 }));
node.close();
