import { authenticationId, channelId, contractId, nameHash, oracleId, queryId } from '../../src/chain/protocol/ids.js';

type Fields = Record<string, unknown>;

/** Identifiers of the objects of a transaction: every whole text in it that looks like one, and the ids of what it creates. */
export function deriveIds(transaction: object): string[] {
  const ids = new Set<string>();
  collect(transaction, ids);
  let tx = (transaction as { tx: Fields }).tx;
  let authentication: Uint8Array | undefined;
  while (tx['type'] === 'PayingForTx' || tx['type'] === 'GAMetaTx') {
    if (tx['type'] === 'GAMetaTx') authentication = authenticationId(text(tx, 'ga_id'), text(tx, 'auth_data'));
    tx = (tx['tx'] as { tx: Fields }).tx;
  }
  const made = created(tx, authentication);
  if (made !== undefined) ids.add(made);
  return [...ids];
}

function created(tx: Fields, authentication: Uint8Array | undefined): string | undefined {
  const distinction = (): bigint | Uint8Array => authentication ?? BigInt(tx['nonce'] as number);
  switch (tx['type']) {
    case 'ContractCreateTx':
    case 'GAAttachTx':
      return contractId(text(tx, 'owner_id'), distinction());
    case 'OracleRegisterTx':
      return oracleId(text(tx, 'account_id'));
    case 'NameClaimTx':
      return nameHash(text(tx, 'name'));
    case 'ChannelCreateTx':
      return channelId(text(tx, 'initiator_id'), distinction(), text(tx, 'responder_id'));
    case 'OracleQueryTx':
      return queryId(text(tx, 'sender_id'), distinction(), text(tx, 'oracle_id'));
    default:
      return undefined;
  }
}

const text = (tx: Fields, member: string): string => tx[member] as string;

function collect(value: unknown, ids: Set<string>): void {
  if (typeof value === 'string') {
    if (/^[a-z]{2}_[1-9A-HJ-NP-Za-km-z]{38,60}$/.test(value)) ids.add(value);
  } else if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach((each) => collect(each, ids));
  }
}
