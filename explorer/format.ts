import { coin } from './coin.js';
import type { Integer } from './json.js';

/** `1234567` as `1 234 567`, with non-breaking spaces. */
const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, '\u202f');

export const integer = (value: Integer | string): string => {
  const text = String(value);
  return text.startsWith('-') ? `−${grouped(text.slice(1))}` : grouped(text);
};

/**
 * Aettos as AE, or smallest units of another coin or of a token as that, with all digits of the fraction except zeros at its end. `decimals`: digits
 * after the point.
 */
export function inAe(aettos: Integer | string, decimals = coin.digits): string {
  const text = BigInt(aettos).toString();
  const negative = text.startsWith('-');
  const digits = text.slice(negative ? 1 : 0).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const whole = grouped(digits.slice(0, point));
  const fraction = digits.slice(point).replace(/0+$/, '');
  return `${negative ? '−' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

const SHOWN_DIGITS = 6;

/** Aettos as AE in two parts, rounded to six digits: `1 811` and `.066`. What would be rounded to 0 is `<0` and `.000001`. */
export function rounded(aettos: Integer | string, decimals = coin.digits): { whole: string; fraction: string } {
  const exact = BigInt(aettos);
  const size = exact < 0n ? -exact : exact;
  const smallest = 10n ** BigInt(Math.max(0, decimals - SHOWN_DIGITS));
  if (size > 0n && size < smallest) return { whole: exact < 0n ? '−<0' : '<0', fraction: '.000001' };
  const near = ((size + smallest / 2n) / smallest) * smallest;
  const [whole = '', fraction = ''] = inAe(exact < 0n ? -near : near, decimals).split('.');
  return { whole, fraction: fraction === '' ? '' : `.${fraction}` };
}

const STEPS: readonly [seconds: number, name: string][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** A duration in its largest unit, rounded down: `3 minutes`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [size, name] = STEPS.find(([step]) => seconds >= step) ?? [1, 'second'];
  const count = Math.floor(seconds / size);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

const SHORT: Record<string, string> = { second: 's', minute: 'min', hour: 'h' };

/** The same, short: `3 min`, `2 h`, `5 days`. */
export const shortly = (ms: number): string =>
  duration(ms).replace(/(second|minute|hour)s?$/, (unit) => SHORT[unit.replace(/s$/, '')]!);

export const moment = (ms: number): string =>
  new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');

/** Hour and minute, UTC. */
export const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 16);

const SIZES = ['bytes', 'kB', 'MB', 'GB', 'TB'];

export function bytes(count: number): string {
  let unit = 0;
  let value = count;
  for (; value >= 1000 && unit < SIZES.length - 1; unit++) value /= 1000;
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 2 : 1)} ${SIZES[unit]}`;
}

/** The name of a member in words: `recipient_id` as `Recipient`. */
export function words(member: string): string {
  const text = member
    .replace(/_ids?$/, '')
    .replaceAll('_', ' ')
    .replace(/\b(abi|ga|ttl|vm)\b/g, (short) => short.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `NameClaimTx` as `Name claim`. */
export function typeInWords(type: string): string {
  const split = type
    .replace(/Tx$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return type.startsWith('GA') ? `GA ${split.slice(2).trim()}` : split.charAt(0).toUpperCase() + split.slice(1);
}

/** The bytes of base64 with a prefix and a checksum of four bytes (`ba_`, `ov_`, `cb_`); undefined if it is none. */
export function bytesIn(encoded: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(encoded.slice(3)), (char) => char.charCodeAt(0)).slice(0, -4);
  } catch {
    return undefined;
  }
}

/** The same as text; undefined if it is not text. */
export function textIn(encoded: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytesIn(encoded));
    return text === '' || /[\u0000-\u0008\u000e-\u001f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The hash of the function that FATE call data names: a pair of four bytes and the arguments. Undefined if it is none. */
export function functionHashIn(data: Uint8Array): string | undefined {
  const [pair, fourBytes, ...rest] = data;
  if (pair !== 0x2b || fourBytes !== 0x11 || rest.length < 4) return undefined;
  return rest
    .slice(0, 4)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

/** Whether two texts are the same name: in large or small letters, another normal form, or punycode (UTS 46). */
export const isSameName = (one: string, other: string): boolean => asciiName(one) === asciiName(other);

/** A host name has the same form as a name. Characters that would end it in the URL cannot be in a name beyond ASCII. */
function asciiName(name: string): string {
  const isHost = /[^\x21-\x7e]/.test(name) && !/[\s%@:/?#\\[\]]/.test(name);
  try {
    return isHost ? new URL(`http://${name}`).hostname : name.toLowerCase();
  } catch {
    return name.toLowerCase();
  }
}

/** Whether two texts differ by one letter: another one, a missing one, one too many, or two neighbours the other way round. */
export function differByOne(one: string, other: string): boolean {
  if (one === other || Math.abs(one.length - other.length) > 1) return false;
  let same = 0;
  while (one[same] === other[same] && same < one.length) same++;
  const [left, right] = [one.slice(same), other.slice(same)];
  const swapped = left.slice(1, 2) + left.slice(0, 1) + left.slice(2);
  return left.slice(1) === right.slice(1) || left.slice(1) === right || left === right.slice(1) || swapped === right;
}

/** What hides text, moves it, or is no letter. Not what joins emoji. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
const JOINERS = /[\u200c\u200d]/;

/** Text of strangers in one line: without characters that change how the text around it is shown, and cut. */
export function foreign(text: string, most = 60): string {
  const letters = [...text.slice(0, 4 * most)];
  const shown = letters
    .slice(0, most)
    .join('')
    .replace(UNSAFE, (one) => (JOINERS.test(one) ? one : '\ufffd'));
  return letters.length > most || text.length > 4 * most ? `${shown}…` : shown;
}
