import type { Maker, Propose } from './maker.js';
import { amount, fee, nextNonce, randomAccount, ttl } from './maker.js';

export const spend: Propose = (maker) => {
  const sender = randomAccount(maker);
  return {
    tx: {
      amount: amount(maker.random),
      fee: fee(maker.random),
      nonce: nextNonce(maker, sender),
      payload: payload(maker),
      recipient_id: recipient(maker),
      sender_id: sender.id,
      ...ttl(maker),
      type: 'SpendTx',
      version: 1,
    },
    signers: [sender],
  };
};

function recipient(maker: Maker): string {
  const { random, ids, world } = maker;
  const kind = random.int(0, 99);
  if (kind < 6) return ids.encode('ak', random.bytes(32));
  if (kind < 13) {
    const names = world.names.filter(({ record }) => record.isPayable);
    if (names.length > 0) return random.pick(names).id;
  } else if (kind < 16 && world.oracles.length > 0) return random.pick(world.oracles).id;
  else if (kind < 20 && world.contracts.length > 0) return random.pick(world.contracts).id;
  return randomAccount(maker).id;
}

/** Empty, a text, or bytes that are not a text. */
function payload({ random, ids }: Maker): string {
  const kind = random.int(0, 9);
  if (kind < 6) return 'ba_Xfbg4g==';
  if (kind < 8) return ids.encode('ba', Buffer.from(`payment ${random.int(1, 1_000_000)} – merci «beaucoup»`));
  if (kind < 9) return ids.encode('ba', Buffer.from([0, 255, 254, random.int(0, 255), 0x5c, 0x22, 0xc0]));
  return ids.encode('ba', random.bytes(random.int(1, 200)));
}
