/** Amounts in AE, rounded to six digits; all digits are in the title, and in what is copied. */
import { coin } from '../coin.js';
import { inAe, rounded } from '../format.js';
import type { Integer } from '../json.js';
import { Copy } from './copy.js';

type Aettos = Integer | string;

/** An amount in a text, with its unit. `exact`: with all digits. */
export function Amount(props: { aettos: Aettos; exact?: boolean; copy?: boolean }) {
  const { aettos, exact = false, copy = false } = props;
  const { whole, fraction } = rounded(aettos);
  return (
    <span class="amount" title={`${inAe(aettos)} ${coin.symbol}`}>
      <span data-exact={inAe(aettos)}>{exact ? inAe(aettos) : whole + fraction}</span> <small>{coin.symbol}</small>
      {copy && <Copy text={String(aettos)} what="amount in aettos" />}
    </span>
  );
}

/** An amount in a column whose head names the unit: the points stand below each other. `signed`: a change. */
export function Num({ aettos, signed = false }: { aettos: Aettos; signed?: boolean }) {
  const { whole, fraction } = rounded(aettos);
  const isPlus = signed && BigInt(aettos) > 0n;
  const isSmall = /^−?<?0$/.test(whole);
  return (
    <span
      class={`num${isSmall ? ' small' : ''}${isPlus ? ' plus' : ''}`}
      title={`${inAe(aettos)} ${coin.symbol}`}
      data-exact={inAe(aettos)}
    >
      {isPlus && '+'}
      {whole}
      <i>{fraction}</i>
    </span>
  );
}

/** Copies all digits when the selection is within one amount. Spaces between groups of digits are left out. */
export function copyExactAmounts(): void {
  document.addEventListener('copy', (event) => {
    const range = getSelection()?.rangeCount === 1 ? getSelection()!.getRangeAt(0) : undefined;
    const within = range?.commonAncestorContainer;
    const element = within instanceof Element ? within : within?.parentElement;
    const exact = element?.closest<HTMLElement>('[data-exact]')?.dataset['exact'];
    if (exact === undefined) return;
    event.clipboardData?.setData('text/plain', exact.replace(/\s/g, '').replace('−', '-'));
    event.preventDefault();
  });
}
