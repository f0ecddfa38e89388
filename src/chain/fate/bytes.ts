import { MalformedError } from '../malformed.js';
import { rlpExtent } from '../serialize/decode-rlp.js';

/** Reads a byte array from front to back. Every method throws MalformedError if there are too few bytes. */
export interface ByteReader {
  readonly atEnd: boolean;
  /** The next byte, without reading it. */
  peek(): number;
  byte(): number;
  /** The next `length` bytes, not copied. */
  take(length: number): Uint8Array;
  /** The next RLP item, which must be a byte string. */
  rlpBytes(): Uint8Array;
  /** The next RLP item as an unsigned integer. */
  rlpInteger(): bigint;
  /** Reader of the contents of the next RLP item, which must be a list. */
  rlpList(): ByteReader;
}

export function byteReader(bytes: Uint8Array): ByteReader {
  let at = 0;

  function take(length: number): Uint8Array {
    if (length > bytes.length - at) throw new MalformedError('bytes end too early');
    at += length;
    return bytes.subarray(at - length, at);
  }

  function payload(isList: boolean): Uint8Array {
    const item = rlpExtent(bytes, at);
    if (item.isList !== isList)
      throw new MalformedError(isList ? 'RLP bytes where a list belongs' : 'RLP list where bytes belong');
    at = item.end;
    return bytes.subarray(item.from, item.end);
  }

  const rlpBytes = (): Uint8Array => payload(false);

  return {
    get atEnd() {
      return at === bytes.length;
    },
    peek() {
      if (at === bytes.length) throw new MalformedError('bytes end too early');
      return bytes[at]!;
    },
    byte: () => take(1)[0]!,
    take,
    rlpBytes,
    rlpInteger: () => BigInt(`0x0${Buffer.from(rlpBytes()).toString('hex')}`),
    rlpList: () => byteReader(payload(true)),
  };
}
