import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { ACCOUNT_CODE, AUTHORIZE_HASH, CONTRACT_CODE, callAuthorize, callF, callInit, callPlainInit } from './fate.js';
import type { Account } from './identities.js';
import type { Maker, Propose } from './maker.js';
import { accountOfId, amount, fee, nextNonce, randomAccount, ttl } from './maker.js';
import { claimOf } from './propose-names.js';
import { spend } from './propose-spends.js';
import { nameAndSaltOf } from './names.js';
import { pointerIn } from '../ledger/execution.js';
import { CERES, FATE_ABI, FORTUNA, IRIS, LIMA } from '../../../src/chain/protocol/versions.js';

export const GAS_PRICE = 1_000_000_000;

/** Version of the virtual machine FATE, which exists since Lima. */
export const vmVersion = (version: number): number => (version >= CERES ? 8 : version >= IRIS ? 7 : 5);

export const createContract: Propose = (maker) => {
  if (maker.world.version < LIMA) return undefined;
  const owner = randomAccount(maker);
  return { tx: creation(maker, owner, nextNonce(maker, owner)), signers: [owner] };
};

function creation(maker: Maker, owner: Account, nonce: number): JsonObject {
  const { random, ids, world } = maker;
  return {
    abi_version: FATE_ABI,
    amount: random.chance(0.8) ? 0 : amount(random),
    call_data: ids.encode('cb', callInit(random.int(0, 100_000))),
    code: CONTRACT_CODE,
    deposit: 0,
    fee: fee(random, 78_000_000_000_000),
    gas: random.int(100, 50_000),
    gas_price: GAS_PRICE,
    nonce,
    owner_id: owner.id,
    ...(nonce === 0 ? {} : ttl(maker)),
    type: 'ContractCreateTx',
    version: 1,
    vm_version: vmVersion(world.version),
  };
}

export const callContract: Propose = (maker) => {
  if (maker.world.contracts.length === 0) return undefined;
  const caller = randomAccount(maker);
  return { tx: callOf(maker, caller, nextNonce(maker, caller)), signers: [caller] };
};

function callOf(maker: Maker, caller: Account, nonce: number): JsonObject {
  const { random, ids } = maker;
  return {
    abi_version: FATE_ABI,
    amount: random.chance(0.7) ? 0 : amount(random),
    call_data: ids.encode('cb', callF()),
    caller_id: caller.id,
    contract_id: target(maker),
    fee: fee(random, 182_000_000_000_000),
    gas: random.int(2_000, 1_600_000),
    gas_price: GAS_PRICE,
    nonce,
    ...(nonce === 0 ? {} : ttl(maker)),
    type: 'ContractCallTx',
    version: 1,
  };
}

/** A contract or, from Ceres on, sometimes a name that points to it. */
function target({ random, world }: Maker): string {
  const { id } = random.pickEarly(world.contracts);
  if (world.version < CERES || !random.chance(0.05)) return id;
  return world.names.find(({ record }) => pointerIn(record.name, 'contract_pubkey') !== undefined)?.id ?? id;
}

/** Aettos for a future generalized account. It is enough for all its transactions. */
const ENDOWMENT = 10n ** 45n;

/** From Ceres on, only an account that has never sent a transaction can become a generalized one. So a new account gets coins first. */
export const attach: Propose = (maker) => {
  const { random, ids, world } = maker;
  if (world.version < FORTUNA) return undefined;
  const [next] = world.awaiting;
  if (next === undefined) {
    const { tx, signers } = spend(maker)!;
    const { id } = ids.account(world.accounts.length + world.endowed);
    return { tx: { ...tx, amount: ENDOWMENT, recipient_id: id }, signers };
  }
  const owner = accountOfId(maker, next.id);
  return {
    tx: {
      abi_version: FATE_ABI,
      auth_fun: AUTHORIZE_HASH,
      call_data: ids.encode('cb', callPlainInit()),
      code: ACCOUNT_CODE,
      fee: fee(random, 80_000_000_000_000),
      gas: random.int(76, 5_000),
      gas_price: GAS_PRICE,
      nonce: 1,
      owner_id: owner.id,
      ...ttl(maker),
      type: 'GAAttachTx',
      version: 1,
      vm_version: vmVersion(world.version),
    },
    signers: [owner],
  };
};

/** A transaction inside a GAMetaTx. It has nonce 0 and no `ttl`. */
function innerOf(maker: Maker, account: Account): JsonObject {
  const { random, world } = maker;
  const kind = random.int(0, 9);
  if (kind < 3 && world.contracts.length > 0) return callOf(maker, account, 0);
  if (kind < 4 && world.version >= LIMA) return creation(maker, account, 0);
  if (kind < 6 && world.version >= CERES) {
    return claimOf(maker, account.id, 0, nameAndSaltOf(account.id, random.word(), world.version).name, 0);
  }
  const { ttl: _, ...tx } = spend(maker)!.tx;
  return { ...tx, nonce: 0, sender_id: account.id };
}

export const meta: Propose = (maker) => {
  const { random, ids, world } = maker;
  if (world.generalized.length === 0) return undefined;
  const account = accountOfId(maker, random.pick(world.generalized).id);
  return {
    tx: {
      abi_version: FATE_ABI,
      auth_data: ids.encode('cb', callAuthorize(random.word())),
      fee: fee(random, 76_000_000_000_000),
      ga_id: account.id,
      gas: 50_000,
      gas_price: GAS_PRICE,
      ...(world.version < IRIS ? ttl(maker) : {}),
      tx: { signatures: [], tx: innerOf(maker, account) },
      type: 'GAMetaTx',
      version: world.version < IRIS ? 1 : 2,
    },
    signers: [],
  };
};

/** One account pays for the transaction of another. */
export const payFor: Propose = (maker) => {
  const { random, world } = maker;
  if (world.version < IRIS) return undefined;
  const inner = (random.chance(0.3) ? callContract(maker) : undefined) ?? spend(maker)!;
  const [signer] = inner.signers;
  const payer = randomAccount(maker);
  if (signer === undefined || payer.id === signer.id) return undefined;
  return {
    tx: {
      fee: fee(random, 5_000_000_000_000),
      nonce: nextNonce(maker, payer),
      payer_id: payer.id,
      tx: { signatures: [maker.sign(inner.tx, signer, true)], tx: inner.tx },
      type: 'PayingForTx',
      version: 1,
    },
    signers: [payer],
  };
};
