/** Transfers of tokens, from the logs of their contracts. */
import { eventHash } from '../../../chain/event-names.js';
import type { Queryable } from '../../connection/database.js';
import { microHeight } from '../../micro-height.js';
import { answer, answers } from '../answer.js';
import type { Answer, Answers } from '../answer.js';
import { ofContractAndEvent, ofTopic, unestimated } from '../contract-logs.js';
import { parameters } from '../parameters.js';
import { beginsAt, nameOfPart } from './part.js';
import type { Part } from './part.js';
import { invalidOf, TOKEN_OF } from './tokens.js';
import { COUNTED, numberOf } from './totals.js';
import type { Total } from './totals.js';
import { placeOf } from './transactions.js';

export interface TransferRow {
  position: string;
  log_index: number;
  contract_id: string;
  /** Event, sender, recipient, and amount or number of the single token: decimal digits. */
  topics: string[];
  hash: string;
  height: string;
  time: string;
  /** As of a token: of the one that was moved. */
  invalid: string | null;
}

interface TransfersOf {
  kind: 9 | 141;
  /** One of this kind. */
  contract?: string;
  sender?: bigint;
  recipient?: bigint;
  /** Sender or recipient. */
  account?: bigint;
}

const TRANSFER = eventHash('Transfer');

type LogsPart = Part<{ position: bigint; index: bigint }>;

/** Where the logs of a part of a list are found. */
interface Found {
  /** FROM item. */
  logs: string;
  sorted: string;
  take: string;
  /** Of what is asked for, in names of statements. */
  name: string;
  values: unknown[];
  types: string[];
}

/** Transfers of a part. */
function transfersIn({ kind, contract, sender, recipient, account }: TransfersOf, part: LogsPart): Found {
  const { add: value, values, types } = parameters();
  const take = value(part.take, 'bigint');
  const event = value(TRANSFER, 'numeric');
  const shared = [`l.topics[1] = ${event}`, 'cardinality(l.topics) = 4'];
  const own = contract === undefined ? undefined : value(contract, 'text');
  // One value at a time: PostgreSQL would read all tokens to look up some.
  if (own === undefined)
    shared.push(`(SELECT t.kind FROM tokens AS t WHERE t.contract_id = l.contract_id) = ${value(kind, 'smallint')}`);
  else shared.push(`l.contract_id = ${own}`);
  const from = sender === undefined ? undefined : value(sender, 'numeric');
  const to = recipient === undefined ? undefined : value(recipient, 'numeric');
  const either = account === undefined ? undefined : value(account, 'numeric');
  if (from !== undefined) shared.push(`l.topics[2] = ${from}`);
  if (to !== undefined) shared.push(`l.topics[3] = ${to}`);
  /** What an index finds, and what is left to compare. No transfer is in two alternatives. */
  const alternatives: (readonly [indexed: string, exact: readonly string[]])[] =
    either !== undefined
      ? [
          [ofTopic('l.topics[2]', either), [`l.topics[2] = ${either}`]],
          [ofTopic('l.topics[3]', either), [`l.topics[3] = ${either}`, `l.topics[2] <> ${either}`]],
        ]
      : from !== undefined
        ? [[ofTopic('l.topics[2]', from), []]]
        : to !== undefined
          ? [[ofTopic('l.topics[3]', to), []]]
          : [[ofContractAndEvent('l', own ?? "''", event), []]];
  const order = part.ascending ? '' : 'DESC';
  const place =
    part.from === undefined
      ? ''
      : `AND ${beginsAt(part, 'l.position, l.log_index', `${value(part.from.position, 'bigint')}, ${value(part.from.index, 'int')}`)}`;
  const sorted = `l.position ${order}, l.log_index ${order}`;
  const found = alternatives.map(
    ([indexed, exact]) => `
      (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
      WHERE ${indexed} AND ${[...shared, ...exact].map(unestimated).join(' AND ')} ${place} ORDER BY ${sorted} LIMIT ${take})`,
  );
  const filter = Object.entries({ contract, sender, recipient, account }).flatMap(([name, one]) =>
    one === undefined ? [] : [name],
  );
  return { logs: `(${found.join(' UNION ALL ')}) AS l`, sorted, take, name: filter.join('-'), values, types };
}

/** A page of transfers, in its order. */
export function compatTransfers(db: Queryable, of: TransfersOf, part: LogsPart): Promise<Answers<TransferRow>> {
  const { logs, sorted, take, name, values, types } = transfersIn(of, part);
  return answers<TransferRow>(db, {
    name: nameOfPart(`compat.token_transfers.${name}`, part),
    text: `
      SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, ${microHeight('m')} AS height, m.time,
        ${invalidOf('l.contract_id')} AS invalid
      FROM (SELECT * FROM ${logs} ORDER BY ${sorted} LIMIT ${take}) AS l
      ${placeOf('l.position')}
      ORDER BY ${sorted}`,
    values,
    types,
  });
}

const totalOf = (db: Queryable, list: string, { logs, name, values, types }: Found): Promise<Answer<Total>> =>
  answer<Total>(db, { name: `${list}.${name}`, text: numberOf(`SELECT FROM ${logs}`), values, types });

/** Number of transfers. */
export const compatTransferTotal = (db: Queryable, of: TransfersOf): Promise<Answer<Total>> =>
  totalOf(db, 'compat.token_transfer_total', transfersIn(of, COUNTED));

export interface MoveRow extends Omit<TransferRow, 'invalid'> {
  kind: 9 | 141;
  block_hash: string;
  meta_state: string;
  meta: string | null;
}

interface MovesOf {
  account: bigint;
  kinds: readonly (9 | 141)[];
  /** Only those of this token. */
  contract?: string | undefined;
  /** Only those that take something from the account. */
  sent: boolean;
  /** Positions, both inclusive. */
  low: bigint;
  high: bigint;
}

/** Whether a log `l` may move tokens: of other events the tokens need not be looked up. */
const IS_MOVE = `l.topics[1] IN (${['Transfer', 'Mint', 'Burn', 'Swap', 'Deposit', 'Withdrawal', 'TemplateMint'].map(eventHash).join()})`;

/** What moves tokens in a part. */
function movesIn({ account, kinds, contract, sent, low, high }: MovesOf, part: LogsPart): Found {
  const { add, values, types } = parameters();
  const own = add(account, 'numeric');
  const range = `l.position BETWEEN ${add(low, 'bigint')} AND ${add(high, 'bigint')}`;
  const take = add(part.take, 'bigint');
  const order = part.ascending ? '' : 'DESC';
  const sorted = `l.position ${order}, l.log_index ${order}`;
  const ofToken = contract === undefined ? '' : `l.contract_id = ${add(contract, 'text')} AND `;
  const place =
    part.from === undefined
      ? ''
      : `AND ${beginsAt(part, 'l.position, l.log_index', `${add(part.from.position, 'bigint')}, ${add(part.from.index, 'int')}`)}`;
  // Not EXISTS: PostgreSQL would read all tokens.
  const moves = `(
    SELECT true FROM tokens AS t CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
    WHERE t.contract_id = l.contract_id AND t.kind IN (${kinds.join()}) AND d.account = ${own} ${sent ? 'AND d.delta <= 0' : ''} LIMIT 1
  )`;
  const found = [
    `l.topics[2] = ${own} AND ${ofTopic('l.topics[2]', own)}`,
    ...(sent ? [] : [`l.topics[3] = ${own} AND l.topics[2] <> ${own} AND ${ofTopic('l.topics[3]', own)}`]),
  ].map(
    (condition) => `
      (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
      WHERE ${condition} AND ${range} AND ${unestimated(`${ofToken}${IS_MOVE} AND ${moves}`)} ${place}
      ORDER BY ${sorted} LIMIT ${take})`,
  );
  const name = `${kinds.join('-')}${contract === undefined ? '' : '.contract'}${sent ? '.sent' : ''}`;
  return { logs: `(${found.join(' UNION ALL ')}) AS l`, sorted, take, name, values, types };
}

/** A page of what moves tokens to or from an account, also what makes or burns them, in the order of the chain. */
export function compatMoves(db: Queryable, of: MovesOf, part: LogsPart): Promise<Answers<MoveRow>> {
  const { logs, sorted, take, name, values, types } = movesIn(of, part);
  return answers<MoveRow>(db, {
    name: nameOfPart(`compat.token_moves.${name}`, part),
    text: `
      SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, m.hash AS block_hash, ${microHeight('m')} AS height, m.time,
        t.kind, t.meta_state, t.meta
      FROM (SELECT * FROM ${logs} ORDER BY ${sorted} LIMIT ${take}) AS l
      ${TOKEN_OF('l')}
      ${placeOf('l.position')}
      ORDER BY ${sorted}`,
    values,
    types,
  });
}

/** Number of what moves tokens to or from an account. */
export const compatMoveTotal = (db: Queryable, of: MovesOf): Promise<Answer<Total>> =>
  totalOf(db, 'compat.token_move_total', movesIn(of, COUNTED));
