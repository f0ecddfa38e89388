/** What the events of tokens say: which amounts of AEX-9 move, and which single tokens of AEX-141. */
import { eventHash } from '../event-names.js';
import type { TokenKind } from './standard.js';

/** Arguments of an event that is read: an event of the same name with another number of them is no event of a token. */
const SHAPES = {
  Transfer: 3,
  Mint: 2,
  Burn: 2,
  Swap: 2,
  // Of wrapped coins.
  Deposit: 2,
  Withdrawal: 2,
  // Account, template, token; the number of the edition is the data.
  TemplateMint: 3,
} as const;

type MoveName = keyof typeof SHAPES;

/** Of AEX-9: the events that make amounts, and those that end them. */
export const SUPPLY_EVENTS = ['Mint', 'Deposit', 'Burn', 'Swap', 'Withdrawal'] as const satisfies readonly MoveName[];

/** The events by which the tokens of a standard move: those of the function `token_deltas` of the database. */
const MOVES_OF: Readonly<Record<TokenKind, readonly MoveName[]>> = {
  9: ['Transfer', ...SUPPLY_EVENTS],
  141: ['Transfer', 'Mint', 'TemplateMint', 'Burn'],
};

/** Whether a move is one of a standard: the other names are not those of its events. */
export const isMoveOf = (kind: TokenKind, { name }: TokenMove): boolean => MOVES_OF[kind].includes(name);

const NAMES: ReadonlyMap<bigint, MoveName> = new Map(
  (Object.keys(SHAPES) as MoveName[]).map((name) => [eventHash(name), name]),
);

/** An amount or a single token that moves. Accounts are the 32 bytes of their keys as integers. */
interface TokenMove {
  name: MoveName;
  /** Null where it is made. */
  from: bigint | null;
  /** Null where it ends. */
  to: bigint | null;
  /** The amount, or the number of the single token. */
  value: bigint;
}

/** The move that an event with these topics tells; null if it tells none. Whether the contract is a token, its code says. */
export function tokenMove(topics: readonly bigint[]): TokenMove | null {
  const name = topics[0] === undefined ? undefined : NAMES.get(topics[0]);
  if (name === undefined || topics.length - 1 !== SHAPES[name]) return null;
  const [, first, second, third] = topics as [bigint, bigint, bigint, bigint];
  switch (name) {
    case 'Transfer':
      return { name, from: first, to: second, value: third };
    case 'TemplateMint':
      return { name, from: null, to: first, value: third };
    case 'Mint':
    case 'Deposit':
      return { name, from: null, to: first, value: second };
    default:
      return { name, from: first, to: null, value: second };
  }
}
