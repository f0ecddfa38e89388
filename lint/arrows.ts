/** Folders that every part may import. */
const BASE = ['observe', 'runtime', 'config'];
/** Names and types of the operator, and the schema of the resource. */
const OPERATOR = [
  'operator/names',
  'operator/types',
  'operator/resource',
  'operator/schema',
  'operator/times',
  ...BASE,
];
/** What objects of the caches say: of pods, Jobs, Deployments, colors. `world`: of a whole resource. */
const READINGS = ['operator/readings'];
const WORLD = ['operator/world', 'operator/condition-state', 'operator/migration-fault', ...READINGS];

/**
 * For each folder or file below src, and for the package `devtools`: the folders and files that it may import, in addition to itself.
 * For a file the entry with the longest matching path counts. A folder without an entry is refused: add it with the folders that it may import.
 */
export const ARROWS: Record<string, readonly string[]> = {
  main: ['cli', 'commands', 'observe'],
  commands: ['cli', 'chain', 'node', 'store', 'events', 'api', 'doctor', 'operator', ...BASE],
  cli: ['chain', 'node', 'compiler', 'store', 'populate', 'events', 'api', 'operator', ...BASE],

  chain: [],
  'chain/crypto': [],
  'chain/encoding': ['chain/crypto', 'chain/malformed'],
  'chain/serialize': ['chain/crypto', 'chain/encoding', 'chain/protocol', 'chain/transactions', 'chain/malformed'],
  'chain/recompute': ['chain/crypto', 'chain/encoding', 'chain/malformed'],
  'chain/signatures': [
    ...['chain/encoding', 'chain/facts', 'chain/malformed', 'chain/proof', 'chain/protocol', 'chain/serialize'],
    'chain/transactions',
  ],
  'chain/work': [
    ...['chain/crypto', 'chain/encoding', 'chain/protocol', 'chain/serialize', 'chain/malformed'],
    'chain/networks',
  ],

  observe: [],
  runtime: ['observe'],
  config: ['observe'],

  node: ['chain', ...BASE],
  // The compiler service is reached by the same HTTP exchange as the node.
  compiler: ['chain', 'node', ...BASE],

  store: ['chain', ...BASE],
  'store/connection': BASE,
  'store/facts': ['chain', 'store/connection', 'store/micro-height', ...BASE],
  'store/projections': [
    'chain',
    'store/connection',
    'store/facts',
    'store/backfills',
    'store/contract-logs',
    'store/due-infos',
    'store/generation-members',
    'store/internal-calls',
    'store/lists',
    'store/postponed',
    'store/queries/active-accounts',
    'store/rewrites',
    ...BASE,
  ],
  'store/schema': ['store/chain-state', 'store/connection', 'store/projections', ...BASE],
  'store/replicas': ['store/connection', 'store/schema', ...BASE],
  'store/queries': [
    'chain',
    'store/connection',
    'store/announced',
    'store/event-kinds',
    'store/generation-members',
    'store/log-texts',
    'store/micro-height',
    'store/positions',
    ...BASE,
  ],
  'store/write': [
    'chain',
    'store/connection',
    'store/facts',
    'store/announced',
    'store/due-infos',
    'store/event-kinds',
    'store/lists',
    'store/log-texts',
    'store/micro-height',
    'store/projections',
    'store/proven',
    'store/rewrites',
    'store/unknown-infos',
    'store/work',
    ...BASE,
  ],
  'store/verify': [
    'chain',
    'store/connection',
    'store/facts',
    'store/projections',
    'store/schema',
    'store/event-kinds',
    ...BASE,
  ],

  populate: ['chain', 'node', 'compiler', 'store', ...BASE],
  events: ['chain', 'store', ...BASE],

  api: ['chain', 'node', 'compiler', 'store', ...BASE],
  'api/endpoints': [
    ...[
      'api/coin-holders',
      'api/compat-prefix',
      'api/cost',
      'api/cursor',
      'api/deps',
      'api/endpoint',
      'api/exchange',
      'api/json-body',
      'api/key-pages',
      'api/last-read',
      'api/ledger-query',
      'api/log-query',
      'api/parse',
      'api/query',
      'api/token-lists',
      'api/token-rows',
    ],
    ...['api/prepared', 'api/reply', 'api/export', 'api/schemas', 'chain', 'store', ...BASE],
  ],
  'api/compat': ['api', 'chain', 'compiler', 'node', 'store', ...BASE],
  'api/descriptions': ['api/deps', 'api/endpoint', 'api/endpoints', 'api/prepared', 'api/schemas', 'chain', ...BASE],
  'api/export': ['api/exchange', 'api/parse', 'chain', 'store', ...BASE],
  'api/middleware': [
    ...[
      'api/compat-prefix',
      'api/encodings',
      'api/endpoint',
      'api/endpoints',
      'api/exchange',
      'api/min-height',
      'api/parse',
      'api/prepared',
      'api/reply',
    ],
    ...['chain', 'store', ...BASE],
  ],
  'api/schemas': ['chain', ...BASE],
  'api/upstream': [
    'api/bodies',
    'api/deps',
    'api/exchange',
    'api/middleware',
    'api/reply',
    'api/streams',
    'node',
    ...BASE,
  ],

  doctor: ['chain', 'node', 'compiler', 'store', ...BASE],

  operator: OPERATOR,
  'operator/metrics': ['operator/kube', ...OPERATOR],
  'operator/schema': ['config'],
  'operator/readings': OPERATOR,
  'operator/desired': [...READINGS, ...OPERATOR],
  'operator/world': ['operator/desired', 'operator/migration-fault', ...READINGS, ...OPERATOR],
  'operator/migration-fault': [...READINGS, ...OPERATOR],
  'operator/reload': ['operator/desired', ...WORLD, ...OPERATOR],
  'operator/decide': ['operator/desired', 'operator/reload', ...WORLD, ...OPERATOR],
  'operator/kube': OPERATOR,
  'operator/observe': ['operator/kube', 'operator/desired', 'operator/metrics', ...OPERATOR],
  'operator/apply': ['operator/kube', 'operator/observe', 'operator/metrics', ...OPERATOR],
  'operator/loop': [
    'operator/apply',
    'operator/decide',
    'operator/kube',
    'operator/observe',
    'operator/metrics',
    ...READINGS,
    ...OPERATOR,
  ],
  'operator/plugin': ['operator/kube', ...OPERATOR],

  // The package beside src. Nothing in src may import it.
  devtools: ['chain', 'cli', ...BASE],
};
