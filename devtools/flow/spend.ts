import type { JsonObject } from '../../src/chain/encoding/json.js';
import { printBalance } from './wallet.js';
import type { Wallet } from './wallet.js';

interface SpendOptions {
  /** ak_, ok_, ct_, nm_, or a name. */
  to: string;
  amount: bigint;
  payload: string;
}

/** Runs a spend: builds, signs and posts it, and waits for its block. */
export async function spendFlow(wallet: Wallet, { to, amount, payload }: SpendOptions): Promise<void> {
  const { account } = wallet;
  const before = await printBalance(wallet);
  const recipient = to.includes('.') ? ((await wallet.read(`/v2/names/${to}`))['id'] as string) : to;
  if (recipient !== to) wallet.print(`${to} is ${recipient}`);
  const sent = await wallet.send(`spend ${amount} aettos to ${to}`, 'transactions/spend', {
    sender_id: account,
    recipient_id: recipient,
    amount,
    payload,
  });
  const { balance } = (await wallet.read(`/v2/accounts/${account}`)) as { balance: number | bigint } & JsonObject;
  wallet.print(`Account ${account} has ${balance} aettos, ${before - BigInt(balance)} less`);
  const listed = [`/middleware/transactions/account/${account}?limit=1&page=1`];
  if (recipient.startsWith('ak_')) listed.push(`/middleware/transactions/account/${account}/to/${recipient}`);
  await wallet.printAnswers(sent.hash, ...(listed as [string]), `/middleware/transactions/account/${account}/count`);
}
