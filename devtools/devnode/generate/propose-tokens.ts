import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { encodeId } from '../../../src/chain/encoding/encoding.js';
import { FATE_ABI, LIMA } from '../../../src/chain/protocol/versions.js';
import { functionId } from '../../../src/chain/tokens/standard.js';
import type { TokenOptions } from '../options.js';
import { address, integer, option, string, tuple } from './fate-values.js';
import type { Account } from './identities.js';
import type { Maker, Proposal } from './maker.js';
import { accountOfId, fee, nextNonce, randomAccount, ttl } from './maker.js';
import { GAS_PRICE, vmVersion } from './propose-contracts.js';
import { SCRIPTS } from './tokens.js';
import type { Token } from './tokens.js';

const GAS = 50_000;
/** Chance that the newest token is called, so that many are used in the block of their creation. */
const NEWEST = 0.15;
const MAX_INITIAL = 1_000_000_000;
const MAX_DECIMALS = 24;

const callData = (name: string, ...args: readonly Uint8Array[]): string =>
  encodeId('cb', tuple([string(Buffer.from(functionId(name), 'hex')), tuple(args)]));

/** Creates a token, or calls one so that what it holds allows it; undefined if the protocol has no contracts of this kind yet. */
export function proposeToken(maker: Maker, options: TokenOptions): Proposal | undefined {
  const { random, world } = maker;
  if (world.version < LIMA) return undefined;
  const { tokens } = world;
  if (tokens.length === 0 || (tokens.length < (options.max ?? Infinity) && random.chance(options.creations)))
    return creation(maker, options);
  const { id, record } = random.chance(NEWEST) ? tokens.at(-1)! : random.pick(tokens);
  const { sender, data } = SCRIPTS[record.script]!.kind === 9 ? amountCall(maker, record) : singleCall(maker, record);
  return { tx: call(maker, sender, id, data), signers: [sender] };
}

function creation(maker: Maker, { silent = false, allowances = false, unrecognised = false }: TokenOptions): Proposal {
  const { random, world } = maker;
  const owner = randomAccount(maker);
  const code = random.pick(
    SCRIPTS.filter(
      (script) =>
        script.isToken === !unrecognised &&
        (silent || !script.isSilent) &&
        (allowances || script.allowances === undefined),
    ),
  );
  const name = `${code.kind === 9 ? 'Coin' : 'Art'} ${random.int(1, 99_999)}`;
  const initial = code.kind === 9 ? BigInt(random.int(0, MAX_INITIAL)) : 0n;
  const decimals = BigInt(random.int(0, MAX_DECIMALS));
  const tx = {
    abi_version: FATE_ABI,
    amount: 0,
    call_data: callData('init', string(name), string(name.slice(0, 3)), integer(decimals), integer(initial)),
    code: code.code,
    deposit: 0,
    fee: fee(random, 120_000_000_000_000),
    gas: GAS,
    gas_price: GAS_PRICE,
    nonce: nextNonce(maker, owner),
    owner_id: owner.id,
    ...ttl(maker),
    type: 'ContractCreateTx',
    version: 1,
    vm_version: vmVersion(world.version),
  };
  return { tx, signers: [owner] };
}

interface Chosen {
  sender: Account;
  data: string;
}

/** Holders are generated accounts: only these get anything. */
function amountCall(maker: Maker, token: Token): Chosen {
  const { random } = maker;
  const to = address(randomAccount(maker).id);
  const holders = [...token.balances];
  if (holders.length === 0 || random.chance(0.1))
    return {
      sender: accountOfId(maker, token.owner),
      data: callData('mint', to, integer(BigInt(random.int(0, MAX_INITIAL)))),
    };
  if (SCRIPTS[token.script]!.allowances !== undefined && random.chance(0.4)) return allowanceCall(maker, token);
  const [holder, held] = random.pick(holders);
  const sender = accountOfId(maker, holder);
  // Now and then all of it, so that there is one holder less.
  const part = random.chance(0.1) ? held : (held * BigInt(random.int(0, 1_000))) / 2_000n;
  if (random.chance(0.1)) return { sender, data: callData('burn', integer(part)) };
  const moves = SCRIPTS[token.script]!.isSilent && random.chance(0.3) ? 'move' : 'transfer';
  return { sender, data: callData(moves, to, integer(part)) };
}

/** Often about accounts of which the token has an allowance already. */
function allowanceCall(maker: Maker, { balances, allowances = new Map() }: Token): Chosen {
  const { random } = maker;
  const [owner, spender] =
    allowances.size > 0 && random.chance(0.5)
      ? (random.pick([...allowances.keys()]).split(' ') as [string, string])
      : [random.pick([...balances.keys()]), randomAccount(maker).id];
  const sender = accountOfId(maker, owner);
  if (random.chance(0.2)) return { sender, data: callData('reset_allowance', address(spender)) };
  const amount = integer(BigInt(random.int(0, MAX_INITIAL)));
  return { sender, data: callData('create_allowance', address(spender), amount) };
}

function singleCall(maker: Maker, token: Token): Chosen {
  const { random } = maker;
  const to = address(randomAccount(maker).id);
  const singles = [...token.owners];
  if (singles.length === 0 || random.chance(0.4)) {
    const free = BigInt(random.word());
    return { sender: accountOfId(maker, token.owner), data: callData('mint', to, integer(free)) };
  }
  const [single, holder] = random.pick(singles);
  const sender = accountOfId(maker, holder);
  return random.chance(0.15)
    ? { sender, data: callData('burn', integer(single)) }
    : { sender, data: callData('transfer', to, integer(single), option(undefined)) };
}

const call = (maker: Maker, caller: Account, contract: string, data: string): JsonObject => ({
  abi_version: FATE_ABI,
  amount: 0,
  call_data: data,
  caller_id: caller.id,
  contract_id: contract,
  fee: fee(maker.random, 182_000_000_000_000),
  gas: GAS,
  gas_price: GAS_PRICE,
  nonce: nextNonce(maker, caller),
  ...ttl(maker),
  type: 'ContractCallTx',
  version: 1,
});
