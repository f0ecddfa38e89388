import { isObject, parsePlain } from '../chain/encoding/json.js';
import { nestedTransactions } from '../chain/transactions/nested.js';
import type { Queryable } from './connection/database.js';

/** Initiator and responder of a channel, from its stored creation; undefined if this is not stored. */
export async function channelParties(db: Queryable, id: string): Promise<[string, string] | undefined> {
  const { rows } = await db.query<{ body: string }>({
    name: 'channel.creation',
    text: `
      SELECT t.body
      FROM channels AS c
      JOIN transactions AS t ON t.position = c.position
      WHERE c.id = $1`,
    values: [id],
  });
  const envelope = rows[0] && parsePlain(rows[0].body);
  if (!isObject(envelope)) return undefined;
  // It may be inside other transactions.
  for (const { initiator_id: initiator, responder_id: responder } of nestedTransactions(envelope['tx'])) {
    if (typeof initiator === 'string' && typeof responder === 'string') return [initiator, responder];
  }
  return undefined;
}
