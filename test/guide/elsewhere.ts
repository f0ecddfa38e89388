/** Commands of the guide that `examples.test.ts` does not run, by document and first line of the block, with the reason. */
const ALL = '*';

const ELSEWHERE: Record<string, Record<string, string>> = {
  'docs/quick-start.md': { 'make run': 'the suite starts the same demo, on free ports' },
  'docs/own-node.md': {
    'npm ci && npm run build': 'the suite needs their result before it starts',
    'systemctl enable --now mdw@p mdw@s': 'needs systemd',
  },
  'docs/own-network.md': {
    'make run NETWORK=hyperchain':
      'test/devnode/forms.test.ts generates such a chain, test/commands/demo.test.ts starts a demo',
    'npx mdw devnode --network hyperchain --network-id hc_mine --pace-key 3000 --pace-micro 2000':
      'test/devnode/forms.test.ts generates such a chain; it does not end by itself',
    'kubectl create configmap genesis --from-file=accounts.json':
      'test/operator/pods.test.ts has what a pod makes of it; needs a cluster',
    'npx mdw drop mdw': 'test/commands/copies.test.ts; other pages need the copy',
  },
  'docs/configuration.md': { 'npx mdw -dp': 'test/commands/daemon.test.ts starts processes in this way' },
  'docs/events.md': { 'npx mdw watch key_blocks': 'test/events/watch.test.ts; they do not end by themselves' },
  'docs/devnode.md': {
    'npx mdw devnode --live --fund ak_…=1000 --beneficiary ak_… --autostart': 'test/devnode/posting-command.test.ts',
    'npx mdw devnode --live --beneficiary ak_…': 'test/devnode/miner.test.ts',
    'npx mdw key new key': 'test/flow/flows.test.ts runs all flows, and the quick start runs the first one',
  },
  'docs/kubernetes.md': { [ALL]: 'test/realnode/install.test.ts runs them word for word in a cluster' },
  'docs/reload.md': { [ALL]: 'test/cluster/documented-reload.test.ts runs them word for word in a cluster' },
  'docs/releasing.md': { [ALL]: 'test/chart/release-files.test.ts runs those that need no registry word for word' },
  'charts/chain-middleware/README.md': { [ALL]: 'test/realnode/install.test.ts runs them word for word in a cluster' },
  'CONTRIBUTING.md': { [ALL]: 'targets of the Makefile that run the tests' },
};

/** Why a block of commands is not run; undefined if it is run. */
export function reasonFor(source: string, block: string): string | undefined {
  const reasons = ELSEWHERE[source] ?? {};
  return reasons[ALL] ?? reasons[block.split('\n')[0]!];
}

/** The entries of the list, as pairs of document and first line. */
export const listed = (): [source: string, line: string][] =>
  Object.entries(ELSEWHERE).flatMap(([source, lines]) =>
    Object.keys(lines).map((line): [string, string] => [source, line]),
  );

export const isAll = (line: string): boolean => line === ALL;
