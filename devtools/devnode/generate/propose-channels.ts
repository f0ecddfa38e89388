import { decodeId } from '../../../src/chain/encoding/encoding.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { serializeTransaction, wrapSigned } from '../../../src/chain/serialize/transactions.js';
import { transactionType } from '../../../src/chain/transactions/catalogue.js';
import { callF } from './fate.js';
import type { Account } from './identities.js';
import type { Maker, Propose } from './maker.js';
import { accountOfId, fee, nextNonce, randomAccount, ttl } from './maker.js';
import type { Random } from './random.js';
import type { UsedChannel } from './world.js';
import { FATE_ABI, IRIS } from '../../../src/chain/protocol/versions.js';
import { NO_PAYLOAD } from '../ledger/channels.js';

/** The steps of a channel that is not closed by agreement. */
const STEPS = [
  'ChannelDepositTx',
  'ChannelWithdrawTx',
  'ChannelSnapshotSoloTx',
  'ChannelSetDelegatesTx',
  'ChannelForceProgressTx',
  'ChannelCloseSoloTx',
  'ChannelSlashTx',
  'ChannelSettleTx',
];
/** Number of rounds between two steps. The rounds of step n are between n and n + 1 times this number. */
const STEP_ROUNDS = 10;
const FIRST_DISPUTE = STEPS.indexOf('ChannelForceProgressTx');
/** Proof of inclusion without any content. */
const EMPTY_PROOF = 'pi_yDwBwMDAwMDA5gE8AQ==';

export const createChannel: Propose = (maker) => {
  const { random, ids, world } = maker;
  const [initiator, responder] = [randomAccount(maker), randomAccount(maker)];
  if (initiator.id === responder.id) return undefined;
  const delegates = (): string[] => (random.chance(0.3) ? [randomAccount(maker).id] : []);
  return {
    tx: {
      channel_reserve: random.int(0, 20_000),
      delegate_ids: world.version < IRIS ? delegates() : { initiator: delegates(), responder: delegates() },
      fee: fee(random, 17_500_000_000_000),
      initiator_amount: BigInt(random.int(1, 1_000)) * 10n ** 18n,
      initiator_id: initiator.id,
      lock_period: random.int(0, 10),
      nonce: nextNonce(maker, initiator),
      responder_amount: BigInt(random.int(1, 1_000)) * 10n ** 18n,
      responder_id: responder.id,
      state_hash: ids.encode('st', random.bytes(32)),
      ...ttl(maker),
      type: 'ChannelCreateTx',
      version: world.version < IRIS ? 1 : 2,
    },
    signers: [initiator, responder],
  };
};

/** The next step of one of the channels. */
export const useChannel: Propose = (maker) => {
  const { random, world } = maker;
  if (world.channels.length === 0) return undefined;
  const { record: channel } = random.pickEarly(world.channels);
  const agreed = channel.step < FIRST_DISPUTE && random.chance(0.1);
  const usual = STEPS[Math.min(channel.step, STEPS.length - 1)]!;
  // Before Iris, delegates could not be changed. A second deposit replaces this step.
  const possible = usual === 'ChannelSetDelegatesTx' && world.version < IRIS ? 'ChannelDepositTx' : usual;
  const type = agreed ? 'ChannelCloseMutualTx' : possible;
  if (type === 'ChannelSettleTx' && world.height < channel.lockedUntil) return undefined;
  const from = accountOfId(maker, random.chance(0.5) ? channel.initiator : channel.responder);
  const other = accountOfId(maker, from.id === channel.initiator ? channel.responder : channel.initiator);
  const party = type === 'ChannelWithdrawTx' ? 'to_id' : 'from_id';
  const members: JsonObject = {
    channel_id: channel.id,
    fee: fee(random, 17_500_000_000_000),
    nonce: nextNonce(maker, from),
    [party]: from.id,
    ...ttl(maker),
    type,
    version: 1,
    ...typeMembers(maker, type, channel, from),
  };
  return { tx: sorted(members), signers: transactionType(type)?.signers === 'parties' ? [from, other] : [from] };
};

function typeMembers(maker: Maker, type: string, channel: UsedChannel, from: Account): JsonObject {
  const { random, ids, world } = maker;
  const round = channel.step * STEP_ROUNDS + random.int(2, STEP_ROUNDS - 2);
  const stateHash = (): string => ids.encode('st', random.bytes(32));
  switch (type) {
    case 'ChannelDepositTx':
    case 'ChannelWithdrawTx':
      return { amount: amountFor(type, channel, random), round, state_hash: stateHash() };
    case 'ChannelSnapshotSoloTx':
      return { payload: offchain(maker, channel, round) };
    case 'ChannelSetDelegatesTx':
      return {
        initiator_delegate_ids: [randomAccount(maker).id],
        payload: NO_PAYLOAD,
        responder_delegate_ids: random.chance(0.5) ? [randomAccount(maker).id] : [],
        round,
        state_hash: stateHash(),
      };
    case 'ChannelForceProgressTx':
      return {
        offchain_trees: ids.encode('ss', random.bytes(80)),
        payload: offchain(maker, channel, round),
        round: round + 1,
        state_hash: stateHash(),
        update: {
          abi_version: FATE_ABI,
          amount: 0,
          call_data: ids.encode('cb', callF()),
          call_stack: [],
          caller_id: from.id,
          contract_id: world.contracts[0]?.id ?? ids.encode('ct', random.bytes(32)),
          gas: 100_000,
          gas_price: 1_000_000_000,
          op: 'OffChainCallContract',
        },
      };
    case 'ChannelCloseSoloTx':
    case 'ChannelSlashTx':
      return { payload: random.chance(0.3) ? NO_PAYLOAD : offchain(maker, channel, round), poi: EMPTY_PROOF };
    default: {
      // Pays out a part of the coins in the channel. The rest is for the fee, or is locked.
      const paid = (channel.amount * BigInt(random.int(0, 999))) / 1_000n;
      const first = (paid * BigInt(random.int(0, 1_000))) / 1_000n;
      return { initiator_amount_final: first, responder_amount_final: paid - first };
    }
  }
}

/** A withdrawal leaves the reserves of both parties in the channel. */
function amountFor(type: string, channel: UsedChannel, random: Random): bigint {
  const part = BigInt(random.int(1, 900));
  return type === 'ChannelDepositTx' ? part * 10n ** 18n : ((channel.amount - 2n * channel.reserve) * part) / 1_000n;
}

/** State of the channel, signed by both parties, as `tx_…`. */
function offchain(maker: Maker, channel: UsedChannel, round: number): string {
  const { random, ids } = maker;
  const tx: JsonObject = {
    channel_id: channel.id,
    round,
    state_hash: ids.encode('st', random.bytes(32)),
    type: 'ChannelOffchainTx',
    version: 2,
  };
  const signatures = [channel.initiator, channel.responder].map((party) =>
    decodeId(maker.sign(tx, accountOfId(maker, party)), 'sg'),
  );
  return ids.encode('tx', wrapSigned(signatures, serializeTransaction(tx, { decode: ids.decode })));
}

const sorted = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
