/**
 * A simulated node with its Rosetta interface, in a process of its own: a chain of transactions of every type, some of them of tokens. Sends its
 * addresses, and at each message how many requests it got so far, by what they are about.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { startDevnode } from '../devtools/devnode/start.js';

const [folder, transactions] = process.argv.slice(2) as [string, string];

/** What requests are about, by their paths; those that match nothing are about blocks. */
const ABOUT: readonly (readonly [name: string, path: RegExp])[] = [
  ['call information', /\/info$/],
  ['code of contracts', /\/code$/],
  ['dry runs', /\/dry-run$/],
  ['Rosetta', /^\/block/],
  ['balances and records', /\/v[23]\/(accounts|names|oracles|contracts|channels)\//],
];

const counts: Record<string, number> = { blocks: 0 };
subscribe('http.server.request.start', (message) => {
  const { url = '' } = (message as { request: IncomingMessage }).request;
  const name = ABOUT.find(([, path]) => path.test(url.split('?')[0]!))?.[0] ?? 'blocks';
  counts[name] = (counts[name] ?? 0) + 1;
});

const devnode = await startDevnode({
  external: '127.0.0.1:0',
  rosetta: '127.0.0.1:0',
  source: {
    generate: {
      ...{ seed: 'main-network', transactions: Number(transactions), txsPerGeneration: 65, accounts: 1_000 },
      ...{ folder, states: 1_000_000 },
      protocols: [{ version: 6, effective_at_height: 0 }],
      tokens: { share: 0.1, creations: 0.02, allowances: true },
    },
  },
});
process.on('message', () => process.send!(counts));
process.send!({ url: devnode.externalUrl, rosettaUrl: devnode.rosettaUrl });
