/** Whose account a transaction is of. */

const ORIGINS: Readonly<Record<string, string>> = {
  SpendTx: 'sender_id',
  OracleRegisterTx: 'account_id',
  OracleExtendTx: 'oracle_id',
  OracleQueryTx: 'sender_id',
  OracleRespondTx: 'oracle_id',
  NamePreclaimTx: 'account_id',
  NameClaimTx: 'account_id',
  NameUpdateTx: 'account_id',
  NameTransferTx: 'account_id',
  NameRevokeTx: 'account_id',
  ContractCreateTx: 'owner_id',
  ContractCallTx: 'caller_id',
  GAAttachTx: 'owner_id',
  PayingForTx: 'payer_id',
  ChannelCreateTx: 'initiator_id',
  ChannelWithdrawTx: 'to_id',
};

/** Member with the account that pays for a transaction of that type; not of a GAMetaTx, whose account has no counter. */
export const originMember = (type: string): string => ORIGINS[type] ?? 'from_id';

/** `ak_` of an oracle or a contract. */
export const accountOf = (id: string): string => (id.startsWith('ak_') ? id : `ak_${id.slice(3)}`);
