import { pointersOf } from '../../chain/recompute/names.js';
import type { Pointers } from '../../chain/recompute/names.js';
import { recompute } from '../../chain/recompute/transaction.js';
import type { Queryable } from '../connection/database.js';
import type { Read } from '../facts/read.js';
import type { Window } from '../facts/window.js';

/** A name and a position in the chain. */
interface Asked {
  name: string;
  position: bigint;
}

interface Row {
  name: string;
  asked: string;
  position: string;
  body: string;
  info: string | null;
  tx_start: number;
  tx_length: number;
  claimed: boolean;
}

/**
 * The pointers of names just before positions: those of the last update, unless the name was claimed after it. Undefined for names that
 * do not exist there. A name in auction has no updates, so a bid is treated as a claim.
 */
export async function pointersBefore(db: Queryable, asked: readonly Asked[]): Promise<(Pointers | undefined)[]> {
  const found = new Map<string, Pointers | undefined>();
  let open = new Map(asked.map(({ name, position }) => [`${name} ${position}`, { name, position, before: position }]));
  while (open.size > 0) {
    const wanted = [...open.values()];
    const { rows } = await db.query<Row>({
      name: 'pointers.before',
      // Only of types that may claim or update a name, also wrapped.
      text: `
        SELECT w.name, w.asked, t.position, t.body, i.body AS info, t.tx_start, t.tx_length, EXISTS (
          SELECT FROM entries AS e JOIN transactions AS c ON c.position = e.position JOIN types AS y ON y.code = c.type
          WHERE e.list = l.key AND e.ordinal < last.ordinal AND y.name IN ('NameClaimTx', 'GAMetaTx', 'PayingForTx')
        ) AS claimed
        FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS w (name, asked, before)
        JOIN lists AS l ON l.kind = 6 AND l.id = w.name
        CROSS JOIN LATERAL (
          SELECT e.position, e.ordinal FROM entries AS e JOIN types AS y ON y.code = e.type
          WHERE e.list = l.key AND e.position < w.before
            AND y.name IN ('NameClaimTx', 'NameUpdateTx', 'GAMetaTx', 'PayingForTx')
          ORDER BY e.ordinal DESC LIMIT 1
        ) AS last
        JOIN transactions AS t ON t.position = last.position
        LEFT JOIN infos AS i ON i.position = last.position`,
      values: [
        wanted.map(({ name }) => name),
        wanted.map(({ position }) => position),
        wanted.map(({ before }) => before),
      ],
    });
    open = new Map();
    for (const row of rows) {
      const key = `${row.name} ${row.asked}`;
      const { body, info, tx_start: txStart, tx_length: txLength } = row;
      const effect = recompute({ body, info, txStart, txLength })?.effect;
      if (effect?.on === 'name' && effect.does === 'claim') found.set(key, NOTHING);
      else if (effect?.on === 'name' && effect.does === 'update')
        found.set(key, row.claimed ? pointersOf(effect.pointers) : undefined);
      // It wraps another type, so the one before it is read next.
      else open.set(key, { name: row.name, position: BigInt(row.asked), before: BigInt(row.position) });
    }
  }
  return asked.map(({ name, position }) => found.get(`${name} ${position}`));
}

const NOTHING: Pointers = { account: undefined, oracle: undefined, contract: undefined };

/** Adds to the expected lists of the transactions those of the accounts and oracles to which the used names point. */
export async function addNameLists(db: Queryable, window: Window, transactions: readonly Read[]): Promise<void> {
  const names = new Set(transactions.flatMap(({ found }) => (found?.byName === undefined ? [] : [found.byName.name])));
  if (names.size === 0) return;
  const asked = [...names].map((name) => ({ name, position: window.from << 33n }));
  const before = await pointersBefore(db, asked);
  const now = new Map<string, Pointers | undefined>(asked.map(({ name }, i) => [name, before[i]]));
  for (const { found } of transactions) {
    if (found === undefined) continue;
    const { byName, effect, lists } = found;
    const pointers = byName && now.get(byName.name);
    if (pointers !== undefined) {
      if (byName!.to === 'account' && pointers.account !== undefined) lists.add(`1 ${pointers.account}`);
      if (byName!.to === 'oracle' && pointers.oracle !== undefined) lists.add(`5 ok_${pointers.oracle.slice(3)}`);
    }
    if (effect?.on !== 'name') continue;
    if (effect.does === 'claim') now.set(effect.hash, NOTHING);
    else if (effect.does === 'update' && now.get(effect.hash) !== undefined)
      now.set(effect.hash, pointersOf(effect.pointers));
  }
}
