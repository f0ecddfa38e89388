/** Formats a JSON log record as a plain line. */
import { printable, printableLines } from './printable.js';

interface Entry {
  time: string;
  level: number;
  msg?: string;
  [field: string]: unknown;
}

const RED = 31;
const YELLOW = 33;
const GREY = 90;
const LEVELS: readonly { from: number; name: string; color: number | undefined }[] = [
  { from: 50, name: 'ERROR ', color: RED },
  { from: 40, name: 'WARN ', color: YELLOW },
  { from: 30, name: '', color: undefined },
  { from: 0, name: 'DEBUG ', color: GREY },
];
/** Max length of a field that is shown; longer ones, for example the settings, are left out. */
const MAX_FIELD = 100;

/** `22:31:05 Caught up with the node (height 300)`. With `all`, for debugging, long fields and stacks are shown too. */
export function plainLine(json: string, { colors, all }: { colors: boolean; all: boolean }): string {
  const { time, level, msg = '', ...fields } = JSON.parse(json) as Entry;
  const { name, color } = LEVELS.find(({ from }) => level >= from)!;
  const texts = Object.entries(fields)
    .map(([field, value]) => `${field === 'err' ? '' : `${field} `}${textOf(value)}`)
    .filter((text) => all || text.length <= MAX_FIELD || text.startsWith('reason '));
  const rest = texts.length === 0 ? '' : ` (${printable(texts.join(', '))})`;
  const stack = all ? stackOf(fields['err']) : '';
  const paint = (text: string, how: number | undefined): string =>
    colors && how !== undefined && text !== '' ? `\x1b[${how}m${text}\x1b[0m` : text;
  return `${paint(clockOf(time), GREY)} ${paint(name, color)}${printable(msg)}${paint(rest, GREY)}${stack}\n`;
}

/** Time in the local time zone. */
const clockOf = (time: string): string => new Date(time).toTimeString().slice(0, 8);

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { message, address, port } = value as Record<string, unknown>;
  if (typeof message === 'string') return message;
  if (typeof address === 'string' && typeof port === 'number')
    return `${address.includes(':') ? `[${address}]` : address}:${port}`;
  return JSON.stringify(value);
}

const stackOf = (err: unknown): string => {
  const stack = (err as { stack?: unknown } | undefined)?.stack;
  return typeof stack === 'string' ? `\n${printableLines(stack)}` : '';
};
