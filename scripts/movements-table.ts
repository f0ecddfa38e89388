import { TRANSACTION_TYPES } from '../src/chain/transactions/catalogue.js';
import type { Moves } from '../src/chain/transactions/moves.js';

/** The table of `docs/http.md` of what exports know about each type of transaction. */
export function movementsTable(): string {
  const rows = TRANSACTION_TYPES.flatMap(({ name, formerly, moves }) =>
    moves === undefined
      ? []
      : [name, ...(formerly === undefined ? [] : [formerly])].map(
          (type) => `| \`${type}\` | ${roles(moves)} | ${effect(moves)} |`,
        ),
  );
  return ['| Type | Direction and amount, by member | Effect |', '|---|---|---|', ...rows].join('\n');
}

const roles = (moves: Moves): string =>
  moves.roles
    .map(({ account, direction, amounts }) => {
      const amount = amounts.length === 0 ? '0' : amounts.map((name) => `\`${name}\``).join(' + ');
      return `\`${account}\`: ${direction === null ? 'not stated' : `\`${direction}\` ${amount}`}`;
    })
    .join(', ');

function effect({ runs, unknown }: Moves): string {
  if (runs)
    return '`exact` if the call fails: the amount is 0 and gas is paid. Else `unknown`: the contract may move more';
  return unknown === undefined
    ? '`exact`'
    : `\`unknown\`${unknown.why.startsWith('unless') ? ' ' : ': '}${unknown.why}`;
}
