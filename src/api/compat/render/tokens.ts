/** Rows of tokens, and of what accounts hold of them. */
import { encodeId } from '../../../chain/encoding/encoding.js';
import { isObject, parseExact } from '../../../chain/encoding/json.js';
import type { Json, JsonObject } from '../../../chain/encoding/json.js';
import type { BalanceRow, HeldRow, TokenRow } from '../../../store/queries/compat/tokens.js';

const BYTES = 32;

/** ak_ of the bytes of a key as an integer. */
export const accountOf = (digits: string): string =>
  encodeId(
    'ak',
    Buffer.from(
      BigInt(digits)
        .toString(16)
        .padStart(2 * BYTES, '0'),
      'hex',
    ),
  );

/** What clients show in place of a name that a token does not tell. */
const WITHOUT_NAME: Readonly<Record<string, string>> = { failed: 'out_of_gas_error', malformed: 'format_error' };

interface Said {
  name: Json;
  symbol: Json;
  decimals: Json;
  extensions: Json;
}

/** What a token says of itself; nulls while it is not known. */
function said({ meta, meta_state: state }: Pick<TokenRow, 'meta' | 'meta_state'>): Said {
  const members = meta === null ? undefined : parseExact(meta);
  if (isObject(members)) {
    const { name = null, symbol = null, decimals = null, extensions = [] } = members;
    return { name, symbol, decimals, extensions };
  }
  const text = WITHOUT_NAME[state] ?? null;
  return { name: text, symbol: text, decimals: null, extensions: [] };
}

export function aex9Row(row: TokenRow): JsonObject {
  const { name, symbol, decimals, extensions } = said(row);
  return {
    contract_id: row.contract_id,
    name,
    symbol,
    decimals,
    extensions,
    initial_supply: row.initial_supply === null ? null : BigInt(row.initial_supply),
    event_supply: BigInt(row.supply),
    holders: Number(row.holders),
    logs_count: Number(row.logs),
    invalid: false,
    invalid_reason: null,
    invalid_description: null,
    contract_tx_hash: row.hash,
  };
}

export const balanceRow = (row: BalanceRow): JsonObject => ({
  contract_id: row.contract_id,
  account_id: accountOf(row.account),
  amount: BigInt(row.amount),
  block_hash: row.block_hash,
  height: Number(row.height),
  last_tx_hash: row.hash,
  last_log_idx: row.log_index,
});

export function holdingRow(row: HeldRow): JsonObject {
  const { name, symbol, decimals } = said(row);
  return {
    contract_id: row.contract_id,
    amount: BigInt(row.amount),
    decimals,
    token_name: name,
    token_symbol: symbol,
    block_hash: row.block_hash,
    height: Number(row.height),
    tx_hash: row.hash,
    tx_index: Number(row.tx_index),
    tx_type: row.tx_type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase(),
  };
}
