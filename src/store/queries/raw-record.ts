import { TRANSACTION_TYPES } from '../../chain/transactions/catalogue.js';
import { microHeight } from '../micro-height.js';
import { microBlockOf } from '../positions.js';

/** Elements of an SQL list: the types that wrap a transaction. */
const WRAPPING = TRANSACTION_TYPES.filter(({ wraps }) => wraps !== undefined)
  .map(({ name }) => `'${name}'`)
  .join(', ');

/** JSON of the node that PostgreSQL cannot parse: its texts cannot contain U+0000 or half a surrogate pair. */
const UNPARSABLE = String.raw`\\u(0000|[dD][89a-fA-F])`;

/** Exact text of the inner transaction (`tx`) of a row `t` of transactions. */
const innerTx = (t: string): string => `substr(${t}.body, ${t}.tx_start, ${t}.tx_length)`;

const wrapped = (json: string): string => `
  COALESCE(
    (${json})::json #> '{tx,tx,tx,tx,tx,tx}',
    (${json})::json #> '{tx,tx,tx,tx}',
    (${json})::json #> '{tx,tx}'
  )::text`;

/** Texts that replace two backslashes and `\u` while PostgreSQL parses JSON; no text contains its own checksum. */
const placeholder = (t: string, letter: 'b' | 'u'): string => `('${letter}' || md5(${t}.body))`;

const masked = (t: string): string =>
  `replace(replace(${innerTx(t)}, '\\\\', ${placeholder(t, 'b')}), '\\u', ${placeholder(t, 'u')})`;

const unmasked = (t: string, json: string): string =>
  `replace(replace(${json}, ${placeholder(t, 'u')}, '\\u'), ${placeholder(t, 'b')}, '\\\\')`;

/**
 * Exact text of the transaction that takes effect: for a wrapping type the wrapped transaction, else the inner transaction. `t`
 * is a row of transactions that is known to have taken effect.
 */
export const effectiveTx = (t: string): string => `
  CASE
    WHEN ${t}.type NOT IN (SELECT code FROM types WHERE name IN (${WRAPPING})) THEN ${innerTx(t)}
    WHEN ${t}.body !~ '${UNPARSABLE}' THEN ${wrapped(innerTx(t))}
    ELSE ${unmasked(t, wrapped(masked(t)))}
  END`;

/** The JSON around the inner transaction. It has no payloads, so PostgreSQL can parse it. */
const envelope = (t: string): string =>
  `(left(${t}.body, ${t}.tx_start - 1) || 'null' || substr(${t}.body, ${t}.tx_start + ${t}.tx_length))::json`;

/** JSON text of a transaction with its block, type, fee and size, and its signatures as one text. `t` is a row of transactions. */
export const rawRecord = (t: string): string => `
  (
    SELECT '{"block_height":' || ${microHeight('m')} || ',"block_hash":"' || m.hash
    FROM micro_blocks AS m
    WHERE m.position = ${microBlockOf(`${t}.position`)}
  ) ||
  '","hash":"' || ${t}.hash || '","signatures":' || COALESCE((
    SELECT to_json(string_agg(s.signature, ' ' ORDER BY s.number))::text
    FROM (SELECT ${envelope(t)} -> 'signatures' AS list) AS signed
    CROSS JOIN LATERAL json_array_elements_text(
      CASE json_typeof(signed.list) WHEN 'array' THEN signed.list ELSE '[]' END
    ) WITH ORDINALITY AS s (signature, number)
  ), 'null') ||
  ',"tx_type":' || to_json((SELECT y.name FROM types AS y WHERE y.code = ${t}.type))::text ||
  ',"tx":' || ${innerTx(t)} || ',"fee":"' || ${t}.fee || '","size":' || ${t}.size || '}'`;
