/** The signatures of a micro block and of its transactions. */
import type { MicroBlock, Transaction } from '../facts.js';
import type { Flaw } from '../proof/level.js';
import { transactionType } from '../transactions/catalogue.js';
import { nestedTransactions } from '../transactions/nested.js';
import { signatureFault, signedLayers } from './transaction.js';
import type { SigningRules } from './transaction.js';

/**
 * The first transaction of a block that lacks a signature, or has one too many; undefined if there is none. `signed`: the bytes of the
 * transactions. What is inside a GAMetaTx is not checked: without its signatures it has no effect, but the block is valid.
 */
export async function unsignedTransaction(
  { hash: block, transactions }: Pick<MicroBlock, 'hash' | 'transactions'>,
  signed: readonly Uint8Array[],
  rules: SigningRules,
): Promise<Flaw | undefined> {
  const flaws = await Promise.all(
    transactions.map(async ({ hash, tx }, index): Promise<Flaw | undefined> => {
      for (const layer of signedLayers(signed[index]!, tx, rules)) {
        const reason = layer.authenticated ? undefined : await signatureFault(layer);
        if (reason !== undefined) return { block, transaction: hash, field: 'signatures', reason };
      }
      return undefined;
    }),
  );
  return flaws.find((flaw) => flaw !== undefined);
}

/** The channels whose parties must be known to check the signatures of a transaction. */
export function channelsToSign({ tx }: Pick<Transaction, 'tx'>): string[] {
  const channels: string[] = [];
  for (const { type, channel_id: channel } of nestedTransactions(tx)) {
    const needsParties = typeof type === 'string' && transactionType(type)?.signers === 'parties';
    if (needsParties && typeof channel === 'string') channels.push(channel);
  }
  return channels;
}
