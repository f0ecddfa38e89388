import { isObject } from '../encoding/json.js';
import type { JsonObject } from '../encoding/json.js';
import { integer } from '../facts.js';
import { ListKind } from '../lists.js';
import { MalformedError } from '../malformed.js';
import { isIdText } from '../operations.js';
import type { Effective, NameOperation } from '../operations.js';
import { nameHash } from '../protocol/ids.js';
import { auctionLength } from '../protocol/name-rules.js';
import { LIMA } from '../protocol/versions.js';
import { fee, id, int, nonce, onlyIn, text, ttl } from './fields.js';
import { readAmount, readGenerations, readId, readText } from './members.js';
import { feeOnly, receives, sends } from './value-flow.js';
import type { TransactionType } from './type.js';

const listed = { member: 'name_id', prefix: 'nm_', kind: ListKind.name };

export const NAMES: readonly TransactionType[] = [
  {
    name: 'NamePreclaimTx',
    signers: ['account_id'],
    tag: 33,
    versions: [1],
    fields: [id('account_id'), nonce, id('commitment_id'), fee, ttl],
    valueFlow: feeOnly('account_id'),
  },
  {
    name: 'NameClaimTx',
    signers: ['account_id'],
    tag: 32,
    versions: [1, 2],
    fields: [id('account_id'), nonce, text('name'), int('name_salt'), onlyIn(2, int('name_fee')), fee, ttl],
    // Nodes since 5.0 print version 2 for every claim.
    version: { printed: 2, of: ({ name_fee: bid }) => (bid === undefined ? 1 : 2) },
    operation: claimOperation,
    valueFlow: {
      roles: [sends('account_id', ['name_fee'])],
      unknown: {
        reason:
          'unless it is the first claim: a further bid returns the previous bid. Before Lima there is no `name_fee`, so the price is not stated',
        unless: isFirstClaim,
      },
    },
  },
  {
    name: 'NameUpdateTx',
    signers: ['account_id'],
    tag: 34,
    versions: [1, 2],
    fields: [
      id('account_id'),
      nonce,
      id('name_id'),
      int('name_ttl'),
      { member: 'pointers', form: 'pointers' },
      int('client_ttl'),
      fee,
      ttl,
    ],
    operation: updateOperation,
    listed,
    valueFlow: feeOnly('account_id'),
  },
  {
    name: 'NameTransferTx',
    signers: ['account_id'],
    tag: 36,
    versions: [1],
    fields: [id('account_id'), nonce, id('name_id'), id('recipient_id'), fee, ttl],
    operation: ({ tx }) => ({
      on: 'name',
      op: 'transfer',
      name_hash: readId(tx, 'name_id'),
      recipient: readId(tx, 'recipient_id'),
    }),
    listed,
    resolves: { member: 'recipient_id', role: 'recipient' },
    valueFlow: { roles: [sends('account_id', [], 'recipient_id'), receives('recipient_id', [], 'account_id')] },
  },
  {
    name: 'NameRevokeTx',
    signers: ['account_id'],
    tag: 35,
    versions: [1],
    fields: [id('account_id'), nonce, id('name_id'), fee, ttl],
    operation: ({ tx }) => ({ on: 'name', op: 'revoke', name_hash: readId(tx, 'name_id') }),
    listed,
    valueFlow: feeOnly('account_id'),
  },
];

function claimOperation({ tx }: Effective): NameOperation {
  const name = readText(tx, 'name');
  const bid = tx['name_fee'];
  return {
    on: 'name',
    op: 'claim',
    name_hash: nameHash(name),
    name,
    owner: readId(tx, 'account_id'),
    salt: readAmount(tx, 'name_salt'),
    fee: bid === undefined || bid === null ? null : readAmount(tx, 'name_fee'),
  };
}

function updateOperation({ tx, textOf }: Effective): NameOperation {
  const pointers = tx['pointers'];
  if (!Array.isArray(pointers)) throw new MalformedError('pointers: not a list');
  const pointed = pointers.map((pointer) => (isObject(pointer) ? pointer['id'] : undefined)).filter(isIdText);
  return {
    on: 'name',
    op: 'update',
    name_hash: readId(tx, 'name_id'),
    ttl: readGenerations(tx['name_ttl'], 'name_ttl'),
    pointers: textOf('pointers'),
    pointerIds: [...new Set(pointed)],
  };
}

/** Whether a claim has a fee and cannot be a further bid. A further bid returns the previous bid, perhaps to the same account. */
function isFirstClaim({ name, name_fee: fee, name_salt: salt }: JsonObject): boolean {
  if (integer(fee) === undefined || typeof name !== 'string') return false;
  try {
    return integer(salt) !== 0n || auctionLength(name, LIMA) === 0;
  } catch {
    return false;
  }
}
