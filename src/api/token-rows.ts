/** Rows of tokens: as JSON, and as tables. */
import type { Json, JsonObject } from '../chain/encoding/json.js';
import { accountOfWord } from '../chain/encoding/words.js';
import { inCoins } from '../chain/movements.js';
import { tokenMove } from '../chain/tokens/events.js';
import { invalidity } from '../chain/tokens/invalid.js';
import type { AllowanceRow } from '../store/queries/token-allowances.js';
import type { SupplyRow } from '../store/queries/token-supply.js';
import type { TransferRow } from '../store/queries/compat/token-transfers.js';
import type { BalanceRow, CollectionRow, HeldRow, OwnedRow, TokenRow } from '../store/queries/compat/tokens.js';
import { metaOf } from './compat/render/tokens.js';
import { sidesOf } from './compat/swaps.js';
import type { Swap } from './compat/swaps.js';
import type { Row } from './export/format.js';

interface Placed {
  height: string;
  time: string;
  hash: string;
}

const placed = ({ height, time, hash }: Placed) => ({
  height: Number(height),
  time: Number(time),
  transaction_hash: hash,
});

const digits = (text: string | null | undefined): bigint | null => (text == null ? null : BigInt(text));

/** The event that changed a balance last; the creation of the token has none. */
const eventOf = ({ log_index: index }: BalanceRow): number | null => (index < 0 ? null : index);

const doubt = ({ invalid }: Pick<TokenRow, 'invalid'>) => ({ invalid_reason: invalidity(invalid).invalid_reason });

/** `of`: where it is a collection. */
export function tokenRow(row: TokenRow, of: CollectionRow | undefined): JsonObject {
  const { name, symbol, decimals, extensions, base_url, metadata_type } = metaOf(row);
  return {
    contract_id: row.contract_id,
    standard: `aex${row.kind}`,
    meta_state: row.meta_state,
    ...{ name, symbol, decimals, extensions, base_url },
    metadata_type: row.kind === 141 ? metadata_type : null,
    supply: BigInt(row.supply),
    initial_supply: digits(row.initial_supply),
    made: of === undefined ? null : Number(of.made),
    token_limit: digits(of?.token_limit),
    template_limit: digits(of?.template_limit),
    holders: Number(row.holders),
    events: Number(row.logs),
    ...invalidity(row.invalid),
    ...placed(row),
  };
}

export const holderRow = (row: BalanceRow): JsonObject => ({
  account_id: accountOfWord(row.account),
  amount: BigInt(row.amount),
  ...placed(row),
  log_index: eventOf(row),
});

export function tokenTransferRow(kind: 9 | 141, row: TransferRow): JsonObject {
  const { from, to, value } = tokenMove(row.topics.map(BigInt))!;
  return {
    ...placed(row),
    log_index: row.log_index,
    sender: accountOfWord(from!),
    recipient: accountOfWord(to!),
    amount: kind === 9 ? value : null,
    token_id: kind === 9 ? null : value,
    ...doubt(row),
  };
}

export const ownerRow = (row: OwnedRow): JsonObject => ({
  token_id: BigInt(row.token_id),
  owner: accountOfWord(row.owner),
  ...doubt(row),
  ...placed(row),
});

export function holdingRow(row: HeldRow): JsonObject {
  const { name, symbol, decimals } = metaOf(row);
  return {
    contract_id: row.contract_id,
    amount: BigInt(row.amount),
    ...{ decimals, name, symbol },
    ...placed(row),
    log_index: eventOf(row),
  };
}

export const ownedRow = (row: OwnedRow): JsonObject => ({
  contract_id: row.contract_id,
  token_id: BigInt(row.token_id),
  ...doubt(row),
  ...placed(row),
});

/** Tokens may say any integer; a point is set where there is room for it. */
const MAX_DECIMALS = 255;

/** An amount of a token with its point; null if its decimals are not known, or cannot be. */
const pointed = (amount: string, row: Pick<TokenRow, 'meta'>): string | null =>
  withPoint(BigInt(amount), metaOf(row).decimals);

function withPoint(amount: bigint, decimals: Json): string | null {
  const isCount = typeof decimals === 'number' && decimals >= 0 && decimals <= MAX_DECIMALS;
  return isCount ? inCoins(amount, decimals) : null;
}

const PLACE = ['time', 'height', 'tx_hash'];

const placeCells = ({ time, height, hash }: Placed): Row => ({
  time: new Date(Number(time)).toISOString(),
  height: Number(height),
  tx_hash: hash,
});

const cell = (value: JsonObject[string] | undefined): string | null =>
  typeof value === 'object' || value === undefined ? null : String(value);

export const TOKEN_TABLE = {
  columns: [
    ...[...PLACE, 'contract', 'standard', 'meta_state', 'name', 'symbol', 'decimals'],
    ...['supply', 'supply_decimal', 'holders', 'events'],
  ],
  row(row: TokenRow): Row {
    const { name, symbol, decimals } = metaOf(row);
    return {
      ...placeCells(row),
      contract: row.contract_id,
      standard: `aex${row.kind}`,
      meta_state: row.meta_state,
      ...{ name: cell(name), symbol: cell(symbol), decimals: cell(decimals) },
      supply: row.supply,
      supply_decimal: row.kind === 141 ? null : pointed(row.supply, row),
      ...{ holders: Number(row.holders), events: Number(row.logs) },
    };
  },
};

/** Tables about one token. */
export const holderTable = (token: TokenRow) => ({
  columns: [...PLACE, 'contract', 'account', 'amount', 'amount_decimal'],
  row: (row: BalanceRow): Row => ({
    ...placeCells(row),
    contract: row.contract_id,
    account: accountOfWord(row.account),
    amount: row.amount,
    amount_decimal: token.kind === 141 ? null : pointed(row.amount, token),
  }),
});

export const transferTable = (token: TokenRow) => ({
  columns: [
    ...[...PLACE, 'log_index', 'contract', 'sender', 'recipient'],
    ...['amount', 'amount_decimal', 'token_id', 'invalid_reason'],
  ],
  row(row: TransferRow): Row {
    const { from, to, value } = tokenMove(row.topics.map(BigInt))!;
    const amount = token.kind === 9 ? String(value) : null;
    return {
      ...placeCells(row),
      log_index: row.log_index,
      contract: row.contract_id,
      sender: accountOfWord(from!),
      recipient: accountOfWord(to!),
      amount,
      amount_decimal: amount === null ? null : pointed(amount, token),
      token_id: token.kind === 9 ? null : String(value),
      ...doubt(row),
    };
  },
});

export const OWNER_TABLE = {
  columns: [...PLACE, 'contract', 'token_id', 'owner', 'invalid_reason'],
  row: (row: OwnedRow): Row => ({
    ...placeCells(row),
    contract: row.contract_id,
    token_id: row.token_id,
    owner: accountOfWord(row.owner),
    ...doubt(row),
  }),
};

export const HOLDING_TABLE = {
  columns: [...PLACE, 'contract', 'name', 'symbol', 'decimals', 'amount', 'amount_decimal'],
  row(row: HeldRow): Row {
    const { name, symbol, decimals } = metaOf(row);
    return {
      ...placeCells(row),
      contract: row.contract_id,
      ...{ name: cell(name), symbol: cell(symbol), decimals: cell(decimals) },
      amount: row.amount,
      amount_decimal: pointed(row.amount, row),
    };
  },
};

export const OWNED_TABLE = {
  columns: [...PLACE, 'contract', 'token_id', 'invalid_reason'],
  row: (row: OwnedRow): Row => ({
    ...placeCells(row),
    contract: row.contract_id,
    token_id: row.token_id,
    ...doubt(row),
  }),
};

export function allowanceRow(row: AllowanceRow): JsonObject {
  const { name, symbol, decimals } = metaOf(row);
  return {
    contract_id: row.contract_id,
    owner: accountOfWord(row.owner),
    spender: accountOfWord(row.spender),
    amount: row.told === null ? null : BigInt(row.told),
    ...{ decimals, name, symbol },
    state: row.state,
    event_amount: BigInt(row.amount),
    ...placed(row),
    log_index: row.log_index,
  };
}

export const ALLOWANCE_TABLE = {
  columns: [
    ...[...PLACE, 'log_index', 'contract', 'owner', 'spender'],
    ...['amount', 'amount_decimal', 'state', 'event_amount'],
  ],
  row: (row: AllowanceRow): Row => ({
    ...placeCells(row),
    log_index: row.log_index,
    contract: row.contract_id,
    owner: accountOfWord(row.owner),
    spender: accountOfWord(row.spender),
    amount: row.told,
    amount_decimal: row.told === null ? null : pointed(row.told, row),
    state: row.state,
    event_amount: row.amount,
  }),
};

export const supplyRow = (row: SupplyRow): JsonObject => ({
  ...placed(row),
  log_index: row.log_index,
  change: BigInt(row.change),
  supply: BigInt(row.supply),
});

export function swapRow(swap: Swap): JsonObject {
  const { from, to } = sidesOf(swap);
  return {
    ...placed(swap),
    log_index: swap.log_index,
    pair: swap.contract_id,
    caller: accountOfWord(swap.topics[1]!),
    recipient: accountOfWord(swap.topics[2]!),
    ...{ from_contract: from.id, from_symbol: from.symbol, from_decimals: from.decimals, from_amount: from.amount },
    ...{ to_contract: to.id, to_symbol: to.symbol, to_decimals: to.decimals, to_amount: to.amount },
  };
}

export const SWAP_TABLE = {
  columns: [
    ...[...PLACE, 'log_index', 'pair', 'caller', 'recipient'],
    ...['from_contract', 'from_symbol', 'from_amount', 'from_amount_decimal'],
    ...['to_contract', 'to_symbol', 'to_amount', 'to_amount_decimal'],
  ],
  row(swap: Swap): Row {
    const { from, to } = sidesOf(swap);
    return {
      ...placeCells(swap),
      log_index: swap.log_index,
      pair: swap.contract_id,
      caller: accountOfWord(swap.topics[1]!),
      recipient: accountOfWord(swap.topics[2]!),
      ...{ from_contract: from.id, from_symbol: cell(from.symbol) },
      ...{ from_amount: String(from.amount), from_amount_decimal: withPoint(from.amount, from.decimals) },
      ...{ to_contract: to.id, to_symbol: cell(to.symbol) },
      ...{ to_amount: String(to.amount), to_amount_decimal: withPoint(to.amount, to.decimals) },
    };
  },
};
