/** Verifies what a copy has recorded of its network. */
import { KNOWN } from '../../chain/networks.js';
import { NEWEST_VERSION } from '../../chain/serialize/headers.js';
import type { Queryable } from '../connection/database.js';
import { fromRows } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';

/** Verifies the recorded genesis hash and forks. */
export async function verifyNetwork(db: Queryable): Promise<Difference[]> {
  const { rows: chain } = await db.query({
    name: 'verify.chain',
    text: `
      SELECT 'the row' AS key, NULL AS height, 'genesis_hash' AS column_name,
        COALESCE(known.hash, k.hash) AS expected, c.genesis_hash AS stored
      FROM chain AS c
      LEFT JOIN key_blocks AS k ON k.height = 0
      LEFT JOIN unnest($1::text[], $2::text[]) AS known (id, hash) ON known.id = c.network_id
      WHERE c.genesis_hash <> COALESCE(known.hash, k.hash)`,
    values: [KNOWN.map(({ id }) => id), KNOWN.map(({ genesisHash }) => genesisHash)],
  });
  const { rows: forks } = await db.query({
    name: 'verify.forks',
    text: `
      WITH head AS (SELECT height, version FROM key_blocks ORDER BY height DESC LIMIT 1),
      begun AS (
        SELECT height, max(version) AS version, lag(max(version)) OVER (ORDER BY height) AS before FROM forks GROUP BY height
      )
      SELECT f.version AS key, NULL AS height, 'height' AS column_name, 'that of the first key block of this version' AS expected,
        f.height::text AS stored
      FROM begun AS f
      JOIN key_blocks AS k ON k.height = f.height
      LEFT JOIN key_blocks AS below ON below.height = f.height - 1
      WHERE k.version <= $1 AND (k.version <> f.version OR below.version <> COALESCE(f.before, 0))
      UNION ALL
      SELECT f.version, NULL, 'height', 'that of the first key block of this version', f.height::text
      FROM begun AS f JOIN head ON f.height > head.height AND f.version < head.version
      UNION ALL
      SELECT head.version, NULL, NULL, 'a row', NULL FROM head
      WHERE head.version <= $1 AND EXISTS (SELECT FROM forks)
        AND NOT EXISTS (SELECT FROM forks WHERE version = head.version AND height <= head.height)`,
    values: [NEWEST_VERSION],
  });
  return [...fromRows('chain', chain), ...fromRows('forks', forks)];
}
