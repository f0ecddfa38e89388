/** Prices, lifetimes and formats of names by protocol version. Times are in generations, amounts in aettos. See docs/protocol/names.md. */
import { asciiName } from './ids.js';
import { CERES, IRIS, LIMA } from './versions.js';

/** Unit of name fees. */
const UNIT = 10n ** 14n;
/** Names with a label of this length or longer cost 3 units. For each character less the price is the next Fibonacci number. */
const CHEAPEST_LENGTH = 31;
/** Max length of a label that is auctioned. */
export const AUCTIONED_LENGTH = 12;
/** Min generations for which an auction stays open after a bid, from Ceres on. */
const BID_EXTENSION = 240;
/** Min raise of a bid over the previous one, in percent. */
const MIN_RAISE_PERCENT = 5n;

/** Price of a claim before there were name fees. */
export const OLD_CLAIM_FEE = 3n;
/** How long a preclaim is valid. */
export const PRECLAIM_LIFETIME = 300;
/** How long a revoked or expired name cannot be claimed again. */
export const PROTECTION = 2016;

/** Last part of names that can be claimed. */
export const registrar = (version: number): '.test' | '.chain' => (version >= LIMA ? '.chain' : '.test');

/** Min price of a claim or first bid, from Lima on. */
export function nameFee(name: string): bigint {
  let [fee, next] = [3n, 5n];
  for (let length = asciiName(name).indexOf('.'); length < CHEAPEST_LENGTH; length += 1)
    [fee, next] = [next, fee + next];
  return fee * UNIT;
}

/** How long the auction of a name lasts after its first bid; 0 if the name is not auctioned. */
export function auctionLength(name: string, version: number): number {
  const ascii = asciiName(name);
  const ending = registrar(LIMA);
  if (version < LIMA || !ascii.endsWith(ending)) return 0;
  const label = ascii.length - ending.length;
  if (label > AUCTIONED_LENGTH) return 0;
  if (label > 8) return 480;
  if (label > 4) return version < CERES ? 14880 : 960;
  return version < CERES ? 29760 : 2400;
}

/** Last height of a running auction after a bid at `height`; `end` is its last height before the bid. */
export const endAfterBid = (name: string, end: number, height: number, version: number): number =>
  version < CERES ? height + auctionLength(name, version) : Math.max(end, height + BID_EXTENSION);

/** Whether a bid is high enough after the previous one. */
export const outbids = (bid: bigint, before: bigint): boolean => (bid - before) * 100n >= before * MIN_RAISE_PERCENT;

/** How long a name is valid after its claim or the end of its auction; also the max after an update. */
export const nameLifetime = (version: number): number => (version < IRIS ? 50000 : 180000);
