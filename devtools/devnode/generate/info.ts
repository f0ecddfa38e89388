/** Results of executed transactions, in the format of `/transactions/<th>/info`. Simulated: they depend only on the transaction. */
import { hash } from '../../../src/chain/encoding/encoding.js';
import type { Json, JsonObject } from '../../../src/chain/encoding/json.js';
import { parseExact, stringifyExact } from '../../../src/chain/encoding/json.js';
import { authenticationId, contractId } from '../../../src/chain/protocol/ids.js';
import { atomOf } from '../ledger/contracts.js';
import { authenticates } from './execute.js';
import { fateInteger } from './fate.js';
import { UNIT } from './fate-values.js';
import type { Identities } from './identities.js';
import { isReverted, tokenCallOf, tokenEvent, topicsOf, topicsOfCreation } from './tokens.js';

interface Context {
  ids: Identities;
  height: Json;
  /** Bytes from which arbitrary values are made, for instance the used gas. */
  noise: Uint8Array;
  /** The contract, if it is called by name. */
  called: string | undefined;
  /** Authentication id, which replaces the nonce in identifiers inside a GAMetaTx. */
  authId?: Uint8Array;
}

const NO_BYTES = 'cb_Xfbg4g==';
/** FATE value of the reason of reverts. */
const NOPE = Buffer.from([0x11, ...Buffer.from('nope')]);
/** FATE value `true`, which an authentication function returns. */
const TRUE = Uint8Array.of(0xff);

/** `calledByName`: contracts of calls by name, by transaction hash. */
export function executionInfo(
  envelope: string,
  ids: Identities,
  calledByName: { get(hash: string): string | undefined },
): string | undefined {
  const { block_height, hash: id, tx } = parseExact(envelope) as { block_height: Json; hash: string; tx: JsonObject };
  const noise = hash(Buffer.from(id));
  const result = resultOf(tx, { ids, height: block_height, noise, called: calledByName.get(id) });
  return result === undefined ? undefined : stringifyExact(result);
}

function resultOf(tx: JsonObject, context: Context): JsonObject | undefined {
  switch (tx['type']) {
    case 'GAMetaTx':
      return { ga_info: authentication(tx, context) };
    case 'PayingForTx':
      return resultOf((tx['tx'] as JsonObject)['tx'] as JsonObject, context);
    case 'ContractCreateTx':
    case 'GAAttachTx':
      return { call_info: creation(tx, context) };
    case 'ContractCallTx':
      return { call_info: contractCall(tx, context) };
    case 'ChannelForceProgressTx':
      return { call_info: forcedCall(tx, context) };
    default:
      return undefined;
  }
}

function authentication(tx: JsonObject, context: Context): JsonObject {
  const { ids, height, noise } = context;
  const common = { caller_id: tx['ga_id']!, gas_price: tx['gas_price']!, gas_used: 100 + noise[0]!, height };
  if (!authenticates(tx['auth_data'] as string)) {
    return { ...common, return_type: 'error', return_value: ids.encode('cb', Buffer.from('Not authenticated')) };
  }
  const inner = (tx['tx'] as JsonObject)['tx'] as JsonObject;
  const authId = authenticationId(tx['ga_id'] as string, tx['auth_data'] as string);
  const inner_object = resultOf(inner, { ...context, authId }) ?? { tx_info: atomOf(inner['type'] as string) };
  return { ...common, inner_object, return_type: 'ok', return_value: ids.encode('cb', TRUE) };
}

function creation(tx: JsonObject, context: Context): JsonObject {
  const owner = tx['owner_id'] as string;
  const contract = contractId(owner, context.authId ?? BigInt(tx['nonce'] as number));
  const log = tx['type'] === 'ContractCreateTx' ? tokenEvent(contract, topicsOfCreation(tx)) : [];
  return call(tx, context, owner, contract, 'ok', NO_BYTES, log);
}

/** Most calls succeed; some log an event. */
function contractCall(tx: JsonObject, context: Context): JsonObject {
  const { ids, noise } = context;
  const contract = context.called ?? (tx['contract_id'] as string);
  const ofToken = tokenCallOf(tx);
  if (ofToken !== undefined) {
    if (isReverted(tx)) return call(tx, context, tx['caller_id']!, contract, 'revert', ids.encode('cb', NOPE));
    const log = tokenEvent(contract, topicsOf(ofToken));
    return call(tx, context, tx['caller_id']!, contract, 'ok', ids.encode('cb', UNIT), log);
  }
  const fate = noise[1]!;
  const [type, value] =
    fate < 6
      ? ['error', ids.encode('cb', Buffer.from('Out of gas'))]
      : fate < 14
        ? ['revert', ids.encode('cb', NOPE)]
        : ['ok', ids.encode('cb', fateInteger(noise[2]! * 256 + noise[3]!))];
  const log = type === 'ok' && noise[4]! < 50 ? [event(contract, noise)] : [];
  return call(tx, context, tx['caller_id']!, contract, type, value, log);
}

const event = (contract: string, noise: Uint8Array): JsonObject => ({
  address: contract,
  data: NO_BYTES,
  topics: [BigInt(`0x${Buffer.from(noise).toString('hex')}`), noise[5]!],
});

function forcedCall(tx: JsonObject, context: Context): JsonObject {
  const update = tx['update'] as JsonObject;
  const value = context.ids.encode('cb', fateInteger(context.noise[2]!));
  return call(
    { ...update, nonce: tx['nonce']! },
    context,
    update['caller_id']!,
    update['contract_id'] as string,
    'ok',
    value,
  );
}

function call(
  tx: JsonObject,
  { height, noise }: Context,
  caller: Json,
  contract: string,
  type: string,
  value: string,
  log: JsonObject[] = [],
): JsonObject {
  const used = Math.min(Number(tx['gas']), 50 + noise[0]! * 16);
  return {
    caller_id: caller,
    caller_nonce: tx['nonce']!,
    contract_id: contract,
    gas_price: tx['gas_price']!,
    gas_used: used,
    height,
    log,
    return_type: type,
    return_value: value,
  };
}
