import { isObject, parseExact } from '../chain/encoding/json.js';
import type { JsonObject } from '../chain/encoding/json.js';
import { MalformedError } from '../chain/malformed.js';
import type { Currency } from '../chain/networks.js';

const MAX_LENGTH = 64;
const MAX_DIGITS = 36;

/** Parses the answer of `/currency`. Throws MalformedError with the name of the wrong field. */
export function readCurrency(source: string): Currency {
  const currency = parseExact(source);
  if (!isObject(currency)) throw new MalformedError('currency is not an object');
  return {
    name: word(currency, 'name'),
    symbol: word(currency, 'symbol'),
    subunit: word(currency, 'subunit'),
    digits: digitsOf(currency['subunits_per_unit']),
  };
}

/** Short text without control characters: it is shown beside amounts. */
function word(currency: JsonObject, field: string): string {
  const value = currency[field];
  if (typeof value === 'string' && value.length <= MAX_LENGTH && /^[^\p{C}\p{Z}]+( [^\p{C}\p{Z}]+)*$/u.test(value))
    return value;
  throw new MalformedError(`currency: ${field} is missing or no short text`);
}

function digitsOf(subunits: unknown): number {
  const digits = String(subunits).length - 1;
  const isPower = typeof subunits === 'number' || typeof subunits === 'bigint';
  if (isPower && /^10*$/.test(String(subunits)) && digits <= MAX_DIGITS) return digits;
  throw new MalformedError(`currency: subunits_per_unit is no power of ten up to 10^${MAX_DIGITS}`);
}
