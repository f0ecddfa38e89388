/** What every part may use. */
const BASE = ['observe', 'runtime', 'config'];
/** The words of the operator: names, types and the schema of the resource. */
const OPERATOR = ['operator/names', 'operator/types', 'operator/resource', 'operator/schema', ...BASE];
/** What there is of a copy and of a Job, read from what the caches hold. */
const READINGS = ['operator/observe/copies', 'operator/observe/jobs'];

/**
 * From where the files of a folder of src may import, besides the folder itself: folders or files below src. The longest path that
 * a file lies under counts for it. A folder that is not here is refused: enter it with what it may know.
 */
export const ARROWS: Record<string, readonly string[]> = {
  main: ['cli', 'commands'],
  commands: [
    'cli',
    'chain',
    'node',
    'store',
    'events',
    'api',
    'doctor',
    'operator',
    'devnode',
    'flow',
    'key',
    'demo',
    ...BASE,
  ],
  cli: [
    'chain',
    'node',
    'compiler',
    'store',
    'populate',
    'events',
    'api',
    'operator',
    'devnode',
    'flow',
    'key',
    ...BASE,
  ],

  chain: [],
  'chain/crypto': [],
  'chain/encoding': ['chain/crypto', 'chain/malformed'],
  'chain/serialize': ['chain/crypto', 'chain/encoding', 'chain/protocol', 'chain/transactions', 'chain/malformed'],
  'chain/recompute': ['chain/crypto', 'chain/encoding', 'chain/malformed'],
  'chain/work': ['chain/crypto', 'chain/encoding', 'chain/protocol', 'chain/serialize', 'chain/malformed'],

  observe: [],
  runtime: ['observe'],
  config: ['observe'],

  node: ['chain', ...BASE],
  // The compiler service is reached by the same HTTP exchange as the node.
  compiler: ['chain', 'node', ...BASE],

  store: ['chain', ...BASE],
  'store/connection': BASE,
  'store/schema': ['store/connection', ...BASE],
  'store/replicas': ['store/connection', 'store/schema', ...BASE],
  'store/queries': ['chain', 'store/connection', 'store/announced', 'store/event-kinds', ...BASE],
  'store/write': [
    'chain',
    'store/connection',
    'store/announced',
    'store/event-kinds',
    'store/proven',
    'store/rewrites',
    'store/work',
    ...BASE,
  ],
  'store/verify': ['chain', 'store/connection', ...BASE],

  populate: ['chain', 'node', 'compiler', 'store', ...BASE],
  events: ['chain', 'store', ...BASE],

  api: ['chain', 'node', 'compiler', 'store', ...BASE],
  'api/endpoints': [
    ...[
      'api/cost',
      'api/cursor',
      'api/deps',
      'api/endpoint',
      'api/exchange',
      'api/json-body',
      'api/parse',
      'api/query',
    ],
    ...['api/reply', 'api/export', 'api/schemas', 'chain', 'store', ...BASE],
  ],
  'api/export': ['api/exchange', 'api/parse', 'chain', 'store', ...BASE],
  'api/middleware': [
    ...['api/endpoint', 'api/endpoints', 'api/exchange', 'api/min-height', 'api/parse', 'api/reply'],
    ...['chain', 'store', ...BASE],
  ],
  'api/schemas': ['api/endpoint', 'chain', ...BASE],
  'api/upstream': ['api/deps', 'api/exchange', 'api/middleware', 'api/reply', 'api/streams', 'node', ...BASE],

  doctor: ['chain', 'node', 'compiler', 'store', ...BASE],

  operator: OPERATOR,
  'operator/schema': ['config'],
  'operator/desired': [...READINGS, ...OPERATOR],
  'operator/reload': ['operator/desired', 'operator/decide/blockers', ...READINGS, ...OPERATOR],
  'operator/decide': ['operator/desired', 'operator/reload', ...READINGS, ...OPERATOR],
  'operator/kube': OPERATOR,
  'operator/observe': ['operator/kube', 'operator/desired', 'operator/metrics', ...OPERATOR],
  'operator/apply': ['operator/kube', 'operator/observe', 'operator/metrics', ...OPERATOR],
  'operator/loop': [
    'operator/apply',
    'operator/decide',
    'operator/kube',
    'operator/observe',
    'operator/metrics',
    ...OPERATOR,
  ],
  'operator/plugin': ['operator/kube', ...OPERATOR],

  devnode: ['chain', 'observe'],
  // Walks flows against any node as its clients do.
  flow: ['chain', 'key', 'observe', 'config'],
  key: ['chain', 'observe'],
  'local-postgres': ['observe'],
  demo: ['chain', 'cli', 'devnode', 'key', 'local-postgres', ...BASE],
};
