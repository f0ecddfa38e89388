import type { Exchange } from '../exchange.js';
import { stringifyExact } from '../../chain/encoding/json.js';

/** A row of an export, by column. Amounts are text, because spreadsheets and parsers lose digits of large numbers. */
export type Row = Record<string, string | number | null>;

export type Format = 'csv' | 'ndjson';

const TYPES: Record<Format, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** The format that the client accepts for a list; null for JSON, which is also the answer to unknown formats. */
export function formatOf(ctx: Exchange): Format | null {
  ctx.vary('Accept');
  if (ctx.get('accept') === '') return null;
  switch (ctx.accepts('application/json', 'text/csv', 'application/x-ndjson', 'application/ndjson')) {
    case 'text/csv':
      return 'csv';
    case 'application/x-ndjson':
    case 'application/ndjson':
      return 'ndjson';
    default:
      return null;
  }
}

export const contentType = (format: Format): string => TYPES[format];

/** The text before the first row. */
export const head = (format: Format, columns: readonly string[]): string =>
  format === 'csv' ? `${columns.join(',')}\r\n` : '';

export function line(format: Format, columns: readonly string[], row: Row): string {
  if (format === 'ndjson') return `${stringifyExact(row)}\n`;
  return `${columns.map((column) => cell(row[column] ?? null)).join(',')}\r\n`;
}

/** Spreadsheets execute text that begins with one of these characters as a formula. */
const FORMULA = /^[=+\-@\t\r\n]/;
/** A negative amount is a number for them, too. */
const NEGATIVE = /^-\d+(\.\d+)?$/;

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = FORMULA.test(value) && !NEGATIVE.test(value) ? `'${value}` : value;
  return /[",\r\n']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
