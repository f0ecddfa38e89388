/** Tokens of AEX-9, and what accounts hold of them. Accounts are the 32 bytes of their keys as integers. */
import { eventHash } from '../../../chain/event-names.js';
import type { Queryable } from '../../connection/database.js';
import { microHeight } from '../../micro-height.js';
import { answer, answers } from '../answer.js';
import { ofContractAndEvent, ofTopic, unestimated } from '../contract-logs.js';
import { parameters } from '../parameters.js';
import { listKey } from '../../../chain/tokens/meta.js';
import { beginsAt, nameOfPart } from './part.js';
import type { Part } from './part.js';
import { numberOf } from './totals.js';
import type { Total } from './totals.js';
import { placeOf, transactionIndex } from './transactions.js';
import type { Answer, Answers } from '../answer.js';

export interface TokenRow {
  contract_id: string;
  kind: 9 | 141;
  /** Of the transaction that created it, or of the first one in which it was seen, and its hash. */
  position: string;
  hash: string;
  /** Of its micro block; time in ms. */
  height: string;
  time: string;
  /** `due`, `ok`, `failed`, `malformed`. */
  meta_state: string;
  /** JSON text of what it says of itself. */
  meta: string | null;
  initial_supply: string | null;
  supply: string;
  holders: string;
  logs: string;
  /** What did not match when it was asked what it holds: `balances`, `owners`, `supply`; `negative` where its events make it hold less than nothing. */
  invalid: string | null;
  /** Whether what it told matched its events when it last answered. */
  matched: boolean;
  /** By which it is sorted. */
  sort_key: string;
}

/** Creations that failed made no contract. */
const IS_TOKEN = (kind: string): string => `
  t.kind = ${kind} AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed)`;

/** What does not match of a token `t`; null if nothing of that is known. */
const INVALID = `COALESCE(t.invalid, CASE WHEN EXISTS (
    SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
  ) THEN 'negative' END)`;

/** The same of the token of a row. */
export const invalidOf = (contract: string): string => `(
    SELECT ${INVALID} FROM tokens AS t WHERE t.contract_id = ${contract}
  )`;

const TOKEN = `
  t.contract_id, t.kind, t.position, x.hash, ${microHeight('m')} AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
  ${INVALID} AS invalid, t.matched`;

const CREATION = placeOf('t.position');

type TokenOrder = 'name' | 'symbol' | 'creation';

const SORTED: Readonly<Record<TokenOrder, string>> = {
  name: 't.name_key',
  symbol: 't.symbol_key',
  creation: 't.position',
};

interface TokensFilter {
  kind: 9 | 141;
  by: TokenOrder;
  /** What the name (or symbol) begins with. */
  prefix: string | null;
  /** The whole name (or symbol). */
  exact: string | null;
}

/** What a list asks for of a row `t`, and how its statement is named for that. */
function conditionsOf(
  { kind, by, prefix, exact }: TokensFilter,
  value: (one: unknown, type: string) => string,
): { conditions: string[]; name: string } {
  const column = SORTED[by];
  const conditions = [IS_TOKEN(value(kind, 'smallint'))];
  if (prefix !== null) {
    const first = value(listKey(prefix), 'text');
    conditions.push(`AND ${column} >= ${first} AND ${column} < ${first} || chr(1114111)`);
  }
  if (exact !== null) {
    // No text within the JSON text has a quote: members can be looked for.
    const member = `${by === 'symbol' ? ',"symbol":' : '{"name":'}${JSON.stringify(exact)},`;
    conditions.push(
      `AND ${column} = ${value(listKey(exact), 'text')} AND strpos(t.meta, ${value(member, 'text')}) > 0`,
    );
  }
  const name = [by, ...(prefix === null ? [] : ['prefix']), ...(exact === null ? [] : ['exact'])].join('.');
  return { conditions, name };
}

/** A page of tokens, in its order. */
export function compatTokens(
  db: Queryable,
  filter: TokensFilter,
  part: Part<{ key: string; contract: string }>,
): Promise<Answers<TokenRow>> {
  const { by } = filter;
  const column = SORTED[by];
  const order = part.ascending ? '' : 'DESC';
  const asked = parameters();
  const { add: value } = asked;
  const { conditions, name } = conditionsOf(filter, value);
  if (part.from !== undefined) {
    const key = value(part.from.key, by === 'creation' ? 'bigint' : 'text');
    conditions.push(
      `AND ${beginsAt(part, `${column}, t.contract_id`, `${key}, ${value(part.from.contract, 'text')}`)}`,
    );
  }
  return answers<TokenRow>(db, {
    name: nameOfPart(`compat.tokens.${name}`, part),
    text: `
      SELECT ${TOKEN}, ${column}::text AS sort_key FROM (
        SELECT * FROM tokens AS t WHERE ${conditions.join(' ')}
        ORDER BY ${column} ${order}, t.contract_id ${order} LIMIT ${value(part.take, 'bigint')}
      ) AS t
      ${CREATION}
      ORDER BY ${column} ${order}, t.contract_id ${order}`,
    values: asked.values,
    types: asked.types,
  });
}

/** Number of tokens of a list. */
export function compatTokenTotal(db: Queryable, filter: TokensFilter): Promise<Answer<Total>> {
  if (filter.prefix === null && filter.exact === null) return compatTokenCount(db, filter.kind);
  const { add, values, types } = parameters();
  const { conditions, name } = conditionsOf(filter, add);
  return answer<Total>(db, {
    name: `compat.token_total.${name}`,
    text: numberOf(`SELECT FROM tokens AS t WHERE ${conditions.join(' ')}`),
    values,
    types,
  });
}

/** A token of one of the kinds. */
export function compatToken(db: Queryable, kinds: readonly (9 | 141)[], contract: string): Promise<Answer<TokenRow>> {
  const { add, addWords, values, types } = parameters();
  const id = add(contract, 'text');
  return answer<TokenRow>(db, {
    name: 'compat.token',
    text: `
      SELECT ${TOKEN}, '' AS sort_key FROM tokens AS t ${CREATION}
      WHERE t.contract_id = ${id} AND ${IS_TOKEN(`ANY (${addWords(kinds)}::smallint[])`)}`,
    values,
    types,
  });
}

export function compatTokenCount(db: Queryable, kind: 9 | 141): Promise<Answer<{ count: string }>> {
  return answer(db, {
    name: 'compat.token_count',
    text: `SELECT count(*) AS count FROM tokens AS t WHERE ${IS_TOKEN('$1::smallint')}`,
    values: [kind],
  });
}

export interface BalanceRow {
  contract_id: string;
  account: string;
  amount: string;
  /** The event that changed it last; -1 for the creation of the token. */
  log_index: number;
  position: string;
  hash: string;
  /** Of its micro block; time in ms. */
  block_hash: string;
  height: string;
  time: string;
  /** As of a token. */
  invalid: string | null;
  matched: boolean;
}

/** Joins the token `t` of a row. The limit keeps PostgreSQL from reading all tokens to join a few. */
export const TOKEN_OF = (row: string): string =>
  `CROSS JOIN LATERAL (SELECT o.* FROM tokens AS o WHERE o.contract_id = ${row}.contract_id LIMIT 1) AS t`;

/** What a balance `b` of a token `t` is shown with. */
const BALANCE = `
  b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
  x.position, x.hash, m.hash AS block_hash, ${microHeight('m')} AS height, m.time,
  ${INVALID} AS invalid, t.matched`;

const JOINED = placeOf('COALESCE(b.position, t.position)');

/** Balances of a token that are not 0, by account or by amount. */
export function compatBalances(
  db: Queryable,
  contract: string,
  by: 'pubkey' | 'amount',
  part: Part<{ amount: string; account: string }>,
): Promise<Answers<BalanceRow>> {
  const order = part.ascending ? '' : 'DESC';
  const sorted = by === 'amount' ? `b.amount ${order}, b.account ${order}` : `b.account ${order}`;
  const { from } = part;
  const { add, values, types } = parameters();
  const [id, take] = [add(contract, 'text'), add(part.take, 'bigint')];
  const place = (): string =>
    by === 'amount'
      ? beginsAt(part, 'b.amount, b.account', `${add(from!.amount, 'numeric')}, ${add(from!.account, 'numeric')}`)
      : beginsAt(part, 'b.account', add(from!.account, 'numeric'));
  const start = from === undefined ? '' : `AND ${place()}`;
  return answers<BalanceRow>(db, {
    name: nameOfPart(`compat.token_balances.${by}`, part),
    text: `
      SELECT ${BALANCE}
      FROM (
        SELECT * FROM token_balances AS b WHERE b.contract_id = ${id} AND b.amount <> 0 ${start} ORDER BY ${sorted} LIMIT ${take}
      ) AS b
      ${TOKEN_OF('b')}
      ${JOINED}
      ORDER BY ${sorted}`,
    values,
    types,
  });
}

/** Number of accounts with a balance that is not 0. That of those above 0 is stored; below 0 are only balances of tokens whose events are not right. */
export function compatBalanceTotal(db: Queryable, contract: string): Promise<Answer<{ count: string }>> {
  return answer(db, {
    name: 'compat.token_balance_total',
    text: `
      SELECT t.holders + (
        SELECT count(*) FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount <> 0 AND b.amount < 0
      ) AS count
      FROM tokens AS t WHERE t.contract_id = $1`,
    values: [contract],
    types: ['text'],
  });
}

/**
 * Balances of a token that are not 0 after the blocks below a position: by account; of one account where it is given. They follow from its logs, and
 * for an invalid token, at a position that is not below its last check, from what it told.
 */
export function compatBalancesAt(
  db: Queryable,
  contract: string,
  end: bigint,
  account: bigint | null,
): Promise<Answers<{ account: string; amount: string }>> {
  return answers(db, {
    name: account === null ? 'compat.token_balances_at' : 'compat.token_balance_at',
    text: `
      SELECT s.account::text AS account, sum(s.delta)::text AS amount
      FROM (
        SELECT d.account, d.delta
        FROM tokens AS t
        JOIN contract_logs AS l ON hashtextextended(l.contract_id, 0) = hashtextextended($1::text, 0) AND l.contract_id = $1::text
          AND l.position < $2::bigint AND l.position >= COALESCE(t.base_position, 0)
        CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
        WHERE t.contract_id = $1 AND t.kind = 9 AND COALESCE(t.told_position, $2 + 1) > $2
        UNION ALL
        SELECT b.account, b.told
        FROM tokens AS t JOIN token_balances AS b ON b.contract_id = t.contract_id
        WHERE t.contract_id = $1 AND t.kind = 9 AND b.told IS NOT NULL AND t.told_position <= $2::bigint
        UNION ALL
        SELECT b.account, b.base
        FROM tokens AS t JOIN token_balances AS b ON b.contract_id = t.contract_id
        WHERE t.contract_id = $1 AND t.kind = 9 AND b.base IS NOT NULL AND t.base_position <= $2::bigint
          AND COALESCE(t.told_position, $2 + 1) > $2
      ) AS s
      ${account === null ? '' : 'WHERE s.account = $3::numeric'}
      GROUP BY s.account HAVING sum(s.delta) <> 0`,
    values: account === null ? [contract, end] : [contract, end, account],
  });
}

interface HistoryOf {
  contract: string;
  account: bigint;
  /** Heights, both included. */
  low: bigint;
  high: bigint;
}

const eventsOf = (topic: string): string => `
        SELECT l.position >> 33 AS height, d.delta
        FROM tokens AS t
        JOIN contract_logs AS l ON l.contract_id = $1 AND ${ofTopic(topic, '$2::numeric')} AND ${topic} = $2::numeric
          AND l.position >= COALESCE(t.base_position, 0) AND l.position < COALESCE(t.told_position, 9223372036854775807)
        CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
        WHERE t.contract_id = $1 AND d.account = $2::numeric`;

/** FROM of the balances `h` of an account `$2` after each generation that changed what it holds of a token `$1`, between two heights. */
const HISTORY = `
      FROM (
        SELECT a.height, a.amount, lag(a.amount, 1, 0::numeric) OVER (ORDER BY a.height) AS before
        FROM (
          SELECT s.height, CASE WHEN bool_or(s.told IS NOT NULL) THEN max(s.told) ELSE sum(sum(s.delta)) OVER (ORDER BY s.height) END AS amount
          FROM (
            SELECT e.height, e.delta, NULL::numeric AS told FROM (${eventsOf('l.topics[2]')} UNION ALL ${eventsOf('l.topics[3]')} AND l.topics[2] <> $2::numeric) AS e
            UNION ALL
            SELECT (t.base_position - 1) >> 33, b.base, NULL FROM tokens AS t JOIN token_balances AS b ON b.contract_id = t.contract_id
            WHERE t.contract_id = $1 AND b.account = $2::numeric AND b.base IS NOT NULL
            UNION ALL
            SELECT (t.told_position - 1) >> 33, 0, b.amount FROM tokens AS t JOIN token_balances AS b ON b.contract_id = t.contract_id
            WHERE t.contract_id = $1 AND b.account = $2::numeric AND ${unestimated('t.told_position IS NOT NULL')}
          ) AS s GROUP BY s.height
        ) AS a
      ) AS h
      WHERE h.amount <> h.before AND h.height BETWEEN $3::bigint AND $4::bigint`;

/**
 * What an account held of a token after the generations that changed it, in a range of heights. That of an invalid token follows from its events up to
 * its last check, where it is what it told.
 */
export function compatBalanceHistory(
  db: Queryable,
  { contract, account, low, high }: HistoryOf,
  part: Part<bigint>,
): Promise<Answers<{ height: string; amount: string }>> {
  const values: unknown[] = [contract, account, low, high, part.take];
  if (part.from !== undefined) values.push(part.from);
  return answers(db, {
    name: nameOfPart('compat.token_balance_history', part),
    text: `
      SELECT h.height, h.amount::text AS amount
      ${HISTORY} ${part.from === undefined ? '' : `AND ${beginsAt(part, 'h.height', '$6::bigint')}`}
      ORDER BY h.height ${part.ascending ? '' : 'DESC'} LIMIT $5::bigint`,
    values,
  });
}

/** Number of those balances. */
export const compatBalanceHistoryTotal = (
  db: Queryable,
  { contract, account, low, high }: HistoryOf,
): Promise<Answer<Total>> =>
  answer<Total>(db, {
    name: 'compat.token_balance_history_total',
    text: numberOf(`SELECT ${HISTORY}`),
    values: [contract, account, low, high],
  });

/** The balance of an account; no row if no event and no answer of the token names it. */
export function compatBalance(db: Queryable, contract: string, account: bigint): Promise<Answer<{ amount: string }>> {
  return answer(db, {
    name: 'compat.token_balance',
    text: 'SELECT amount::text AS amount FROM token_balances WHERE contract_id = $1 AND account = $2::numeric',
    values: [contract, account],
    types: ['text', 'numeric'],
  });
}

export interface HeldRow extends BalanceRow {
  meta_state: string;
  meta: string | null;
  tx_index: string;
  tx_type: string;
}

/** Balances `b` of tokens of AEX-9 of an account `$1`, also those that are 0. */
const HOLDINGS = `token_balances AS b
  WHERE b.account = $1::numeric AND (SELECT t.kind FROM tokens AS t WHERE t.contract_id = b.contract_id) = 9`;

/** What an account holds of tokens, by the id of the token; also what it held (`also`). */
export function compatHoldings(
  db: Queryable,
  account: bigint,
  part: Part<string>,
  also: 'held' | null = 'held',
): Promise<Answers<HeldRow>> {
  const order = part.ascending ? '' : 'DESC';
  return answers<HeldRow>(db, {
    name: nameOfPart(also === 'held' ? 'compat.token_holdings' : 'tokens.holdings', part),
    text: `
      SELECT ${BALANCE}, t.meta_state, t.meta, y.name AS tx_type, ${transactionIndex('x')} AS tx_index
      FROM (
        SELECT * FROM ${HOLDINGS} ${also === 'held' ? '' : 'AND b.amount <> 0'}
        ${part.from === undefined ? '' : `AND ${beginsAt(part, 'b.contract_id', '$3::text')}`}
        ORDER BY b.contract_id ${order} LIMIT $2::bigint
      ) AS b
      ${TOKEN_OF('b')}
      ${JOINED}
      JOIN types AS y ON y.code = x.type
      ORDER BY b.contract_id ${order}`,
    values: [account, part.take, ...(part.from === undefined ? [] : [part.from])],
    types: ['numeric', 'bigint', ...(part.from === undefined ? [] : ['text'])],
  });
}

/** Number of tokens that an account holds or held. */
export const compatHoldingTotal = (db: Queryable, account: bigint): Promise<Answer<Total>> =>
  answer<Total>(db, {
    name: 'compat.token_holding_total',
    text: numberOf(`SELECT FROM ${HOLDINGS}`),
    values: [account],
    types: ['numeric'],
  });

/** Position behind a block: its state is that of all transactions below. */
export function compatEndOf(db: Queryable, block: string): Promise<Answer<{ position: string }>> {
  return answer(db, {
    name: block.startsWith('kh') ? 'compat.end_of_key_block' : 'compat.end_of_micro_block',
    text: block.startsWith('kh')
      ? 'SELECT height << 33 AS position FROM key_blocks WHERE hash = $1'
      : 'SELECT position + 65536 AS position FROM micro_blocks WHERE hash = $1',
    values: [block],
  });
}

export interface OwnedRow {
  contract_id: string;
  token_id: string;
  owner: string;
  /** Of the transaction that moved it last. */
  position: string;
  hash: string;
  height: string;
  time: string;
  /** As of a token: of its collection. */
  invalid: string | null;
}

const OWNED = `
  w.contract_id, w.token_id::text AS token_id, w.owner::text AS owner, x.position, x.hash, ${microHeight('m')} AS height, m.time,
  ${invalidOf('w.contract_id')} AS invalid`;

const MOVED = placeOf('w.position');

export interface SingleRow {
  /** JSON text of what its collection says of itself. */
  collection_meta: string | null;
  /** Null if there is no such token, or if it is burnt. */
  owner: string | null;
  /** `due`, `ok`, `failed`, `malformed`; null before the token has a row. */
  state: string | null;
  /** JSON text; null with the state `ok`: it has none. */
  metadata: string | null;
  /** As of a token: of its collection. */
  invalid: string | null;
}

/** A single token of a collection; no row if the contract is no collection. */
export function compatSingle(db: Queryable, contract: string, single: bigint): Promise<Answer<SingleRow>> {
  return answer<SingleRow>(db, {
    name: 'compat.single_token',
    text: `
      SELECT t.meta AS collection_meta, o.owner::text AS owner, m.state, m.metadata, ${INVALID} AS invalid
      FROM tokens AS t
      LEFT JOIN token_owners AS o ON o.contract_id = t.contract_id AND o.token_id = $2::numeric
      LEFT JOIN token_metadata AS m ON m.contract_id = o.contract_id AND m.token_id = o.token_id
      WHERE t.contract_id = $1 AND ${IS_TOKEN('141')}`,
    values: [contract, single],
    types: ['text', 'numeric'],
  });
}

/** Single tokens `o` of a collection `$1` that are not burnt. */
const SINGLES = `token_owners AS o
  WHERE o.contract_id = $1 AND o.owner IS NOT NULL`;

/** The single tokens of a collection that are not burnt, by their numbers. */
export function compatSingles(db: Queryable, contract: string, part: Part<string>): Promise<Answers<OwnedRow>> {
  const order = part.ascending ? '' : 'DESC';
  return answers<OwnedRow>(db, {
    name: nameOfPart('compat.single_tokens', part),
    text: `
      SELECT ${OWNED} FROM (
        SELECT * FROM ${SINGLES} ${part.from === undefined ? '' : `AND ${beginsAt(part, 'o.token_id', '$3::numeric')}`}
        ORDER BY o.token_id ${order} LIMIT $2::bigint
      ) AS w
      ${MOVED}
      ORDER BY w.token_id ${order}`,
    values: [contract, part.take, ...(part.from === undefined ? [] : [part.from])],
    types: ['text', 'bigint', ...(part.from === undefined ? [] : ['numeric'])],
  });
}

/** Number of single tokens of a collection. */
export const compatSingleTotal = (db: Queryable, contract: string): Promise<Answer<Total>> =>
  answer<Total>(db, {
    name: 'compat.single_token_total',
    text: numberOf(`SELECT FROM ${SINGLES}`),
    values: [contract],
    types: ['text'],
  });

/** The single tokens of an account, by collection and number; of one collection where it is given. */
export function compatOwned(
  db: Queryable,
  owner: bigint,
  contract: string | null,
  part: Part<{ contract: string; token: string }>,
): Promise<Answers<OwnedRow>> {
  const order = part.ascending ? '' : 'DESC';
  const { add: value, values, types } = parameters();
  const [account, take] = [value(owner, 'numeric'), value(part.take, 'bigint')];
  const only = contract === null ? '' : `AND o.contract_id = ${value(contract, 'text')}`;
  const { from } = part;
  const place =
    from === undefined
      ? ''
      : `AND ${beginsAt(part, 'o.contract_id, o.token_id', `${value(from.contract, 'text')}, ${value(from.token, 'numeric')}`)}`;
  return answers<OwnedRow>(db, {
    name: nameOfPart(`compat.owned_tokens${contract === null ? '' : '.contract'}`, part),
    text: `
      SELECT ${OWNED} FROM (
        SELECT * FROM token_owners AS o WHERE o.owner = ${account} ${only} ${place}
        ORDER BY o.contract_id ${order}, o.token_id ${order} LIMIT ${take}
      ) AS w
      ${MOVED}
      ORDER BY w.contract_id ${order}, w.token_id ${order}`,
    values,
    types,
  });
}

/** Number of single tokens of an account. */
export function compatOwnedTotal(db: Queryable, owner: bigint, contract: string | null): Promise<Answer<Total>> {
  const { add, values, types } = parameters();
  const account = add(owner, 'numeric');
  const only = contract === null ? '' : `AND o.contract_id = ${add(contract, 'text')}`;
  return answer<Total>(db, {
    name: `compat.owned_token_total${contract === null ? '' : '.contract'}`,
    text: numberOf(`SELECT FROM token_owners AS o WHERE o.owner = ${account} ${only}`),
    values,
    types,
  });
}

export interface CollectionRow {
  contract_id: string;
  /** Single tokens that were made, also those that were burnt. */
  made: string;
  /** Null: no limit was set. */
  token_limit: string | null;
  template_limit: string | null;
  /** The event that set a limit last. */
  limit_hash: string | null;
  limit_index: number | null;
}

/** The newest event that set a limit: the limit is its last argument. */
const limitOf = (events: readonly string[]): string => `
  SELECT n.position, n.log_index, n.topics[cardinality(n.topics)]::text AS value FROM (
    ${events
      .map(
        (event) => `
    (SELECT l.position, l.log_index, l.topics FROM contract_logs AS l
    WHERE ${ofContractAndEvent('l', 'w.id', `${eventHash(event)}::numeric`)}
      AND l.contract_id = w.id AND l.topics[1] = ${eventHash(event)}::numeric
    ORDER BY l.position DESC, l.log_index DESC LIMIT 1)`,
      )
      .join(' UNION ALL ')}
  ) AS n ORDER BY n.position DESC, n.log_index DESC LIMIT 1`;

/** What collections have beside what all tokens have. */
export function compatCollections(db: Queryable, contracts: readonly string[]): Promise<Answers<CollectionRow>> {
  return answers<CollectionRow>(db, {
    name: 'compat.collections',
    text: `
      SELECT w.id AS contract_id, (SELECT count(*) FROM token_owners AS o WHERE o.contract_id = w.id) AS made,
        a.value AS token_limit, b.value AS template_limit, x.hash AS limit_hash,
        CASE WHEN b.position IS NULL OR (a.position, a.log_index) > (b.position, b.log_index) THEN a.log_index ELSE b.log_index END AS limit_index
      FROM unnest($1::text[]) AS w (id)
      LEFT JOIN LATERAL (${limitOf(['TokenLimit', 'TokenLimitDecrease'])}) AS a ON true
      LEFT JOIN LATERAL (${limitOf(['TemplateLimit', 'TemplateLimitDecrease'])}) AS b ON true
      LEFT JOIN transactions AS x ON x.position = GREATEST(a.position, b.position)`,
    values: [contracts],
  });
}

/** Which of some contracts are tokens. */
export function compatTokenKinds(
  db: Queryable,
  contracts: readonly string[],
): Promise<Answers<{ contract_id: string; kind: 9 | 141 }>> {
  return answers(db, {
    name: 'compat.token_kinds',
    text: 'SELECT contract_id, kind FROM tokens WHERE contract_id = ANY ($1::text[]) AND kind > 0',
    values: [contracts],
  });
}
