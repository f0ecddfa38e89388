/** POST /dry-run with calls of simulated tokens (`call_req`), on the state after any block of the chain. */
import { decodeId, encodeId, isId } from '../../../src/chain/encoding/encoding.js';
import { isObject, parseExact, stringifyExact } from '../../../src/chain/encoding/json.js';
import type { Json, JsonObject } from '../../../src/chain/encoding/json.js';
import { MalformedError } from '../../../src/chain/malformed.js';
import { readCallData } from '../../../src/chain/fate/values.js';
import type { TypedValue } from '../../../src/chain/fate/values.js';
import { functionId } from '../../../src/chain/tokens/standard.js';
import { address, integer, list, map, option, string, tuple, variant } from '../generate/fate-values.js';
import { SCRIPTS, pairOf } from '../generate/tokens.js';
import type { Token } from '../generate/tokens.js';
import { find } from '../generate/world.js';
import type { World } from '../generate/world.js';
import type { ChainStore } from '../store/chain-store.js';
import { NONE } from '../store/chain-store.js';
import type { Answer } from '../wire/answer.js';
import { ok, refused } from '../wire/answer.js';

const USED_GAS = 1_000;
const BLOCK_NOT_FOUND = refused(404, 'Block not found');
const NO_BYTES = encodeId('cb', new Uint8Array());

interface Asked {
  top: string;
  calls: JsonObject[];
}

/** The calls of a request; undefined if it has transactions, which are executed. */
function askedIn(body: Buffer): Asked | undefined {
  const asked = parseExact(body.toString('utf8'));
  if (!isObject(asked) || typeof asked['top'] !== 'string' || !isId(asked['top'], 'kh', 'mh')) return undefined;
  const { top, txs } = asked;
  if (!Array.isArray(txs)) return undefined;
  const calls = txs.map((item) => (isObject(item) ? item['call_req'] : undefined));
  return calls.every(isObject) ? { top, calls } : undefined;
}

/** `tokens`: what the tokens of the chain that ends with a block hold. Undefined if the request is for others. */
export function dryRunOfTokens(
  body: Buffer,
  store: ChainStore,
  tokens: (block: number) => World['tokens'],
): Answer | undefined {
  try {
    const asked = askedIn(body);
    if (asked === undefined) return undefined;
    const block = store.findBlock(decodeId(asked.top));
    if (block === NONE) return BLOCK_NOT_FOUND;
    const known = tokens(block);
    const height = store.heightOf(block);
    return ok(stringifyExact({ results: asked.calls.map((call) => resultOf(call, known, height)) }));
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    return refused(400, `Bad request: ${error.message}`);
  }
}

function resultOf(call: JsonObject, tokens: World['tokens'], height: number): Json {
  const { contract, calldata, caller } = call;
  if (typeof contract !== 'string' || typeof calldata !== 'string') throw new MalformedError('txs: no call');
  const token = find(tokens, contract);
  const common = { type: 'contract_call' };
  if (token === undefined) return { ...common, reason: 'Error: contract_does_not_exist', result: 'error' };
  const value = valueOf(token, calldata);
  return {
    ...common,
    call_obj: {
      caller_id: caller ?? '',
      caller_nonce: 1,
      contract_id: contract,
      gas_price: 1_000_000_000,
      gas_used: USED_GAS,
      height,
      log: [],
      return_type: value === undefined ? 'error' : 'ok',
      return_value: value === undefined ? NO_BYTES : encodeId('cb', value),
    },
    result: 'ok',
  };
}

const READS = [
  'aex9_extensions',
  'aex141_extensions',
  'meta_info',
  'total_supply',
  'balances',
  'balance',
  'allowance',
  'owner',
  'metadata',
] as const;
const READ: ReadonlyMap<string, (typeof READS)[number]> = new Map(READS.map((name) => [functionId(name), name]));

/** What a function returns; undefined if the token does not have it. */
function valueOf(token: Token, calldata: string): Uint8Array | undefined {
  const { functionId: id, arguments: args } = readCallData(decodeId(calldata, 'cb'));
  const { kind, allowances } = SCRIPTS[token.script]!;
  const name = READ.get(id);
  switch (name) {
    case 'aex9_extensions':
    case 'aex141_extensions':
      return name === `aex${kind}_extensions` ? list([string('mintable'), string('burnable')]) : undefined;
    case 'meta_info': {
      const texts = [string(token.name), string(token.symbol)];
      return tuple([
        ...texts,
        ...(kind === 9 ? [integer(token.decimals)] : [option(undefined), variant([0, 0, 0], 0)]),
      ]);
    }
    case 'total_supply':
      return integer([...token.balances.values()].reduce((sum, amount) => sum + amount, 0n));
    case 'balance': {
      const held = token.balances.get(args[0]?.value as string);
      return option(held === undefined ? undefined : integer(held));
    }
    case 'allowance':
      return allowances === undefined || allowances === 'fails' ? undefined : allowanceOf(token, args[0], allowances);
    case 'balances':
      return kind === 9
        ? map([...token.balances].map(([account, amount]) => [address(account), integer(amount)] as const))
        : undefined;
    case 'owner': {
      if (kind === 9) return address(token.owner);
      const owner = token.owners.get(BigInt(args[0]?.value as number | bigint));
      return option(owner === undefined ? undefined : address(owner));
    }
    case 'metadata': {
      if (kind === 9) return undefined;
      const id = BigInt(args[0]?.value as number | bigint);
      return option(token.owners.has(id) ? metadataOf(id) : undefined);
    }
    default:
      return undefined;
  }
}

function allowanceOf({ allowances }: Token, pair: TypedValue | undefined, told: 'as events' | 'others'): Uint8Array {
  if (!Array.isArray(pair?.value)) throw new MalformedError('allowance: no pair');
  const [owner, spender] = pair.value.map((account) => (account as TypedValue).value as string);
  const allowed = allowances?.get(pairOf(owner!, spender!));
  if (allowed === undefined) return option(undefined);
  return option(integer(told === 'others' ? allowed / 2n : allowed));
}

/** Tokens with an even number have a text, the others a map. */
const metadataOf = (id: bigint): Uint8Array =>
  id % 2n === 0n
    ? variant([1, 1], 0, [string(`https://pictures.invalid/${id}`)])
    : variant([1, 1], 1, [map([[string('name'), string(`Picture ${id}`)]])]);
