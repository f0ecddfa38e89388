/** Names of the events of contracts. A log has only the hash of a name, so that a name is known where it stands here. */
import { hash } from './encoding/encoding.js';

/** The events of the standards for tokens (AEX-9, AEX-141), of wrapped coins, and of the decentralised exchange. */
const KNOWN = [
  ...['Transfer', 'Allowance', 'Mint', 'Burn', 'Swap', 'Deposit', 'Withdrawal', 'Approval', 'ApprovalForAll'],
  ...['TokenLimit', 'TokenLimitDecrease', 'TemplateCreation', 'TemplateDeletion', 'TemplateMint', 'TemplateLimit'],
  ...['TemplateLimitDecrease', 'EditionLimit', 'EditionLimitDecrease', 'MutableAttributesUpdate', 'PairCreated'],
  'SwapTokens',
];

/** The first topic of the logs of an event. */
export const eventHash = (name: string): bigint => BigInt(`0x${Buffer.from(hash(Buffer.from(name))).toString('hex')}`);

/** The known names by the hashes of their events. */
export const EVENT_NAMES: ReadonlyMap<bigint, string> = new Map(KNOWN.map((name) => [eventHash(name), name]));
