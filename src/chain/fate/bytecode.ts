import { decodeId } from '../encoding/encoding.js';
import { MalformedError } from '../malformed.js';
import { byteReader } from './bytes.js';
import { readSymbols } from './values.js';

/** First byte of every function in FATE code; no AEVM code begins with it. */
const FATE_FUNCTION = 0xfe;

/**
 * Names of a contract's functions by their identifiers (hexadecimal), from the code in the creating transaction (`cb_…`). Undefined for AEVM
 * code, which identifies functions by hashes of their types. Throws MalformedError if the text is no contract code at all.
 */
export function functionNames(code: string): Map<string, string> | undefined {
  // Fields: tag, version, hash of the source, types of an AEVM contract, code. Versions 2 and 3 have more fields, which are not needed.
  const contract = byteReader(decodeId(code, 'cb')).rlpList();
  contract.rlpInteger();
  contract.rlpInteger();
  contract.rlpBytes();
  contract.rlpList();
  const bytecode = contract.rlpBytes();
  const parts = byteReader(bytecode);
  try {
    const functions = parts.rlpBytes();
    if (functions[0] !== FATE_FUNCTION) return undefined;
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
  return readSymbols(parts.rlpBytes());
}
