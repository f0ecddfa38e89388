/** Faults of the compatible API: small changes of its source. The suites that compare it with models of the recordings must find each. */

export interface Fault {
  /** File below `src`. */
  file: string;
  /** Text that the file has once, and what it is replaced with. */
  from: string;
  to: string;
  /** The suite below `test/api/compat` that must fail. */
  suite: 'recorded' | 'paging' | 'logs' | 'channels';
}

const inFile =
  (file: string, suite: Fault['suite'] = 'recorded') =>
  (from: string, to: string): Fault => ({ file, from, to, suite });

const blocks = inFile('api/compat/render/blocks.ts');
const rows = inFile('api/compat/render/transactions.ts');
const filters = inFile('api/compat/transaction-filter.ts');
const scopes = inFile('api/compat/scope.ts');
const places = inFile('store/queries/compat/places.ts');
const transactions = inFile('store/queries/compat/transactions.ts');
const transactionLists = inFile('store/queries/compat/transaction-lists.ts');
const transactionTotals = inFile('store/queries/compat/transaction-totals.ts');
const storedBlocks = inFile('store/queries/compat/blocks.ts');
const objects = inFile('store/queries/compat/objects.ts');
const names = inFile('api/compat/render/names.ts');
const values = inFile('api/compat/render/values.ts');
const pointees = inFile('api/compat/endpoints/pointees.ts');
const nameLists = inFile('api/compat/endpoints/names.ts');
const oracles = inFile('api/compat/endpoints/oracles.ts');
const channels = inFile('api/compat/endpoints/channels.ts');
const openChannels = inFile('api/compat/endpoints/channels.ts', 'channels');
const contracts = inFile('api/compat/endpoints/contracts.ts');
const blockLists = inFile('api/compat/endpoints/blocks.ts');
const pages = inFile('api/compat/page.ts');
const pagesBack = inFile('api/compat/page.ts', 'paging');
const logs = inFile('api/compat/render/logs.ts', 'logs');

export const FAULTS: readonly Fault[] = [
  // Key blocks and micro blocks.
  blocks('micro_blocks_count: Number(row.micro_blocks)', 'micro_blocks_count: Number(row.transactions)'),
  blocks('transactions_count: Number(row.transactions),', 'transactions_count: Number(row.micro_blocks),'),
  blocks('row.reward === null ? null : BigInt(row.reward)', 'row.reward === null ? null : BigInt(row.reward) + 1n'),
  blocks('microOf(BigInt(row.position)) - 1', 'microOf(BigInt(row.position))'),
  blocks('transactions_count: row.transactions', 'transactions_count: row.transactions + 1'),
  storedBlocks(
    'WHERE height >= $1::bigint AND height <= $2::bigint',
    'WHERE height > $1::bigint AND height <= $2::bigint',
  ),
  storedBlocks('m.position >= $1::bigint AND', 'm.position > $1::bigint AND'),
  blockLists('microPosition(height, 1)', 'microPosition(height, 2)'),
  // Transactions.
  rows('micro_index: row.micro_index', 'micro_index: row.micro_index + 1'),
  rows('micro_time: Number(row.micro_time)', 'micro_time: Number(row.micro_time) + 1'),
  rows('tx_index: Number(row.tx_index)', 'tx_index: Number(row.tx_index) + 1'),
  rows("version === 'v2' && row.tx_index", "version === 'v3' && row.tx_index"),
  rows("block_hash: envelope['block_hash']!", "block_hash: envelope['hash']!"),
  rows('return printed;', 'return printed.slice(0, -1);'),
  rows('return { ...tx, ...additions };', 'return { ...additions };'),
  rows("integer(tx['nonce']) ?? 0n", "(integer(tx['nonce']) ?? 0n) + 1n"),
  rows('return_type: type ?? null', 'return_type: null'),
  rows(
    "return_type: type ?? null,\n    gas_used: call?.['gas_used'] ?? null",
    'return_type: type ?? null,\n    gas_used: null',
  ),
  rows("if (type === 'ok') return { result: 'ok'", "if (type === 'ok') return { result: 'invalid'"),
  rows("return { result: 'invalid', return: 'error' }", "return { result: 'ok', return: 'error' }"),
  rows("return { result: 'ok', return: 'invalid', revert", "return { result: 'invalid', return: 'invalid', revert"),
  rows("query: v.base64(tx['query'])", "query: tx['query']!"),
  rows("response: v.base64(tx['response'])", "response: tx['response']!"),
  rows("oracleId(textIn(tx, 'account_id'))", "oracleId(textIn(tx, 'sender_id'))"),
  rows("return_type: authentication?.['return_type'] ?? 'unknown'", "return_type: 'unknown'"),
  rows("gas_used: authentication?.['gas_used'] ?? null", 'gas_used: null'),
  transactions('g.tx_total - g.tx_count FROM', 'g.tx_total FROM'),
  transactions('+ (${t}.position & 65535)', '+ 0'),
  transactions('::int - 1 AS micro_index', '::int AS micro_index'),
  transactionLists('<= upto.count', '< upto.count'),
  transactionTotals('        UNION\n', '        UNION ALL\n'),
  transactionLists('WHERE p.type = y.code AND', 'WHERE'),
  // Filters, scopes and counts.
  filters('oracle: /^Oracle/', 'oracle: /^OracleR/'),
  filters("OracleRespondTx: 'oracle_response'", "OracleRespondTx: 'oracle_respond'"),
  filters("sender_id: ['ak']", "sender_id: ['ct']"),
  filters('filter.types.filter((one) => ofMember.includes(one))', 'filter.types'),
  scopes('low: keyPosition(Number(low))', 'low: keyPosition(Number(low) + 1)'),
  scopes('keyPosition(height + 1) - 1n : LAST', 'keyPosition(height) - 1n : LAST'),
  scopes('undefined : first < last', 'undefined : first > last'),
  scopes('Math.max(...ends)', 'Math.min(...ends)'),
  places('LEAST(m.tx_count, ${position} - m.position)', 'm.tx_count'),
  places('($1::bigint - (m.upto - m.tx_count))', '($1::bigint - (m.upto - m.tx_count) + 1)'),
  places('SELECT COALESCE((SELECT tx_total', 'SELECT 1 + COALESCE((SELECT tx_total'),
  places('WHERE g.type = y.code ORDER BY g.height DESC', 'WHERE g.type = y.code ORDER BY g.height'),
  places("? 'm.tx_count'", "? 'm.tx_count + 1'"),
  // Names.
  names(
    'hash: row.name_hash,\n    active: row.active,\n    active_from',
    'hash: row.name,\n    active: row.active,\n    active_from',
  ),
  names(
    'pointers: pointersOf(row),\n    ownership: { original: row.claimer ?? row.owner, current: row.owner }',
    'pointers: pointersOf(row),\n    ownership: { original: row.claimer ?? row.owner, current: row.claimer }',
  ),
  names(
    'expire_height: Number(row.expire_height),\n    approximate',
    'expire_height: Number(row.expire_height) + 1,\n    approximate',
  ),
  values("id: pointer['id'] ?? null", 'id: null'),
  values("typeof encoded === 'string' ? encoded : encodeId", "typeof encoded === 'string' ? null : encodeId"),
  pointees("pointer['id'] !== pointed) return [];", "pointer['id'] === pointed) return [];"),
  pointees('now?.active === true && now.update_position', 'now?.active !== true && now?.update_position'),
  pointees('active: now?.active === true', 'active: now?.active !== true'),
  pointees("value['current'] === true ?", "value['current'] !== true ?"),
  nameLists("wanted.has('auction')\n", "!wanted.has('auction')\n"),
  nameLists('prefix: query.prefix?.toLowerCase() ?? null', 'prefix: query.prefix ?? null'),
  nameLists('active && inactive ? null : active', 'active && inactive ? true : active'),
  // Oracles, channels and contracts.
  oracles("query_fee: effect.tx['query_fee']!", "query_fee: effect.tx['fee']!"),
  oracles("query: effect.tx['query_format']!", "query: effect.tx['type']!"),
  oracles('expire_height: Number(row.expire_height)', 'expire_height: Number(row.expire_height) + 1'),
  channels("initiator: tx['initiator_id'] ?? null", "initiator: tx['responder_id'] ?? null"),
  openChannels("return -amountIn(tx, 'amount')", "return amountIn(tx, 'amount')"),
  channels('steps.map(roundOf).findLast', 'steps.map(roundOf).find'),
  objects('${condition} AND NOT c.failed', '${condition}'),
  contracts('source_tx_hash: source!', 'source_tx_hash: block!'),
  // Pages.
  pages('inclusive: true, take: limit + 1 });\n  const after', 'inclusive: false, take: limit + 1 });\n  const after'),
  pages('inclusive: true, take: limit + 1 });\n  const after', 'inclusive: true, take: limit });\n  const after'),
  pagesBack('inclusive: false, take: limit + 1', 'inclusive: true, take: limit + 1'),
  pagesBack('prev: rows.length > limit ?', 'prev: rows.length >= limit ?'),
  pagesBack('page[0]!.key', 'page.at(-1)!.key'),
  pagesBack('.slice(0, limit).reverse()', '.slice(0, limit)'),
  // Logs of contracts.
  logs('log_idx: log.log_index', 'log_idx: log.log_index + 1'),
  logs('isForeign && !ofEmitter ? log.contract_id : null', 'isForeign ? log.contract_id : null'),
  logs('isForeign && ofEmitter ? called : null', 'null'),
  logs('event_name: log.event', 'event_name: null'),
];
