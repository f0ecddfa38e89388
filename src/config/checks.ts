import { z } from 'zod';
import { allowedTls } from './postgres-url.js';

/** Checks of settings. Each parses text into a typed value; its message says what is allowed. */

/** A decimal integer in the given bounds. Empty text, `1e3` and `0x10` are not valid. */
export function integer(min: number, max: number) {
  const message = `an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .meta({ min, max });
}

/** The bounds of `integer`. */
export function boundsOf(check: z.ZodType): { min: number; max: number } {
  const { min, max } = check.meta() ?? {};
  if (typeof min !== 'number' || typeof max !== 'number') throw new Error('only integers have bounds');
  return { min, max };
}

/** A number of key blocks, or the time in which they were made. */
export type Depth = { blocks: number } | { ms: number };

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const DEPTH = {
  form: /^\d{1,9}[smhd]?$/,
  allowed: 'a number of key blocks, or a time such as 90s, 30m, 5h or 1d',
};

/** `100` are key blocks, `30m` is a time. */
export const depth = z
  .string()
  .regex(DEPTH.form, DEPTH.allowed)
  .transform((text): Depth => {
    const unit = text.slice(-1);
    return unit in UNITS_MS
      ? { ms: Number(text.slice(0, -1)) * UNITS_MS[unit as keyof typeof UNITS_MS] }
      : { blocks: Number(text) };
  });

/** The same above zero. */
export const positiveDepth = depth.refine(
  (value) => ('blocks' in value ? value.blocks : value.ms) > 0,
  'more than no key blocks and no time',
);

/** A decimal number from 0 to 1. */
export const share = z
  .string()
  .regex(/^(0|1|0\.\d{1,9}|1\.0{1,9})$/, 'a number from 0 to 1, for example 0.01')
  .transform(Number);

export interface Address {
  host: string;
  port: number;
}

/** `host:port`, `[::1]:port` or `:port` (all interfaces). Port 0 lets the system choose. */
export const address = z
  .string()
  .regex(/^(\[[0-9a-fA-F:.]+\]|[^\s/:[\]]*):\d{1,5}$/, 'host:port, for example 0.0.0.0:8080')
  .transform((text): Address => {
    const colon = text.lastIndexOf(':');
    const host = text.slice(0, colon).replace(/^\[|\]$/g, '');
    return { host: host === '' ? '0.0.0.0' : host, port: Number(text.slice(colon + 1)) };
  })
  .refine(({ port }) => port <= 65535, 'host:port with a port up to 65535');

const URLS = 'http(s) URLs separated by commas, for example http://node:3013';

/** Base URLs separated by commas. A slash at the end is removed; `http://` is added if the scheme is missing. */
export const urls = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  .transform((parts, context) => {
    const read = parts.map(baseUrl);
    if (read.length === 0 || read.includes(undefined)) {
      context.addIssue({ code: 'custom', message: URLS });
      return z.NEVER;
    }
    return read as string[];
  });

export const url = urls.refine((list) => list.length === 1, 'one http(s) URL').transform((list) => list[0] ?? '');

/**
 * The form of a base URL. The parser of URLs also accepts slips: in `/usr/bin/node` and `http:/usr/bin/node` it finds the hosts `usr` and
 * `http`, and it reads a backslash as a slash.
 */
const BASE_URL = /^https?:\/\/[^\s\\/?#]*[^\s\\/?#:](\/[^\s\\?#]*)?$/i;

function baseUrl(text: string): string | undefined {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!BASE_URL.test(full) || !URL.canParse(full)) return undefined;
  const { username, password } = new URL(full);
  return isDecodable(username) && isDecodable(password) ? full.replace(/\/+$/, '') : undefined;
}

/** False for text with a `%` that must be written as `%25`. */
function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

export const postgresUrl = z
  .string()
  .refine((text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text.replace('%2F', 'h')), {
    abort: true,
    message: 'postgres://user:password@host:port/database',
  })
  .superRefine((text, context) => {
    const allowed = allowedTls(text);
    if (allowed !== undefined) context.addIssue({ code: 'custom', message: `a URL with ${allowed}` });
  });

/** PostgreSQL URLs separated by commas. A comma separates URLs only if a URL follows it: passwords may contain commas. */
export const postgresUrls = z.string().transform((text, context): string[] => {
  const parts = text.split(/\s*,\s*(?=postgres(?:ql)?:\/\/)/);
  if (parts.every((part) => postgresUrl.safeParse(part).success)) return parts;
  const allowed = parts.map(allowedTls).find((one) => one !== undefined);
  const message = allowed === undefined ? 'postgres://host:port separated by commas' : `URLs with ${allowed}`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** Schemas of PostgreSQL itself, and `public`, which all users share: a copy would mix with other objects there. */
export const RESERVED_SCHEMA = '^(pg_.*|information_schema|public)$';

export const schemaName = z
  .string()
  .regex(/^[a-z_][a-z0-9_]{0,40}$/, 'a small letter or _, then up to 40 small letters, digits or _')
  .refine(
    (text) => !new RegExp(RESERVED_SCHEMA).test(text),
    'a schema of its own: neither public nor information_schema, and nothing that begins with pg_',
  );

export function oneOf<const T extends string>(...values: T[]) {
  return z.enum(values, { error: `one of ${values.join(', ')}` });
}

export const path = z.string().min(1, 'a path');

export const text = z.string().min(1, 'a text');
