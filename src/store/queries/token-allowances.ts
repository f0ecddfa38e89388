/** What accounts allow others to spend of tokens. Accounts are the 32 bytes of their keys as integers. */
import type { Queryable } from '../connection/database.js';
import { microHeight } from '../micro-height.js';
import { answers } from './answer.js';
import type { Answers } from './answer.js';
import { beginsAt, nameOfPart } from './compat/part.js';
import type { Part } from './compat/part.js';
import { TOKEN_OF } from './compat/tokens.js';
import { placeOf } from './compat/transactions.js';
import { parameters } from './parameters.js';

export interface AllowanceRow {
  contract_id: string;
  owner: string;
  spender: string;
  /** What the last event about both says. */
  amount: string;
  /** `due`, `ok`, `failed`, `malformed`. */
  state: string;
  /** What the token told after that event; null unless the state is `ok`. */
  told: string | null;
  /** JSON text of what the token says of itself. */
  meta: string | null;
  /** Of the transaction with the event; of its micro block; time in ms. */
  position: string;
  hash: string;
  log_index: number;
  height: string;
  time: string;
}

/** By which its rows are found: those of a token, or of an account as one of both. */
export type AllowancesOf =
  { contract: string } | { as: 'owner' | 'spender'; account: bigint; contract: string | undefined };

/** The columns that are not given, by which the rows are sorted, with their types. */
const KEYS = {
  contract: ['owner', 'numeric', 'spender', 'numeric'],
  owner: ['contract_id', 'text', 'spender', 'numeric'],
  spender: ['contract_id', 'text', 'owner', 'numeric'],
} as const;

export function tokenAllowances(
  db: Queryable,
  of: AllowancesOf,
  part: Part<readonly [string, string]>,
): Promise<Answers<AllowanceRow>> {
  const by = 'as' in of ? of.as : 'contract';
  const [first, firstType, second, secondType] = KEYS[by];
  const { add: value, values, types } = parameters();
  const conditions = 'as' in of ? [`a.${by} = ${value(of.account, 'numeric')}`] : [];
  if (of.contract !== undefined) conditions.push(`a.contract_id = ${value(of.contract, 'text')}`);
  if (part.from !== undefined) {
    const [from, then] = part.from;
    conditions.push(beginsAt(part, `a.${first}, a.${second}`, `${value(from, firstType)}, ${value(then, secondType)}`));
  }
  const order = part.ascending ? '' : 'DESC';
  const sorted = `a.${first} ${order}, a.${second} ${order}`;
  return answers<AllowanceRow>(db, {
    name: nameOfPart(`tokens.allowances.${by}${'as' in of && of.contract !== undefined ? '.of_token' : ''}`, part),
    text: `
      SELECT a.contract_id, a.owner::text AS owner, a.spender::text AS spender, a.amount::text AS amount, a.state, a.told::text AS told, t.meta,
        x.position, x.hash, a.log_index, ${microHeight('m')} AS height, m.time
      FROM (
        SELECT * FROM token_allowances AS a WHERE ${conditions.join(' AND ')} ORDER BY ${sorted} LIMIT ${value(part.take, 'bigint')}
      ) AS a
      ${TOKEN_OF('a')}
      ${placeOf('a.position')}
      ORDER BY ${sorted}`,
    values,
    types,
  });
}
