import { KINDS } from '../src/chain/money/kinds.js';

/** The table of `docs/protocol/money.md` of the kinds of movements. */
export function moneyKindsTable(): string {
  const rows = Object.entries(KINDS).map(
    ([name, { meaning, sign, transfer, rosetta }]) =>
      `| \`${name}\` | ${SIGNS[sign]} | ${meaning} | ${code(transfer === undefined ? [] : [transfer])} | ${code(rosetta)} |`,
  );
  return [
    '| Kind | Sign | Meaning | Kind of `/v3/transfers` | Rosetta operations |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

const SIGNS = { in: '+', out: '−', any: '+ or −' };

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' ');
