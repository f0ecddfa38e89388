import type { ContractOperation, Effective } from '../operations.js';
import { contractId } from '../protocol/ids.js';
import { FORTUNA } from '../protocol/versions.js';
import { abi, bytes, fee, id, int, nonce, ttl, vmAndAbi } from './fields.js';
import { readId } from './members.js';
import { gives } from './moves.js';
import type { TransactionType } from './type.js';

const gas = [int('gas'), int('gas_price'), bytes('call_data', 'cb')];

export const CONTRACTS: readonly TransactionType[] = [
  {
    name: 'ContractCreateTx',
    tag: 42,
    versions: [1],
    fields: [id('owner_id'), nonce, bytes('code', 'cb'), vmAndAbi, fee, ttl, int('deposit'), int('amount'), ...gas],
    operation: creates,
    moves: { roles: [gives('owner_id', ['amount', 'deposit'])], runs: true },
  },
  {
    name: 'ContractCallTx',
    tag: 43,
    versions: [1],
    fields: [id('caller_id'), nonce, id('contract_id'), abi, fee, ttl, int('amount'), ...gas],
    operation: calls,
    resolves: { member: 'contract_id', role: 'contract' },
    moves: { roles: [gives('caller_id', ['amount'], 'contract_id')], runs: true },
  },
  {
    name: 'GAAttachTx',
    since: FORTUNA,
    tag: 80,
    versions: [1],
    fields: [
      id('owner_id'),
      nonce,
      bytes('code', 'cb'),
      { member: 'auth_fun', form: 'functionHash' },
      vmAndAbi,
      fee,
      ttl,
      ...gas,
    ],
    operation: creates,
    moves: { roles: [gives('owner_id')], runs: true },
  },
];

function creates({ tx, distinction }: Effective): ContractOperation {
  const owner = readId(tx, 'owner_id');
  return { on: 'contract', op: 'create', id: contractId(owner, distinction(owner)) };
}

/** Wrapped calls and calls by name are not listed under the contract. */
function calls({ tx, wrapped }: Effective): ContractOperation | undefined {
  const contract = readId(tx, 'contract_id');
  return wrapped || contract.startsWith('nm_') ? undefined : { on: 'contract', op: 'call', id: contract };
}
