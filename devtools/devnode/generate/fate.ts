/** The small part of the FATE machine that simulated contracts need: the bytecode of two real contracts, and call data and values for them. */
import { encodeRlp, minimalBytes } from '../../../src/chain/encoding/rlp.js';

/**
 * Compiled from `payable contract P` with `record state = {x : int}`, `entrypoint init(a : int) = {x = a}` and `entrypoint f() = state.x`
 * by aesophia 8.0.1. A real node has executed it.
 */
export const CONTRACT_CODE =
  'cb_+GJGA6BIs7z0DEPscxm87t7XL8FCuBeDx2znum9w+SAJ8oq5T8C2nv5E1kQfADcBBzcAGgaCAAEDP/7gvvxhADcABwECgpMvAhFE1kQfEWluaXQR4L78YQVmgi8AhTguMC4wAQ5UynI=';

/** A contract whose `authorize(n : int)` authenticates a generalized account, and the hash of this function. A real node has executed it. */
export const ACCOUNT_CODE =
  'cb_+LxGA6Bxrhqn46q9n+9xOtH8JkdUyznOCdZYwplN5vFG1rQ40MC4j7hZ/gYdp4MCNwGHAjcANwHnABcIPQACBAEDfwED//5E1kQfADcANwAaDoICAQM//mzyVwsANwEHF3cAAgMRBh2ngwcMBvsDKW5vIGF1dGggdHgaBoIAHzQAAACwLwMRBh2ngz0uT3B0aW9uLmlzX3NvbWURRNZEHxFpbml0EWzyVwslYXV0aG9yaXplgi8AhTguMC4wACowbiY=';
export const AUTHORIZE_HASH = '0x6cf2570b0a1599b708291e50aa3daf13d0c7f2484bc337ddad2413a37fd4a009';

/** First four bytes of the hashes of the function names. */
const INIT = [0x44, 0xd6, 0x44, 0x1f];
const F = [0xe0, 0xbe, 0xfc, 0x61];
const AUTHORIZE = [0x6c, 0xf2, 0x57, 0x0b];

const CALL = [0x2b, 0x11];
const NO_ARGUMENTS = 0x3f;
const ONE_ARGUMENT = 0x1b;
const POSITIVE_INTEGER = 0x6f;

/** A non-negative FATE integer. Small ones take one byte. */
export function fateInteger(value: number): Uint8Array {
  if (value < 64) return Uint8Array.of(value << 1);
  return Buffer.concat([Uint8Array.of(POSITIVE_INTEGER), encodeRlp(minimalBytes(value - 64))]);
}

export const callInit = (a: number): Uint8Array => Buffer.from([...CALL, ...INIT, ONE_ARGUMENT, ...fateInteger(a)]);
/** `init` of the account contract, which has no arguments. */
export const callPlainInit = (): Uint8Array => Buffer.from([...CALL, ...INIT, NO_ARGUMENTS]);
export const callF = (): Uint8Array => Buffer.from([...CALL, ...F, NO_ARGUMENTS]);
export const callAuthorize = (n: number): Uint8Array =>
  Buffer.from([...CALL, ...AUTHORIZE, ONE_ARGUMENT, ...fateInteger(n)]);
