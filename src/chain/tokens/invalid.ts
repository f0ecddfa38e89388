/** Why what a token says does not match its events, by the code that is stored, and what is shown then. */
export const INVALID = {
  balances: {
    reason: 'balances_differ',
    description: 'The token tells other balances than its events. Shown is what it told last.',
  },
  owners: {
    reason: 'owners_differ',
    description: 'The collection tells other owners than its events. Shown are those of its events.',
  },
  supply: { reason: 'supply_differs', description: 'The token tells another supply than its events.' },
  negative: {
    reason: 'negative_balances',
    description: 'The events of the token make an account hold less than nothing.',
  },
} as const;

const isKnown = (code: string): code is keyof typeof INVALID => Object.hasOwn(INVALID, code);

/** Members that say it; both null where everything matches. A code of a later release has no description. */
export function invalidity(code: string | null): { invalid_reason: string | null; invalid_description: string | null } {
  if (code === null || !isKnown(code)) return { invalid_reason: code, invalid_description: null };
  const { reason, description } = INVALID[code];
  return { invalid_reason: reason, invalid_description: description };
}
