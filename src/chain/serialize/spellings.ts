/**
 * How releases of nodes printed members otherwise than today. Each has the newest protocol version that such a release follows: in blocks of
 * later protocols it is wrong.
 */
import type { Json } from '../encoding/json.js';
import { CERES, FORTUNA, IRIS, MINERVA, ROMA } from '../protocol/versions.js';

const SPELLINGS = {
  /** Before 2.0: no `info` of a key block. */
  withoutInfo: ROMA,
  /** The first releases: one `vm_version`, and no `abi_version`. */
  vmVersionAlone: MINERVA,
  /** Before 3.0: a payload as raw text. */
  rawPayload: MINERVA,
  /** Before 3.3: `vm_version` and `abi_version` as hexadecimal text, for instance `0x0003`. */
  hexadecimalVersions: FORTUNA,
  /** Before 5.0: version 1 of a claim, which is that of its bytes. */
  versionOfClaim: FORTUNA,
  /** The first releases: a ttl of 0. */
  ttlOfZero: FORTUNA,
  /** Before 6.13: no `encoded_tx`. */
  withoutEncodedTx: IRIS,
  /** Before 7.1: no `encoded_key` of a pointer. */
  withoutEncodedKey: CERES,
} as const;

/** Whether a node may print a block of this protocol version so. */
export const isSpelling = (spelling: keyof typeof SPELLINGS, protocol: number): boolean =>
  protocol <= SPELLINGS[spelling];

/** The version that nodes of the time of the protocol may print as this text; undefined if they do not. */
export function hexadecimalVersion(text: Json | undefined, protocol: number): number | undefined {
  const isVersion = typeof text === 'string' && /^0x(?:[0-9a-f]{2}){1,2}$/.test(text);
  return isVersion && isSpelling('hexadecimalVersions', protocol) ? Number(text) : undefined;
}
