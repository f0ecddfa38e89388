/** A simulated node whose chain has tokens, in a process of its own. Sends its port, and at each message how many requests it got so far. */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { startDevnode } from '../devtools/devnode/start.js';

const [tokens, transactions, unrecognised] = process.argv.slice(2).map(Number) as [number, number, number];
const GENERATION = 500;
const NEWEST = 6;

let [all, dryRuns] = [0, 0];
subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage };
  all += 1;
  if (request.url?.endsWith('/dry-run')) dryRuns += 1;
});

const devnode = await startDevnode({
  external: '127.0.0.1:0',
  source: {
    generate: {
      seed: 'tokens',
      transactions,
      txsPerGeneration: GENERATION,
      accounts: 1_000,
      protocols: [{ version: NEWEST, effective_at_height: 0 }],
      // Twice as often as needed, so that the last token is not created at the very end.
      tokens: { share: 1, creations: (2 * tokens) / transactions, max: tokens, unrecognised: unrecognised === 1 },
    },
  },
});
process.on('message', () => process.send!({ all, dryRuns }));
process.send!({ url: devnode.externalUrl });
