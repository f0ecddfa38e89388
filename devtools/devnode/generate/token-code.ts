/** Code of simulated tokens: the functions of their standards with their types. No function does anything, because the machine does not run. */
import { encodeId, hash } from '../../../src/chain/encoding/encoding.js';
import { encodeRlp, minimalBytes } from '../../../src/chain/encoding/rlp.js';
import { functionId } from '../../../src/chain/tokens/standard.js';
import { integer, map, string } from './fate-values.js';

/** Types as the FATE serialization writes them. */
const INT = [0x07];
const BOOL = [0x17];
const TEXT = [0x77];
const ADDRESS = [0x47, 0x00];
const listOf = (type: readonly number[]): number[] => [0x27, ...type];
const mapOf = (key: readonly number[], value: readonly number[]): number[] => [0x67, ...key, ...value];
const tupleOf = (...types: readonly (readonly number[])[]): number[] => [0x37, types.length, ...types.flat()];
const variantOf = (...constructors: readonly (readonly number[])[]): number[] => [
  0x87,
  constructors.length,
  ...constructors.flat(),
];
const optionOf = (type: readonly number[]): number[] => variantOf(tupleOf(), tupleOf(type));
const NOTHING = tupleOf();

/** Arguments and result of each function. */
type Functions = Readonly<Record<string, readonly [args: readonly number[], result: readonly number[]]>>;

const COMMON: Functions = {
  init: [tupleOf(TEXT, TEXT, INT, INT), NOTHING],
  total_supply: [NOTHING, INT],
  balance: [tupleOf(ADDRESS), optionOf(INT)],
  mint: [tupleOf(ADDRESS, INT), NOTHING],
  burn: [tupleOf(INT), NOTHING],
};

export const AEX9: Functions = {
  ...COMMON,
  aex9_extensions: [NOTHING, listOf(TEXT)],
  meta_info: [NOTHING, tupleOf(TEXT, TEXT, INT)],
  owner: [NOTHING, ADDRESS],
  balances: [NOTHING, mapOf(ADDRESS, INT)],
  transfer: [tupleOf(ADDRESS, INT), NOTHING],
};

/** Moves an amount without an event. */
export const SILENT: Functions = { ...AEX9, move: [tupleOf(ADDRESS, INT), NOTHING] };

/** With allowances. */
export const LENT: Functions = {
  ...AEX9,
  create_allowance: [tupleOf(ADDRESS, INT), NOTHING],
  reset_allowance: [tupleOf(ADDRESS), NOTHING],
  allowance: [tupleOf(tupleOf(ADDRESS, ADDRESS)), optionOf(INT)],
};

export const AEX141: Functions = {
  ...COMMON,
  aex141_extensions: [NOTHING, listOf(TEXT)],
  meta_info: [NOTHING, tupleOf(TEXT, TEXT, optionOf(TEXT), variantOf(NOTHING, NOTHING, NOTHING))],
  owner: [tupleOf(INT), optionOf(ADDRESS)],
  transfer: [tupleOf(ADDRESS, INT, optionOf(TEXT)), NOTHING],
  approve: [tupleOf(ADDRESS, INT, BOOL), NOTHING],
  approve_all: [tupleOf(ADDRESS, BOOL), NOTHING],
  get_approved: [tupleOf(INT), optionOf(ADDRESS)],
  is_approved: [tupleOf(INT, ADDRESS), BOOL],
  is_approved_for_all: [tupleOf(ADDRESS, ADDRESS), BOOL],
  metadata: [tupleOf(INT), optionOf(variantOf(tupleOf(TEXT), tupleOf(mapOf(TEXT, TEXT))))],
};

/** All functions but one of the standard. */
export function without({ total_supply: _, ...functions }: Functions): Functions {
  return functions;
}

const CONTRACT_TAG = 70;
const CONTRACT_VERSION = 3;
const FUNCTION = 0xfe;
/** Returns the unit. */
const BODY = [0x01, 0x03, 0x3f];
const NO_ANNOTATIONS = Uint8Array.of(0x2f, 0x00);

/** The code (`cb_…`) of a contract with these functions. Codes of different sources differ, also where their functions are the same. */
export function codeOf(source: string, functions: Functions): string {
  const named = Object.entries(functions)
    .map(([name, types]) => ({ name, types, id: Buffer.from(functionId(name), 'hex') }))
    .sort((a, b) => Buffer.compare(a.id, b.id));
  const table = named.map(({ id, types: [args, result] }) =>
    Buffer.from([FUNCTION, ...id, ...integer(0n), ...args, ...result, ...BODY]),
  );
  const symbols = map(named.map(({ id, name }) => [string(id), string(name)] as const));
  const parts = [Buffer.concat(table), symbols, NO_ANNOTATIONS].map(encodeRlp);
  const bytes = encodeRlp([
    minimalBytes(CONTRACT_TAG),
    minimalBytes(CONTRACT_VERSION),
    hash(Buffer.from(source)),
    [],
    Buffer.concat(parts),
    Buffer.from('8.0.0'),
    minimalBytes(0),
  ]);
  return encodeId('cb', bytes);
}
