import { isIdText } from '../operations.js';
import type { ContractOperation, Effective } from '../operations.js';
import { contractId } from '../protocol/ids.js';
import { FORTUNA } from '../protocol/versions.js';
import { abi, bytes, fee, id, int, nonce, ttl, vmAndAbi } from './fields.js';
import { readId } from './members.js';
import { sends } from './value-flow.js';
import type { TransactionType } from './type.js';

const callFields = [int('gas'), int('gas_price'), bytes('call_data', 'cb')];

export const CONTRACTS: readonly TransactionType[] = [
  {
    name: 'ContractCreateTx',
    runsContract: true,
    signers: ['owner_id'],
    tag: 42,
    versions: [1],
    fields: [
      id('owner_id'),
      nonce,
      bytes('code', 'cb'),
      vmAndAbi,
      fee,
      ttl,
      int('deposit'),
      int('amount'),
      ...callFields,
    ],
    operation: createOperation,
    valueFlow: { roles: [sends('owner_id', ['amount', 'deposit'])], runsContract: true },
  },
  {
    name: 'ContractCallTx',
    runsContract: true,
    signers: ['caller_id'],
    tag: 43,
    versions: [1],
    fields: [id('caller_id'), nonce, id('contract_id'), abi, fee, ttl, int('amount'), ...callFields],
    operation: callOperation,
    resolves: { member: 'contract_id', role: 'contract' },
    valueFlow: { roles: [sends('caller_id', ['amount'], 'contract_id')], runsContract: true },
  },
  {
    name: 'GAAttachTx',
    since: FORTUNA,
    runsContract: true,
    signers: ['owner_id'],
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
      ...callFields,
    ],
    operation: createOperation,
    valueFlow: { roles: [sends('owner_id')], runsContract: true },
  },
];

function createOperation({ tx, distinction }: Effective): ContractOperation {
  const owner = readId(tx, 'owner_id');
  return { on: 'contract', op: 'create', id: contractId(owner, distinction(owner)) };
}

/** Calls by name are not listed under the contract, so they have no operation. */
function callOperation({ tx }: Effective): ContractOperation | undefined {
  const contract = readId(tx, 'contract_id');
  if (contract.startsWith('nm_')) return undefined;
  const caller = tx['caller_id'];
  return { on: 'contract', op: 'call', id: contract, caller: isIdText(caller) ? caller : null };
}
