/**
 * Which contracts are tokens: those that have all functions of a standard, with exactly its types. Functions are known by the hashes of their
 * names, so that no interface is needed.
 */
import { hash } from '../encoding/encoding.js';
import { functionTypes } from '../fate/functions.js';

/** A token of AEX-9 has amounts, a collection of AEX-141 has single tokens. */
export type TokenKind = 9 | 141;

/** Which texts of types a function may have. */
type Functions = Readonly<Record<string, readonly string[]>>;

/** A record may have its fields in another order. */
const META_INFO = ['()->(string,string,int)', '()->(string,int,string)', '()->(int,string,string)'];

const AEX9: Functions = {
  aex9_extensions: ['()->list(string)'],
  meta_info: META_INFO,
  total_supply: ['()->int'],
  owner: ['()->address'],
  balances: ['()->map(address,int)'],
  balance: ['(address)->variant((),(int))'],
  transfer: ['(address,int)->()'],
};

const TEXT_OR_MAP = 'variant((string),(map(string,string)))';
/** All metadata of a collection may have one form. */
const METADATA = [TEXT_OR_MAP, 'string', 'map(string,string)'];
const OPTIONAL_TEXT = 'variant((),(string))';

const SHARED: Functions = {
  aex141_extensions: ['()->list(string)'],
  balance: ['(address)->variant((),(int))'],
  owner: ['(int)->variant((),(address))'],
  approve: ['(address,int,bool)->()'],
  approve_all: ['(address,bool)->()'],
  get_approved: ['(int)->variant((),(address))'],
  is_approved: ['(int,address)->bool'],
  is_approved_for_all: ['(address,address)->bool'],
  metadata: METADATA.map((type) => `(int)->variant((),(${type}))`),
};

const AEX141: Functions = {
  ...SHARED,
  meta_info: [`()->(string,string,${OPTIONAL_TEXT},variant((),(),()))`],
  total_supply: ['()->int'],
  transfer: [`(address,int,${OPTIONAL_TEXT})->()`],
};

/** Before the standard was final. */
const EARLY_AEX141: Functions = {
  ...SHARED,
  meta_info: [`()->(string,string,${OPTIONAL_TEXT},variant((),(),(),()))`],
  transfer: [`(address,address,int,${OPTIONAL_TEXT})->()`],
};

const ID_BYTES = 4;

/** The identifier of a function in code and call data, hexadecimal. */
export const functionId = (name: string): string =>
  Buffer.from(hash(Buffer.from(name)).subarray(0, ID_BYTES)).toString('hex');

/** The final form of each standard. */
const FINAL: readonly (readonly [kind: TokenKind, functions: Functions])[] = [
  [9, AEX9],
  [141, AEX141],
];

const STANDARDS = [...FINAL, [141, EARLY_AEX141] as const].map(
  ([kind, functions]) =>
    [kind, Object.entries(functions).map(([name, types]) => [functionId(name), types] as const)] as const,
);

/** The standard that a contract has by its code (`cb_…`); null if it is no token. */
export function tokenKind(code: string): TokenKind | null {
  const types = functionTypes(code);
  if (types === null) return null;
  const found = STANDARDS.find(([, functions]) =>
    functions.every(([id, allowed]) => allowed.includes(types.get(id) ?? '')),
  );
  return found?.[0] ?? null;
}

/** Why a contract is no token: what it lacks of the standard of which it has most. */
interface Refusal {
  kind: TokenKind;
  /** Functions that it does not have. */
  missing: string[];
  /** Functions that have other types. */
  different: string[];
}

/** Why a contract is no token by its code (`cb_…`); null if it is one, or if its code cannot be read. */
export function refusalOf(code: string): Refusal | null {
  const types = functionTypes(code);
  if (types === null || tokenKind(code) !== null) return null;
  const refusals = FINAL.map(([kind, functions]) => {
    const wrong = Object.keys(functions).filter(
      (name) => !functions[name]!.includes(types.get(functionId(name)) ?? ''),
    );
    const isMissing = (name: string): boolean => !types.has(functionId(name));
    const refusal: Refusal = {
      kind,
      missing: wrong.filter(isMissing),
      different: wrong.filter((name) => !isMissing(name)),
    };
    return { refusal, part: wrong.length / Object.keys(functions).length };
  });
  return refusals.sort((a, b) => a.part - b.part)[0]!.refusal;
}
