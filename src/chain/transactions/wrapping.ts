/** Transactions that wrap another one. */
import { FORTUNA, IRIS } from '../protocol/versions.js';
import { bytes, fee, id, int, nested, nonce, onlyIn, ttl } from './fields.js';
import { sends, directionUnknown } from './value-flow.js';
import type { TransactionType } from './type.js';

export const WRAPPING: readonly TransactionType[] = [
  {
    name: 'GAMetaTx',
    since: FORTUNA,
    wraps: 'authenticated',
    signers: [],
    tag: 81,
    versions: [1, 2],
    fields: [
      id('ga_id'),
      bytes('auth_data', 'cb'),
      int('abi_version'),
      fee,
      int('gas'),
      int('gas_price'),
      onlyIn(1, ttl),
      nested,
    ],
    valueFlow: {
      roles: [sends('ga_id')],
      unknown: { reason: 'the authentication runs a contract, which may move more' },
    },
  },
  {
    name: 'PayingForTx',
    since: IRIS,
    wraps: 'paid',
    signers: ['payer_id'],
    tag: 82,
    versions: [1],
    fields: [id('payer_id'), nonce, fee, nested],
    valueFlow: {
      roles: [directionUnknown('payer_id', null)],
      unknown: { reason: 'unless the effect of the inner transaction is known' },
    },
  },
];
