/** Converts members of the node's JSON to the fields of the binary form. Every reader throws MalformedError, which names the member. */
import { decodeId } from '../encoding/encoding.js';
import type { IdPrefix } from '../encoding/encoding.js';
import type { Json, JsonObject } from '../encoding/json.js';
import { isObject } from '../encoding/json.js';
import { MalformedError } from '../malformed.js';
import { ROMA } from '../protocol/versions.js';
import { minimalBytes } from '../encoding/rlp.js';
import type { RlpItem } from '../encoding/rlp.js';
import { hexadecimalVersion, isSpelling } from './spellings.js';

/** Returns the bytes of the identifier of an object: `decodeId`, or a function that caches its results. */
export type Decode = (id: string) => Uint8Array;

/** Called with the path of each member that is not part of the binary form, such as `pointers.color`. */
export type Extra = (path: string) => void;

export interface Fields {
  readonly decode: Decode;
  /** Protocol version of the block: see `spellings.ts`. */
  readonly protocol: number;
  /** Unsigned integer. `absent` is the value if the member is missing (the node does not print a ttl of 0). */
  int(member: string, absent?: number): Uint8Array;
  /** Version of a virtual machine or of its interface. */
  versionNumber(member: string): Uint8Array;
  /** An identifier as 33 bytes: kind and key. */
  id(member: string): Uint8Array;
  ids(member: string): RlpItem;
  /** The bytes of an identifier with this prefix, without kind. */
  bytes(member: string, prefix: IdPrefix): Uint8Array;
  text(member: string): Uint8Array;
  /** The value itself. The caller must use all of it. */
  take(member: string): Json | undefined;
  /** The value of a member, without marking it as read. */
  peek(member: string): Json | undefined;
  object(member: string): JsonObject;
  /** Reader for a member that is an object. Call its `end`, too. */
  within(member: string): Fields;
  /** Reader for an object that was taken before. */
  of(object: JsonObject, member: string): Fields;
  /** Readers for the objects of a member that is a list. */
  each(member: string): Fields[];
  /** Reports the members that were not read. */
  end(): void;
}

/** Kind byte of an identifier inside a transaction. */
const KINDS: Readonly<Record<string, number>> = { ak: 1, nm: 2, cm: 3, ok: 4, ct: 5, ch: 6 };

export function idBytes(id: Json | undefined, member: string, decode: Decode): Uint8Array {
  const kind = typeof id === 'string' ? KINDS[id.slice(0, 2)] : undefined;
  if (kind === undefined) throw new MalformedError(`${member}: not the identifier of an object`);
  const out = new Uint8Array(33);
  out[0] = kind;
  const key = decode(id as string);
  if (key.length !== 32) throw new MalformedError(`${member}: not 32 bytes`);
  out.set(key, 1);
  return out;
}

/** `protocol`: version of the block that contains the object; absent: any spelling is accepted. */
export function fields(object: JsonObject, decode: Decode = decodeId, extra?: Extra, protocol = ROMA): Fields {
  return new Reader(object, decode, extra, protocol, '');
}

class Reader implements Fields {
  private readonly taken: string[] = [];

  constructor(
    private readonly members: JsonObject,
    readonly decode: Decode,
    private readonly extra: Extra | undefined,
    readonly protocol: number,
    private readonly path: string,
  ) {}

  int(member: string, absent?: number): Uint8Array {
    const value = this.take(member);
    if (absent !== undefined && value === absent && !isSpelling('ttlOfZero', this.protocol))
      throw new MalformedError(`${member}: ${absent}, which nodes do not print`);
    return integer(value === undefined ? absent : value, member);
  }

  versionNumber(member: string): Uint8Array {
    const value = this.take(member);
    return integer(hexadecimalVersion(value, this.protocol) ?? value, member);
  }

  id(member: string): Uint8Array {
    return idBytes(this.take(member), member, this.decode);
  }

  ids(member: string): RlpItem {
    return list(this.take(member), member).map((id) => idBytes(id, member, this.decode));
  }

  bytes(member: string, prefix: IdPrefix): Uint8Array {
    const value = this.take(member);
    if (typeof value !== 'string' || !value.startsWith(prefix) || value.charCodeAt(2) !== 95 /* _ */)
      throw new MalformedError(`${member}: not ${prefix}_…`);
    return decodeId(value);
  }

  text(member: string): Uint8Array {
    const value = this.take(member);
    if (typeof value !== 'string') throw new MalformedError(`${member}: not a text`);
    return textBytes(value);
  }

  take(member: string): Json | undefined {
    const value = this.members[member];
    if (value !== undefined) this.taken.push(member);
    return value;
  }

  peek(member: string): Json | undefined {
    return this.members[member];
  }

  object(member: string): JsonObject {
    const value = this.take(member);
    if (!isObject(value)) throw new MalformedError(`${member}: not an object`);
    return value;
  }

  within(member: string): Fields {
    return this.of(this.object(member), member);
  }

  of(object: JsonObject, member: string): Fields {
    return new Reader(object, this.decode, this.extra, this.protocol, `${this.path}${member}.`);
  }

  each(member: string): Fields[] {
    return list(this.take(member), member).map((value) => {
      if (!isObject(value)) throw new MalformedError(`${member}: not objects`);
      return this.of(value, member);
    });
  }

  end(): void {
    if (this.extra === undefined) return;
    const names = Object.keys(this.members);
    if (names.length === this.taken.length) return;
    for (const name of names) if (!this.taken.includes(name)) this.extra(`${this.path}${name}`);
  }
}

export function list(value: Json | undefined, member: string): Json[] {
  if (!Array.isArray(value)) throw new MalformedError(`${member}: not an array`);
  return value;
}

export function integer(value: Json | undefined, member: string): Uint8Array {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return minimalBytes(value);
  if (typeof value === 'bigint' && value >= 0n) return minimalBytes(value);
  throw new MalformedError(`${member}: not an unsigned integer`);
}

const SURROGATE = /[\ud800-\udfff]/;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** UTF-8. A lone surrogate, which UTF-8 cannot encode, becomes three bytes as in generalized UTF-8 (WTF-8) instead of U+FFFD. */
export function textBytes(text: string): Uint8Array {
  if (!SURROGATE.test(text)) return Buffer.from(text, 'utf8');
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const match of text.matchAll(LONE_SURROGATE)) {
    const unit = match[0].charCodeAt(0);
    parts.push(Buffer.from(text.slice(from, match.index), 'utf8'));
    parts.push(Uint8Array.of(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 63), 0x80 | (unit & 63)));
    from = match.index + 1;
  }
  parts.push(Buffer.from(text.slice(from), 'utf8'));
  return Buffer.concat(parts);
}
