/** Values of contracts and raw texts, as the compatible API shows them. */
import { decodeId, encodeId } from '../../../chain/encoding/encoding.js';
import { isObject } from '../../../chain/encoding/json.js';
import type { Json, JsonObject } from '../../../chain/encoding/json.js';
import { MalformedError } from '../../../chain/malformed.js';
import { decodeRlp } from '../../../chain/serialize/decode-rlp.js';
import { functionNames } from '../../../chain/fate/bytecode.js';
import { readCallData, readValue } from '../../../chain/fate/values.js';

/** The result of `read`; undefined if the text is malformed, as anybody may put any bytes into a transaction. */
export function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
}

/** A typed value with truth values as texts. */
export function shownValue(value: Json): Json {
  if (Array.isArray(value)) return value.map(shownValue);
  if (!isObject(value)) return value;
  if (value['type'] === 'bool') return { type: 'bool', value: value['value'] === true ? 'true' : 'false' };
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shownValue(member)]));
}

/** The value that a call returned; undefined if it is none of the FATE machine. */
export const returnedValue = (text: Json | undefined): Json | undefined =>
  typeof text === 'string' ? orUndefined(() => shownValue({ ...readValue(decodeId(text, 'cb')) })) : undefined;

/** The arguments in call data; undefined if they are none of the FATE machine. */
export const argumentsOf = (callData: Json | undefined): Json[] | undefined =>
  typeof callData === 'string'
    ? orUndefined(() => readCallData(decodeId(callData, 'cb')).arguments.map((value) => shownValue({ ...value })))
    : undefined;

/** What the code of a contract says of its making; undefined if it is no code. */
export function codeFacts(code: Json | undefined): { compiler_version: string | null; source_hash: string | null } {
  const fields = typeof code === 'string' ? orUndefined(() => decodeRlp(decodeId(code, 'cb'))) : undefined;
  const [, , sourceHash, , , compiler] = fields === undefined || fields instanceof Uint8Array ? [] : fields;
  return {
    compiler_version: compiler instanceof Uint8Array ? Buffer.from(compiler).toString() : null,
    source_hash: sourceHash instanceof Uint8Array ? Buffer.from(sourceHash).toString('base64') : null,
  };
}

/** Name of a function by its hash (`0x…`); null if the code does not say it. */
export function functionName(code: Json | undefined, hash: Json | undefined): string | null {
  if (typeof code !== 'string' || typeof hash !== 'string') return null;
  return orUndefined(() => functionNames(code))?.get(hash.slice(2, 10)) ?? null;
}

/** A text; empty for any other value. */
export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

export const base64 = (text: Json | undefined): Json =>
  typeof text === 'string' ? Buffer.from(text).toString('base64') : null;

/** Events of a call, with their topics as decimal texts: they have more digits than clients read. */
export const shownLog = (log: Json | undefined): Json =>
  Array.isArray(log)
    ? log.map((event): Json => {
        const topics = isObject(event) ? event['topics'] : undefined;
        return isObject(event) && Array.isArray(topics) ? { ...event, topics: topics.map(String) } : event;
      })
    : [];

const STANDARD_KEYS = new Set(['account_pubkey', 'oracle_pubkey', 'contract_pubkey', 'channel']);

/** Pointers of an update, with keys that are not standard in base64. */
export const encodedPointers = (pointers: Json | undefined): Json =>
  Array.isArray(pointers)
    ? pointers.map((pointer): Json => {
        if (!isObject(pointer) || STANDARD_KEYS.has(textOf(pointer['key']))) return pointer;
        return { ...pointer, key: keyBytes(pointer).toString('base64') };
      })
    : [];

/** Pointers of a name, with their keys as texts and as bytes. */
export const namedPointers = (pointers: Json | undefined): Json[] =>
  Array.isArray(pointers)
    ? pointers.filter(isObject).map((pointer): Json => {
        const bytes = keyBytes(pointer);
        return { key: bytes.toString(), encoded_key: encodedKey(pointer, bytes), id: pointer['id'] ?? null };
      })
    : [];

function keyBytes(pointer: JsonObject): Buffer {
  const { encoded_key: encoded, key } = pointer;
  const bytes = typeof encoded === 'string' ? orUndefined(() => decodeId(encoded, 'ba')) : undefined;
  return bytes === undefined ? Buffer.from(textOf(key)) : Buffer.from(bytes);
}

const encodedKey = ({ encoded_key: encoded }: JsonObject, bytes: Buffer): Json =>
  typeof encoded === 'string' ? encoded : encodeId('ba', bytes);
