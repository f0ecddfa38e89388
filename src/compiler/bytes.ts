import { MalformedError } from '../chain/malformed.js';

/** Reads a byte array from front to back; every method throws MalformedError at the end of the data. */
export interface ByteReader {
  readonly atEnd: boolean;
  /** The next byte, which stays. */
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

  const byte = () => take(1)[0]!;

  function long(lengthOfLength: number): Uint8Array {
    if (lengthOfLength > 4) throw new MalformedError('RLP item is too long');
    return take(take(lengthOfLength).reduce((length, digit) => length * 256 + digit, 0));
  }

  function rlpBytes(): Uint8Array {
    const first = byte();
    if (first < 0x80) return bytes.subarray(at - 1, at);
    if (first < 0xb8) return take(first - 0x80);
    if (first < 0xc0) return long(first - 0xb7);
    throw new MalformedError('RLP list where bytes belong');
  }

  return {
    get atEnd() {
      return at === bytes.length;
    },
    peek() {
      if (at === bytes.length) throw new MalformedError('bytes end too early');
      return bytes[at]!;
    },
    byte,
    take,
    rlpBytes,
    rlpInteger: () => BigInt(`0x0${Buffer.from(rlpBytes()).toString('hex')}`),
    rlpList() {
      const first = byte();
      if (first < 0xc0) throw new MalformedError('RLP bytes where a list belongs');
      return byteReader(first < 0xf8 ? take(first - 0xc0) : long(first - 0xf7));
    },
  };
}
