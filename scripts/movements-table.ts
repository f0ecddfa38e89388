import { TRANSACTION_TYPES } from '../src/chain/transactions/catalogue.js';
import type { ValueFlow } from '../src/chain/transactions/value-flow.js';

/** The table of `docs/http.md` of the amounts that exports know for each type of transaction. */
export function movementsTable(): string {
  const rows = TRANSACTION_TYPES.flatMap(({ name, formerly, valueFlow }) =>
    valueFlow === undefined
      ? []
      : [name, ...(formerly === undefined ? [] : [formerly])].map(
          (type) => `| \`${type}\` | ${roles(valueFlow)} | ${effect(valueFlow)} |`,
        ),
  );
  return ['| Type | Direction and amount, by member | Effect |', '|---|---|---|', ...rows].join('\n');
}

const roles = (valueFlow: ValueFlow): string =>
  valueFlow.roles
    .map(({ account, direction, amounts }) => {
      const amount = amounts.length === 0 ? '0' : amounts.map((name) => `\`${name}\``).join(' + ');
      return `\`${account}\`: ${direction === null ? 'not stated' : `\`${direction}\` ${amount}`}`;
    })
    .join(', ');

function effect({ runsContract, unknown }: ValueFlow): string {
  if (runsContract)
    return '`exact` if the call fails: the amount is 0 and gas is paid. Else `unknown`: the contract may move more';
  return unknown === undefined
    ? '`exact`'
    : `\`unknown\`${unknown.reason.startsWith('unless') ? ' ' : ': '}${unknown.reason}`;
}
