import { KINDS } from '../src/chain/movements.js';
import type { Kind } from '../src/chain/movements.js';

/** The table of `docs/http.md` of what exports know about each type of transaction. */
export function movementsTable(): string {
  const rows = Object.entries(KINDS).map(([type, kind]) => `| \`${type}\` | ${roles(kind)} | ${effect(kind)} |`);
  return ['| Type | Direction and amount, by member | Effect |', '|---|---|---|', ...rows].join('\n');
}

const roles = (kind: Kind): string =>
  kind.roles
    .map(({ account, direction, amounts }) => {
      const amount = amounts.length === 0 ? '0' : amounts.map((name) => `\`${name}\``).join(' + ');
      return `\`${account}\`: ${direction === null ? 'not stated' : `\`${direction}\` ${amount}`}`;
    })
    .join(', ');

function effect({ runs, unknown }: Kind): string {
  if (runs)
    return '`exact` if the call fails: the amount is 0 and gas is paid. Else `unknown`: the contract may move more';
  return unknown === undefined
    ? '`exact`'
    : `\`unknown\`${unknown.why.startsWith('unless') ? ' ' : ': '}${unknown.why}`;
}
