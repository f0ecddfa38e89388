import { fee, id, int, nonce, ttl } from './fields.js';
import { gets, gives } from './moves.js';
import type { TransactionType } from './type.js';

export const SPEND: readonly TransactionType[] = [
  {
    name: 'SpendTx',
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
    moves: { roles: [gives('sender_id', ['amount'], 'recipient_id'), gets('recipient_id', ['amount'], 'sender_id')] },
  },
];
