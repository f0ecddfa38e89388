/** Dry runs on the recorded chain of tokens: what each token says of itself there is recorded for each micro block that changed it. */
import { ContractByteArrayEncoder } from '@aeternity/aepp-calldata';
import { decodeId } from '../../src/chain/encoding/encoding.js';
import { readCallData } from '../../src/chain/fate/values.js';
import { functionId } from '../../src/chain/tokens/standard.js';
import type { DryCall, DryResult } from '../../src/node/dry-run.js';
import { recordedGenerations } from './recording.js';
import { recordedTokens, tokenStates } from './recorded-tokens.js';

// The type declarations of the package do not match its exports.
const encoder = new ContractByteArrayEncoder() as unknown as { encodeWithType(value: unknown, type: object): string };
const int = { name: 'int' };
const string = { name: 'string' };
const tuple = (valueTypes: object[]): object => ({ name: 'tuple', valueTypes });
const WORDS = ['URL', 'OBJECT_ID', 'MAP'];
const META_INFO_141 = tuple([
  string,
  string,
  { name: 'variant', variants: [{ None: [] }, { Some: [string] }] },
  { name: 'variant', variants: WORDS.map((word) => ({ [word]: [] })) },
]);

const IDENTIFIED = {
  name: 'variant',
  variants: [{ MetadataIdentifier: [string] }, { MetadataMap: [{ name: 'map', keyType: string, valueType: string }] }],
};

const option = (member: object): object => ({ name: 'variant', variants: [{ None: [] }, { Some: [member] }] });
const argumentOf = (callData: string): unknown => readCallData(decodeId(callData, 'cb')).arguments[0]!.value;

let order: Map<string, number> | undefined;

const encode = (value: unknown, type: object): DryResult => ({
  type: 'ok',
  value: encoder.encodeWithType(value, type),
});

/** Null for a block that is not recorded. */
export function recordedDryRun(block: string, calls: readonly DryCall[]): DryResult[] | null {
  order ??= new Map(
    recordedGenerations('realnode-tokens')
      .flatMap(({ microBlocks }) => microBlocks)
      .map(({ hash }, i) => [hash, i]),
  );
  const at = order.get(block);
  return at === undefined ? null : calls.map((call) => resultOf(at, call));
}

function resultOf(at: number, { contract, callData, gas }: DryCall): DryResult {
  const token = recordedTokens[contract];
  const id = Buffer.from(decodeId(callData, 'cb').subarray(2, 6)).toString('hex');
  const state = tokenStates.filter((one) => one.token === contract && order!.get(one.hash)! <= at).at(-1);
  const failed: DryResult = { type: 'error', value: '' };
  switch (id) {
    case functionId('meta_info'): {
      const info = token?.meta_info;
      // It costs more than a first request allows.
      if (info === undefined || (token?.label === 'plainLong' && gas < 1_000_000)) return failed;
      if ('failed' in info) return { type: info.failed === 'revert' ? 'revert' : 'error', value: '' };
      const { name, symbol, decimals, base_url, metadata_type } = info;
      if (decimals !== undefined) return encode([name, symbol, BigInt(decimals)], tuple([string, string, int]));
      const url = base_url == null ? { None: [] } : { Some: [base_url] };
      return encode([name, symbol, url, metadata_type], META_INFO_141);
    }
    case functionId('aex9_extensions'):
    case functionId('aex141_extensions'): {
      const list = token?.aex9_extensions ?? token?.aex141_extensions;
      return list === undefined ? failed : encode(list, { name: 'list', valuesType: string });
    }
    case functionId('total_supply'):
      return state === undefined ? failed : encode(BigInt(state.total_supply), int);
    case functionId('balance'): {
      if (state?.balances === undefined) return failed;
      const amount = state.balances[argumentOf(callData) as string];
      return encode(amount === undefined ? { None: [] } : { Some: [BigInt(amount)] }, option(int));
    }
    case functionId('allowance'): {
      if (token?.allowances === undefined) return failed;
      const [from, to] = (argumentOf(callData) as { value: string }[]).map(({ value }) => value);
      // Of earlier blocks nothing is recorded: it is asked about after the last event.
      const found = token.allowances.find(([of]) => of.from_account === from && of.for_account === to);
      return encode(found === undefined ? { None: [] } : { Some: [BigInt(found[1])] }, option(int));
    }
    case functionId('owner'): {
      if (state?.owners === undefined) return failed;
      const owner = state.owners[String(argumentOf(callData))];
      return encode(owner === undefined ? { None: [] } : { Some: [owner] }, option({ name: 'account_pubkey' }));
    }
    case functionId('metadata'): {
      if (state?.owners === undefined) return failed;
      const single = String(argumentOf(callData));
      // Of those that are burnt later nothing is recorded.
      const told = state.owners[single] === undefined ? {} : (token!.tokens![single]?.metadata ?? {});
      if (typeof told === 'string') return encode({ Some: [told] }, option(string));
      const { MetadataMap: map } = told;
      const value = map === undefined ? told : { MetadataMap: [new Map(Object.entries(map[0]))] };
      return encode(Object.keys(told).length === 0 ? { None: [] } : { Some: [value] }, option(IDENTIFIED));
    }
    case functionId('balances'): {
      if (state?.balances === undefined) return failed;
      const map = new Map(Object.entries(state.balances).map(([account, amount]) => [account, BigInt(amount)]));
      return encode(map, { name: 'map', keyType: { name: 'account_pubkey' }, valueType: int });
    }
    default:
      return failed;
  }
}
