/** Rows of tokens, and of what accounts hold of them. */
import { decodeId, encodeId } from '../../../chain/encoding/encoding.js';
import { isObject, parseExact } from '../../../chain/encoding/json.js';
import type { Json, JsonObject } from '../../../chain/encoding/json.js';
import { accountOfWord, bytesOfWord } from '../../../chain/encoding/words.js';
import { microOf } from '../../../chain/position.js';
import { tokenMove } from '../../../chain/tokens/events.js';
import { invalidity } from '../../../chain/tokens/invalid.js';
import type { TemplateRow, TemplateTokenRow } from '../../../store/queries/compat/templates.js';
import type { MoveRow, TransferRow } from '../../../store/queries/compat/token-transfers.js';
import type {
  BalanceRow,
  CollectionRow,
  HeldRow,
  OwnedRow,
  SingleRow,
  TokenRow,
} from '../../../store/queries/compat/tokens.js';

/** ct_ of them. */
export const contractOf = (digits: string): string => encodeId('ct', bytesOfWord(digits));

/** What clients show in place of a name that a token does not tell. */
const WITHOUT_NAME: Readonly<Record<string, string>> = { failed: 'out_of_gas_error', malformed: 'format_error' };

type Said = Record<'name' | 'symbol' | 'decimals' | 'extensions' | 'base_url' | 'metadata_type', Json>;

/** What a token says of itself; nulls while it is not known. */
export function metaOf({ meta }: Pick<TokenRow, 'meta'>): Said {
  const unknown = { decimals: null, extensions: [], base_url: null, metadata_type: 'unknown' };
  const members = meta === null ? undefined : parseExact(meta);
  return { name: null, symbol: null, ...unknown, ...(isObject(members) && members) };
}

/** The same with the texts in place of names that clients show. */
function said(row: Pick<TokenRow, 'meta' | 'meta_state'>): Said {
  const { name, symbol, ...rest } = metaOf(row);
  const text = WITHOUT_NAME[row.meta_state] ?? null;
  return { name: name ?? text, symbol: symbol ?? text, ...rest };
}

const validity = ({ invalid }: TokenRow): JsonObject => ({ invalid: invalid !== null, ...invalidity(invalid) });

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
    ...validity(row),
    contract_tx_hash: row.hash,
  };
}

export function collectionRow(row: TokenRow, of: CollectionRow): JsonObject {
  const { name, symbol, extensions, base_url, metadata_type } = said(row);
  const limit = (digits: string | null): bigint | null => (digits === null ? null : BigInt(digits));
  return {
    ...{ contract_id: row.contract_id, name, symbol, base_url, metadata_type, extensions },
    limits:
      of.limit_hash === null
        ? null
        : {
            token_limit: limit(of.token_limit),
            template_limit: limit(of.template_limit),
            limit_tx_hash: of.limit_hash,
            limit_log_idx: of.limit_index,
          },
    nfts_amount: Number(of.made),
    nft_owners: Number(row.holders),
    creation_time: Number(row.time),
    block_height: Number(row.height),
    contract_tx_hash: row.hash,
    ...validity(row),
  };
}

/** Marks what follows from events that do not match what a collection tells. Other rows have the members that clients know. */
export const doubt = ({ invalid }: Pick<TokenRow, 'invalid'>): JsonObject =>
  invalid === null ? {} : { invalid: true, invalid_reason: invalidity(invalid).invalid_reason };

export const ownedRow = (row: OwnedRow): JsonObject => ({
  contract_id: row.contract_id,
  owner_id: accountOfWord(row.owner),
  token_id: BigInt(row.token_id),
  ...doubt(row),
});

/** Kinds of metadata of collections that are the member of a text. That of others is an `id`, as in a collection of maps some of whose tokens have texts. */
const OF_TEXTS: readonly Json[] = ['url', 'ipfs'];

/** The metadata of a single token, as JSON: from that of its collection, and from its own, which is a text or an object of texts. */
export function metadataText({ collection_meta: meta, metadata }: SingleRow): string {
  if (metadata === null) return 'null';
  const { metadata_type: type } = metaOf({ meta });
  const member = metadata.startsWith('{') ? 'map' : OF_TEXTS.includes(type) ? (type as string) : 'id';
  return `{"${member}":${metadata}}`;
}

/** A transfer of an amount, or of a single token. */
export function transferRow(row: TransferRow, moved: 'amount' | 'token_id'): JsonObject {
  const { from, to, value } = tokenMove(row.topics.map(BigInt))!;
  return {
    sender: accountOfWord(from!),
    recipient: accountOfWord(to!),
    [moved]: value,
    contract_id: row.contract_id,
    tx_hash: row.hash,
    log_idx: row.log_index,
    block_height: Number(row.height),
    micro_index: microOf(BigInt(row.position)) - 1,
    micro_time: Number(row.time),
    ...(moved === 'token_id' && doubt(row)),
  };
}

/** What became of tokens that nobody received. */
const ENDS: Readonly<Record<string, string>> = { Burn: 'burn', Swap: 'swap', Withdrawal: 'withdrawal' };

/** A move among the activities of an account. Tokens that are made come from their contract; those that end go nowhere. */
export function moveActivity(row: MoveRow): JsonObject {
  const { name: event, from, to, value } = tokenMove(row.topics.map(BigInt))!;
  const { name, symbol, decimals } = said(row);
  return {
    height: Number(row.height),
    block_hash: row.block_hash,
    block_time: Number(row.time),
    type: `Aex${row.kind}TransferEvent`,
    payload: {
      sender_id: from === null ? encodeId('ak', decodeId(row.contract_id, 'ct')) : accountOfWord(from),
      recipient_id: to === null ? null : accountOfWord(to),
      ...(to === null && { kind: ENDS[event]! }),
      ...(row.kind === 9 ? { amount: value } : { token_id: value }),
      contract_id: row.contract_id,
      tx_hash: row.hash,
      log_idx: row.log_index,
      block_height: Number(row.height),
      micro_index: microOf(BigInt(row.position)) - 1,
      micro_time: Number(row.time),
      token_symbol: symbol,
      token_name: name,
      ...(row.kind === 9 && { decimals }),
    },
  };
}

/** The members of a limit are absent where there is none. */
export const templateRow = (contract: string, row: TemplateRow): JsonObject => ({
  contract_id: contract,
  template_id: BigInt(row.template_id),
  tx_hash: row.hash,
  log_idx: row.log_index,
  edition:
    row.edition_limit === null && row.supply_hash === null
      ? null
      : {
          ...(row.edition_limit !== null && {
            limit: BigInt(row.edition_limit),
            limit_tx_hash: row.limit_hash,
            limit_log_idx: row.limit_index,
          }),
          supply: Number(row.supply),
          supply_tx_hash: row.supply_hash,
          supply_log_idx: row.supply_index,
        },
});

export const templateTokenRow = (collection: TokenRow, row: TemplateTokenRow): JsonObject => ({
  token_id: BigInt(row.token_id),
  owner_id: accountOfWord(row.owner),
  tx_hash: row.hash,
  log_idx: row.log_index,
  edition: Buffer.from(decodeId(row.data, 'cb')).toString('utf8'),
  ...doubt(collection),
});

/** Whether the token of a balance was asked what it holds, and told nothing else than its events. */
export const isVerified = ({ matched, invalid }: Pick<TokenRow, 'matched' | 'invalid'>): boolean =>
  matched && invalid === null;

export const balanceRow = (row: BalanceRow): JsonObject => ({
  contract_id: row.contract_id,
  account_id: accountOfWord(row.account),
  amount: BigInt(row.amount),
  block_hash: row.block_hash,
  height: Number(row.height),
  last_tx_hash: row.hash,
  last_log_idx: row.log_index,
  verified: isVerified(row),
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
    verified: isVerified(row),
  };
}
