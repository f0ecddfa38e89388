import { fee, id, int, nonce, ttl } from './fields.js';
import { receives, sends } from './value-flow.js';
import type { TransactionType } from './type.js';

export const SPEND: readonly TransactionType[] = [
  {
    name: 'SpendTx',
    signers: ['sender_id'],
    tag: 12,
    versions: [1],
    fields: [
      id('sender_id'),
      id('recipient_id'),
      int('amount'),
      fee,
      ttl,
      nonce,
      { member: 'payload', form: 'payload' },
    ],
    pair: true,
    resolves: { member: 'recipient_id', role: 'payment' },
    valueFlow: {
      roles: [sends('sender_id', ['amount'], 'recipient_id'), receives('recipient_id', ['amount'], 'sender_id')],
    },
  },
];
