/** Max lines of a function, without blank lines and comments. */
export const MAX_LINES = 80;

/** Files that may have longer functions, by the reason. A new one needs a reason, too. */
export const LONG_FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  'a table: one entry for each metric': ['src/observe/metrics.ts'],
  'one page or part of the explorer: one tree of elements': [
    'explorer/main.tsx',
    'explorer/pages/charts.tsx',
    'explorer/pages/generation.tsx',
    'explorer/pages/status.tsx',
    'explorer/pages/transaction.tsx',
    'explorer/parts/search.tsx',
  ],
  'a thin loop that carries out what other files decide': ['src/populate/follow.ts', 'src/populate/run.ts'],
  'a factory: its methods share connections, queues or caches': [
    'src/api/server.ts',
    'src/events/compat.ts',
    'src/events/connections.ts',
    'src/events/hub.ts',
    'src/events/websocket.ts',
    'src/operator/apply/apply.ts',
    'src/operator/kube/client.ts',
    'src/operator/loop/lease.ts',
    'src/operator/loop/operator.ts',
    'src/operator/loop/queue.ts',
    'src/operator/loop/reconcile.ts',
    'src/operator/observe/cache.ts',
    'src/operator/observe/watch.ts',
    'src/store/replicas/replica.ts',
  ],
  'a factory of the simulated node: its methods share one chain': [
    'devtools/devnode/builders/internal.ts',
    'devtools/devnode/chain.ts',
    'devtools/devnode/controlled-chain.ts',
    'devtools/devnode/generate/blocks.ts',
    'devtools/devnode/generate/simulation.ts',
    'devtools/devnode/http/chain-answers.ts',
    'devtools/devnode/http/object-answers.ts',
    'devtools/devnode/http/router.ts',
    'devtools/devnode/live/chain.ts',
    'devtools/devnode/mining/mining.ts',
    'devtools/devnode/pool/pool.ts',
    'devtools/devnode/respond.ts',
    'devtools/devnode/store/chain-store.ts',
  ],
};
