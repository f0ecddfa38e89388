import type { JsonObject } from '../chain/encoding/json.js';
import { begin } from './walk.js';
import type { Walk } from './walk.js';

interface SpendOptions {
  /** ak_, ok_, ct_, nm_, or a name. */
  to: string;
  amount: bigint;
  payload: string;
}

/** A spend: built, signed, posted, in a block. */
export async function spendFlow(walk: Walk, { to, amount, payload }: SpendOptions): Promise<void> {
  const { account } = walk;
  const before = await begin(walk);
  const recipient = to.includes('.') ? ((await walk.read(`/v2/names/${to}`))['id'] as string) : to;
  if (recipient !== to) walk.print(`${to} is ${recipient}`);
  const sent = await walk.send(`spend ${amount} aettos to ${to}`, 'transactions/spend', {
    sender_id: account,
    recipient_id: recipient,
    amount,
    payload,
  });
  const { balance } = (await walk.read(`/v2/accounts/${account}`)) as { balance: number | bigint } & JsonObject;
  walk.print(`Account ${account} has ${balance} aettos, ${before - BigInt(balance)} less`);
  const listed = [`/middleware/transactions/account/${account}?limit=1&page=1`];
  if (recipient.startsWith('ak_')) listed.push(`/middleware/transactions/account/${account}/to/${recipient}`);
  await walk.printAnswers(sent.hash, ...(listed as [string]), `/middleware/transactions/account/${account}/count`);
}
