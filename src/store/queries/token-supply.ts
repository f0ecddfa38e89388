/** How the supply of a token of AEX-9 changed. */
import { eventHash } from '../../chain/event-names.js';
import { SUPPLY_EVENTS } from '../../chain/tokens/events.js';
import type { Queryable } from '../connection/database.js';
import { microHeight } from '../micro-height.js';
import { answers } from './answer.js';
import type { Answers } from './answer.js';
import { placeOf } from './compat/transactions.js';
import { ofContractAndEvent, unestimated } from './contract-logs.js';

export interface SupplyRow {
  /** Of the event; of its micro block; time in ms. */
  position: string;
  log_index: number;
  hash: string;
  height: string;
  time: string;
  /** Below 0 where something ends. */
  change: string;
  /** After it. */
  supply: string;
}

/** The newest events of one kind; events of other contracts and of other kinds may have the same hash. */
const newestOf = (event: string): string => `
  (SELECT l.position, l.log_index, l.topics FROM contract_logs AS l
  WHERE ${ofContractAndEvent('l', '$1::text', `${event}::numeric`)}
    AND ${unestimated(`l.contract_id = $1::text AND l.topics[1] = ${event}::numeric AND cardinality(l.topics) = 3`)}
  ORDER BY l.position DESC, l.log_index DESC LIMIT $2::bigint)`;

/**
 * The newest changes, newest first: from what the supply is now back to what it was. None of an invalid token, whose supply does not follow from its
 * events. Each kind of events is read in the order of its index, and no more of it than is asked for.
 */
export function supplyChanges(db: Queryable, contract: string, take: number): Promise<Answers<SupplyRow>> {
  return answers<SupplyRow>(db, {
    name: 'tokens.supply_changes',
    text: `
      SELECT c.position, c.log_index, x.hash, ${microHeight('m')} AS height, m.time, c.delta::text AS change,
        (c.supply - sum(c.delta) OVER (ORDER BY c.position DESC, c.log_index DESC) + c.delta)::text AS supply
      FROM (
        SELECT u.position, u.log_index, t.supply, (SELECT sum(d.delta) FROM token_deltas(t.kind, u.topics) AS d) AS delta
        FROM tokens AS t
        CROSS JOIN (
          SELECT * FROM (${SUPPLY_EVENTS.map((event) => newestOf(String(eventHash(event)))).join(' UNION ALL ')}) AS l
          ORDER BY l.position DESC, l.log_index DESC LIMIT $2::bigint
        ) AS u
        WHERE t.contract_id = $1::text AND t.kind = 9 AND t.invalid IS NULL AND u.position >= COALESCE(t.base_position, 0)
      ) AS c
      ${placeOf('c.position')}
      ORDER BY c.position DESC, c.log_index DESC`,
    values: [contract, take],
  });
}
