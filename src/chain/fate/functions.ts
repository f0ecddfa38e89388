/** The functions of a contract with their types, from its code. Names of types are not in it: they are lost when a contract is compiled. */
import { decodeId } from '../encoding/encoding.js';
import { MalformedError } from '../malformed.js';
import { byteReader } from './bytes.js';
import type { ByteReader } from './bytes.js';
import { argumentCount } from './opcodes.js';
import { readInteger, skipValue } from './values.js';

/** First byte of a function; no operation has it. */
const FUNCTION = 0xfe;
const ID_BYTES = 4;
/** The compiler of a transaction's sender decides how deep types are nested. The limit bounds the stack. */
const MAX_DEPTH = 50;

/** First byte of a type, as the FATE serialization defines it. */
const TYPE = {
  int: 0x07,
  bool: 0x17,
  list: 0x27,
  tuple: 0x37,
  object: 0x47,
  bits: 0x57,
  map: 0x67,
  string: 0x77,
  variant: 0x87,
  bytes: 0x97,
  bytearray: 0xa7,
  variable: 0xe7,
  any: 0xf7,
} as const;

const SIMPLE: ReadonlyMap<number, string> = new Map([
  [TYPE.int, 'int'],
  [TYPE.bool, 'bool'],
  [TYPE.bits, 'bits'],
  [TYPE.string, 'string'],
  [TYPE.bytearray, 'contract_bytearray'],
  [TYPE.any, 'any'],
]);
const OBJECTS = ['address', 'bytes', 'contract', 'oracle', 'oracle_query', 'channel'];

/**
 * The types of a contract's functions by their identifiers (hexadecimal), as one text each: `(address,int)->unit`. Variants are written as
 * `variant(` the types of each constructor `)`. Null if the code (`cb_…`) is not of a FATE contract, or cannot be read. Never throws.
 */
export function functionTypes(code: string): ReadonlyMap<string, string> | null {
  try {
    const contract = byteReader(decodeId(code, 'cb')).rlpList();
    contract.rlpInteger();
    contract.rlpInteger();
    contract.rlpBytes();
    contract.rlpList();
    return readFunctions(byteReader(byteReader(contract.rlpBytes()).rlpBytes()));
  } catch (error) {
    if (error instanceof MalformedError) return null;
    throw error;
  }
}

function readFunctions(reader: ByteReader): ReadonlyMap<string, string> {
  const functions = new Map<string, string>();
  while (!reader.atEnd) {
    if (reader.byte() !== FUNCTION) throw new MalformedError('no function where one belongs');
    const id = Buffer.from(reader.take(ID_BYTES)).toString('hex');
    skipValue(reader);
    const [args, result] = [readType(reader, 0), readType(reader, 0)];
    functions.set(id, `${args}->${result}`);
    while (!reader.atEnd && reader.peek() !== FUNCTION) skipOperation(reader);
  }
  return functions;
}

/** Two bits say of each argument where it is: on the stack, or written after the operation. Up to four of them share a byte. */
function skipOperation(reader: ByteReader): void {
  const count = argumentCount(reader.peek());
  if (count === undefined) throw new MalformedError(`unknown operation ${reader.peek()}`);
  reader.byte();
  if (count === 0) return;
  let places = reader.byte();
  if (count > 4) places = (places << 8) | reader.byte();
  for (let i = 0; i < count; i += 1) if (((places >> (2 * i)) & 3) !== 0) skipArgument(reader);
}

/** Calls of other contracts have the types of the called function as arguments. */
function skipArgument(reader: ByteReader): void {
  if ((reader.peek() & 0x0f) === TYPE.int) readType(reader, 0);
  else skipValue(reader);
}

function readType(reader: ByteReader, depth: number): string {
  if (depth > MAX_DEPTH) throw new MalformedError(`types nested deeper than ${MAX_DEPTH}`);
  const next = (): string => readType(reader, depth + 1);
  const several = (): string => Array.from({ length: reader.byte() }, next).join(',');
  const tag = reader.byte();
  const simple = SIMPLE.get(tag);
  if (simple !== undefined) return simple;
  switch (tag) {
    case TYPE.list:
      return `list(${next()})`;
    case TYPE.map:
      return `map(${next()},${next()})`;
    case TYPE.tuple:
      return `(${several()})`;
    case TYPE.variant:
      return `variant(${several()})`;
    case TYPE.bytes:
      return `bytes(${readInteger(reader)})`;
    case TYPE.variable:
      return `'${reader.byte()}`;
    case TYPE.object: {
      const kind = OBJECTS[reader.byte()];
      if (kind === undefined) throw new MalformedError('unknown object in a type');
      return kind;
    }
    default:
      throw new MalformedError(`unknown tag ${tag} of a type`);
  }
}
