/** Tokens: their names, which anybody may choose, and their amounts. */
import { foreign, inAe, integer, rounded } from '../format.js';
import type { Integer } from '../json.js';

/** What a token says of itself. */
export interface Said {
  name: string | null;
  symbol: string | null;
  decimals: Integer | null;
}

/** Text that a stranger chose: cut, in one line, and apart from the direction of the text around it. */
export const Foreign = ({ text, most }: { text: string; most?: number }) => (
  <bdi class="foreign" title={foreign(text, 300)}>
    {foreign(text, most)}
  </bdi>
);

/** The name of a token; words in its place if it says none. */
export const TokenName = ({ of: { name }, most }: { of: Pick<Said, 'name'>; most?: number }) =>
  name === null || name.trim() === '' ? (
    <span class="quiet">{name === null ? 'name not known' : 'without a name'}</span>
  ) : (
    <Foreign text={name} {...(most !== undefined && { most })} />
  );

export const tokenAddress = (contract: string): string => `#/token/${contract}`;

export const TokenLink = ({ contract, of }: { contract: string; of: Pick<Said, 'name'> }) => (
  <a class="nm" href={tokenAddress(contract)} title={contract}>
    <TokenName of={of} />
  </a>
);

const SYMBOL = 12;

export const Symbol = ({ of: { symbol } }: { of: Pick<Said, 'symbol'> }) =>
  symbol === null || symbol.trim() === '' ? null : <Foreign text={symbol} most={SYMBOL} />;

/** A token may say any integer: with more digits no amount could be read. */
const MAX_DECIMALS = 255;

/** Digits after the point; undefined if the token says none that can be. Then amounts are shown in the smallest unit. */
export const digitsOf = ({ decimals }: Pick<Said, 'decimals'>): number | undefined =>
  decimals !== null && decimals >= 0 && decimals <= MAX_DECIMALS ? Number(decimals) : undefined;

/** What is said of the decimals of a token below its supply. */
export function decimalsInWords(said: Pick<Said, 'decimals'>): string {
  if (said.decimals === null) return 'in the smallest unit: decimals are not known';
  if (digitsOf(said) === undefined)
    return `in the smallest unit: it says ${foreign(integer(said.decimals), 20)} decimals`;
  return `${integer(said.decimals)} decimals`;
}

/** An amount of a token, rounded to six digits; all of them are in the title, and in what is copied. */
export function TokenNum({ amount, of }: { amount: Integer; of: Pick<Said, 'decimals'> }) {
  const digits = digitsOf(of) ?? 0;
  const { whole, fraction } = rounded(amount, digits);
  const exact = inAe(amount, digits);
  return (
    <span class={`num${/^−?<?0$/.test(whole) ? ' small' : ''}`} title={exact} data-exact={exact}>
      {cut(whole)}
      <i>{fraction}</i>
    </span>
  );
}

/** The same in a text, with the symbol. */
export function TokenAmount({ amount, of }: { amount: Integer; of: Said }) {
  const digits = digitsOf(of) ?? 0;
  const { whole, fraction } = rounded(amount, digits);
  const exact = inAe(amount, digits);
  return (
    <span class="amount" title={exact}>
      <span data-exact={exact}>{cut(whole) + fraction}</span>{' '}
      <small>
        <Symbol of={of} />
      </small>
    </span>
  );
}

const MAX_DIGITS = 40;

/** No supply is longer, unless a contract makes one up. */
const cut = (digits: string): string => (digits.length > MAX_DIGITS ? `${digits.slice(0, MAX_DIGITS)}…` : digits);
