/**
 * Simulated tokens. Which event a call makes follows from the call alone, as all results of generated calls do. What a token holds is part of the world,
 * and a call that its holdings do not allow is not put into a block.
 */
import { decodeId, encodeId, hash } from '../../../src/chain/encoding/encoding.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { wordOf } from '../../../src/chain/encoding/words.js';
import { eventHash } from '../../../src/chain/event-names.js';
import { readCallData } from '../../../src/chain/fate/values.js';
import type { TypedValue } from '../../../src/chain/fate/values.js';
import { functionId } from '../../../src/chain/tokens/standard.js';
import type { TokenKind } from '../../../src/chain/tokens/standard.js';
import { contractId } from '../../../src/chain/protocol/ids.js';
import { FATE_ABI } from '../../../src/chain/protocol/versions.js';
import { big, text } from '../ledger/members.js';
import type { Contract } from '../ledger/types.js';
import { AEX141, AEX9, LENT, SILENT, codeOf, without } from './token-code.js';

/** A contract that the generator creates. */
interface Script {
  kind: TokenKind;
  code: string;
  /** Whether it has all functions of its standard. */
  isToken: boolean;
  /** Whether its creation tells the initial amount by an event. Others only hold it. */
  mintsInitially: boolean;
  /** Whether a part of its transfers makes no event. */
  isSilent: boolean;
  /** If it has allowances: whether it tells those of its events, other ones, or none. */
  allowances?: 'as events' | 'others' | 'fails';
}

/** Their number in this list is stored in worlds. */
export const SCRIPTS: readonly Script[] = [
  { kind: 9, code: codeOf('minted', AEX9), isToken: true, mintsInitially: true, isSilent: false },
  { kind: 9, code: codeOf('given', AEX9), isToken: true, mintsInitially: false, isSilent: false },
  { kind: 141, code: codeOf('collection', AEX141), isToken: true, mintsInitially: false, isSilent: false },
  { kind: 9, code: codeOf('silent', SILENT), isToken: true, mintsInitially: true, isSilent: true },
  // The first three without a function of their standard.
  { kind: 9, code: codeOf('no minted', without(AEX9)), isToken: false, mintsInitially: true, isSilent: false },
  { kind: 9, code: codeOf('no given', without(AEX9)), isToken: false, mintsInitially: false, isSilent: false },
  { kind: 141, code: codeOf('no collection', without(AEX141)), isToken: false, mintsInitially: false, isSilent: false },
  ...(['as events', 'others', 'fails'] as const).map((allowances): Script => {
    const code = codeOf(`allowances ${allowances}`, LENT);
    return { kind: 9, code, isToken: true, mintsInitially: true, isSilent: false, allowances };
  }),
];

const SCRIPT_OF_CODE: ReadonlyMap<string, number> = new Map(SCRIPTS.map(({ code }, index) => [code, index]));

export const isTokenCode = (code: string): boolean => SCRIPT_OF_CODE.has(code);

/** A token after a block. Never changed, only replaced; written to disk with the world. */
export interface Token {
  /** Its number in the list of scripts. */
  script: number;
  /** `ak_…` */
  owner: string;
  vmVersion: number;
  name: string;
  symbol: string;
  decimals: bigint;
  /** By `ak_…`; of a collection the numbers of single tokens. Without zeros. */
  balances: ReadonlyMap<string, bigint>;
  /** Of single tokens. */
  owners: ReadonlyMap<bigint, string>;
  /** By owner and spender (`pairOf`), zeros included. Absent before the first: earlier releases wrote worlds without. */
  allowances?: ReadonlyMap<string, bigint>;
}

/** The accounts of an allowance. */
export const pairOf = (owner: string, spender: string): string => `${owner} ${spender}`;

/** As the ledger knows it. */
export const contractOfToken = (id: string, { script, owner, vmVersion }: Token): Contract => ({
  id,
  owner,
  vmVersion,
  abiVersion: FATE_ABI,
  code: SCRIPTS[script]!.code,
  deposit: 0n,
});

const NAMES = ['init', 'transfer', 'mint', 'burn', 'move', 'create_allowance', 'reset_allowance'] as const;
type Called = (typeof NAMES)[number];
const CALLED: ReadonlyMap<string, Called> = new Map(NAMES.map((name) => [functionId(name), name]));

interface TokenCall {
  name: Called;
  /** Who calls, `ak_…`. */
  caller: string;
  args: readonly TypedValue[];
}

const integerIn = ({ value }: TypedValue): bigint => BigInt(value as number | bigint);
const textIn = ({ value }: TypedValue): string => value as string;

function callIn(tx: JsonObject, caller: string): TokenCall | undefined {
  const { functionId: id, arguments: args } = readCallData(decodeId(text(tx, 'call_data'), 'cb'));
  const name = CALLED.get(id);
  return name === undefined ? undefined : { name, caller, args };
}

/** The call of a token by a transaction; undefined if the transaction is something else. All other generated calls have another function. */
export function tokenCallOf(tx: JsonObject): TokenCall | undefined {
  if (tx['type'] !== 'ContractCallTx') return undefined;
  const call = callIn(tx, text(tx, 'caller_id'));
  return call?.name === 'init' ? undefined : call;
}

/** Share of the calls that revert, of 256. */
const REVERTED = 10;

/** Whether the contract refuses the call. Simulated: it depends on the sender and its nonce. */
export const isReverted = (tx: JsonObject): boolean =>
  hash(Buffer.from(`${text(tx, 'caller_id')} ${big(tx, 'nonce')}`))[0]! < REVERTED;

type Topics = readonly bigint[];

/** The whole amount that is allowed after the call, not a change of it. */
const allowedBy = ([, amount]: TokenCall['args']): bigint => (amount === undefined ? 0n : integerIn(amount));

/** Topics of the event that the call makes. */
export function topicsOf({ name, caller, args }: TokenCall): Topics | undefined {
  const first = args[0]!;
  switch (name) {
    case 'transfer':
      return [eventHash('Transfer'), wordOf(caller), wordOf(textIn(first)), integerIn(args[1]!)];
    case 'mint':
      return [eventHash('Mint'), wordOf(textIn(first)), integerIn(args[1]!)];
    case 'burn':
      return [eventHash('Burn'), wordOf(caller), integerIn(first)];
    case 'create_allowance':
    case 'reset_allowance':
      return [eventHash('Allowance'), wordOf(caller), wordOf(textIn(first)), allowedBy(args)];
    default:
      return undefined;
  }
}

/** Topics of the event of a creation. */
export function topicsOfCreation(tx: JsonObject): Topics | undefined {
  const script = SCRIPT_OF_CODE.get(text(tx, 'code'));
  if (script === undefined || !SCRIPTS[script]!.mintsInitially) return undefined;
  const owner = text(tx, 'owner_id');
  return [eventHash('Mint'), wordOf(owner), integerIn(callIn(tx, owner)!.args[3]!)];
}

/** The token that a transaction creates. */
export function createdToken(tx: JsonObject): { id: string; token: Token } | undefined {
  if (tx['type'] !== 'ContractCreateTx') return undefined;
  const script = SCRIPT_OF_CODE.get(text(tx, 'code'));
  if (script === undefined) return undefined;
  const owner = text(tx, 'owner_id');
  const [name, symbol, decimals, initial] = callIn(tx, owner)!.args as [TypedValue, TypedValue, TypedValue, TypedValue];
  const amount = integerIn(initial);
  const token: Token = {
    script,
    owner,
    vmVersion: Number(big(tx, 'vm_version')),
    name: textIn(name),
    symbol: textIn(symbol),
    decimals: integerIn(decimals),
    balances: new Map(amount === 0n ? [] : [[owner, amount]]),
    owners: new Map(),
  };
  return { id: contractId(owner, big(tx, 'nonce')), token };
}

/** The token after a call; undefined if what it holds does not allow the call. */
export function afterCall(token: Token, { name, caller, args }: TokenCall): Token | undefined {
  if (name === 'create_allowance' || name === 'reset_allowance') {
    const pair = pairOf(caller, textIn(args[0]!));
    return { ...token, allowances: new Map([...(token.allowances ?? []), [pair, allowedBy(args)]]) };
  }
  const to = name === 'burn' ? undefined : textIn(args[0]!);
  const from = name === 'mint' ? undefined : caller;
  const value = integerIn(args[name === 'burn' ? 0 : 1]!);
  if (SCRIPTS[token.script]!.kind === 9) return moved(token, from, to, value);
  if (token.owners.get(value) !== from || (from === undefined && token.owners.has(value))) return undefined;
  const owners = new Map(token.owners);
  if (to === undefined) owners.delete(value);
  else owners.set(value, to);
  const held = moved(token, from, to, 1n);
  return held && { ...held, owners };
}

function moved(token: Token, from: string | undefined, to: string | undefined, amount: bigint): Token | undefined {
  const balances = new Map(token.balances);
  const put = (account: string, change: bigint): boolean => {
    const after = (balances.get(account) ?? 0n) + change;
    if (after === 0n) balances.delete(account);
    else balances.set(account, after);
    return after >= 0n;
  };
  if (from !== undefined && !put(from, -amount)) return undefined;
  if (to !== undefined) put(to, amount);
  return { ...token, balances };
}

/** An entry of the log, as the node prints it. */
export const tokenEvent = (contract: string, topics: Topics | undefined): JsonObject[] =>
  topics === undefined ? [] : [{ address: contract, data: encodeId('cb', new Uint8Array()), topics: [...topics] }];
