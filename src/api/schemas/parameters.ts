import { wordOf } from '../../chain/encoding/words.js';
import { z } from 'zod';
import 'zod-openapi';
import { isId } from '../../chain/encoding/encoding.js';
import type { IdPrefix } from '../../chain/encoding/encoding.js';
import { DAY_MS } from '../../chain/day.js';
import { eventHash } from '../../chain/event-names.js';
import { INCLUDES } from '../../chain/lists.js';
import type { Include } from '../../chain/lists.js';
import { KINDS } from '../../chain/money/kinds.js';
import type { Kind } from '../../chain/money/kinds.js';
import { MAX_HEIGHT } from '../../chain/position.js';

/**
 * Schemas of the parameters in URLs. They check the parameters and document them. Their messages complete the sentence
 * `Invalid input: <parameter> …`.
 */

const INT64_MAX = 2n ** 63n - 1n;

const IDENTIFIER = {
  description: 'An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing.',
  format: 'identifier',
  pattern: '^[a-z]{2}_[0-9A-Za-z+/=]+$',
};

/** The message for text that is no identifier. The prefix is only an example: others are accepted, and find nothing. */
const notIdentifier = (prefix: IdPrefix): string =>
  `must be an identifier such as ${prefix}_… (prefix, base58 and checksum)`;

const identifier = (prefix: IdPrefix, description: string, example: string) =>
  z
    .string()
    .refine((text) => isId(text), notIdentifier(prefix))
    .meta({ ...IDENTIFIER, description: `${description} ${IDENTIFIER.description}`, example });

export const account = identifier('ak', 'An account.', 'ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf');
export const pointedTo = identifier(
  'ak',
  'What names point to: an account, a contract, an oracle or a channel.',
  'ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf',
);
export const transactionHash = identifier(
  'th',
  'The hash of a transaction.',
  'th_SZufyzxPitBWd9GcwUX6Wsam4yFJFF8qgD3sXytBYAPRScyfj',
);
export const contract = identifier('ct', 'A contract.', 'ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a');
export const channel = identifier('ch', 'A state channel.', 'ch_2LZi6kc22Y4KjaBdUVvciUnMz5gq42jFgTC4f7r8qZGzCeadpp');
export const oracle = identifier('ok', 'An oracle.', 'ok_2C2eyenBqJu2ufrCYdzgJDjWu1zLzSuja4Gt3qNvsNoKqFkkBu');
export const nameHash = identifier(
  'nm',
  'The hash of a name.',
  'nm_2chXaJo3aap8pPQ92DpgJVjWnmqjRdW7zj7UmVq6pTsEbQSVb1',
);

const MAX_ACCOUNTS = 100;

export const accounts = z
  .string()
  .transform((text) => [...new Set(text.split(','))])
  .refine((ids) => ids.every((id) => isId(id)), 'must be identifiers such as ak_…, separated by commas')
  .refine((ids) => ids.length <= MAX_ACCOUNTS, `must have at most ${MAX_ACCOUNTS} identifiers`)
  .meta({
    description: `Up to ${MAX_ACCOUNTS} accounts, or other objects that names point to, separated by commas. ${IDENTIFIER.description}`,
    example: 'ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf',
    override: {
      type: 'string',
      format: 'identifiers',
      pattern: '^[a-z]{2}_[0-9A-Za-z+/=]+(,[a-z]{2}_[0-9A-Za-z+/=]+)*$',
    },
  });

/** An identifier; null if the parameter is empty. */
const optionalIdentifier = (prefix: IdPrefix, description: string) =>
  z
    .string()
    .refine((text) => text === '' || isId(text), notIdentifier(prefix))
    .transform((text) => (text === '' ? null : text))
    .meta({
      ...IDENTIFIER,
      description: `${description} Empty counts as absent.`,
      format: 'optional-identifier',
      pattern: '^([a-z]{2}_[0-9A-Za-z+/=]+)?$',
    });

export const owner = optionalIdentifier('ak', 'Only names of this account, those that expire last first.');
export const after = optionalIdentifier(
  'th',
  'Only of CSV and NDJSON: go on behind the row with this hash of a transaction; then `page` is not read.',
);

const PLACE = '^([0-9A-Za-z_-]{1,210}(,[0-9A-Za-z_-]{1,210})?)?$';

/** For lists whose rows are not found by the hash of a transaction alone. `columns`: what says the place of a row. */
export const afterRow = (columns: string) =>
  z
    .string()
    .refine((text) => new RegExp(PLACE).test(text), `must be ${columns} of a row of this list`)
    .transform((text) => (text === '' ? null : text))
    .meta({
      description: `Only of CSV and NDJSON: go on behind the row with this value of ${columns}. Empty counts as absent.`,
      format: 'after-row',
      override: { type: 'string', pattern: PLACE },
    });

/** An integer of any length, clamped to the range of 64 bits with sign. */
const int64 = z
  .string()
  .regex(/^[+-]?\d+$/, 'must be an integer')
  .transform((text) => {
    // Longer text is clamped anyway. It is cut so that a client cannot make the server parse huge numbers.
    const value = BigInt(text.replace('+', '').slice(0, 400));
    if (value > INT64_MAX) return INT64_MAX;
    return value < -INT64_MAX ? -INT64_MAX : value;
  });

const integer = <Schema extends z.ZodType>(schema: Schema, description: string, example: number): Schema =>
  schema.meta({ description, example, override: { type: 'integer', pattern: undefined } });

/** A height, clamped to -1 and MAX_HEIGHT. No block has height -1. */
const clamped = int64.transform((value) => {
  if (value < 0n) return -1;
  return value > BigInt(MAX_HEIGHT) ? MAX_HEIGHT : Number(value);
});

export const height = integer(
  clamped,
  'A height. Below 0 there is nothing; beyond the top counts as the top where sums are asked for.',
  1209,
);
export const fromHeight = integer(
  clamped.transform((value) => Math.max(value, 0)),
  'The lowest height, itself included.',
  1209,
);
export const toHeight = integer(clamped, 'The highest height, itself included.', 1210);
export const milliseconds = integer(int64, 'Milliseconds since 1970, UTC.', 1546717620000);

/** An existing day: `YYYYMMDD` in the URL, read as `YYYY-MM-DD`. */
const existingDay = (description: string) =>
  z
    .string()
    .regex(/^\d{8}$/, 'must be a day such as 20190131 (YYYYMMDD)')
    .transform((text) => `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`)
    .refine(isDay, 'must be a day such as 20190131 (YYYYMMDD)')
    .meta({
      description,
      format: 'day',
      example: '20190101',
      override: { pattern: '^[0-9]{4}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])$' },
    });

export const day = existingDay('A day, UTC, as YYYYMMDD. It is itself left out.');
export const firstDay = existingDay('The first day, UTC, as YYYYMMDD.');
export const lastDay = existingDay('The last day, UTC, as YYYYMMDD, itself included.');

const STEPS = ['hour', 'day', 'week', 'month'] as const;
export type Step = (typeof STEPS)[number];

export const step = z
  .enum(STEPS, `must be one of ${STEPS.join(', ')}`)
  .meta({ description: 'Length of a step; `day` without it. Weeks begin on Monday. All are of UTC.', example: 'day' });

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !text.startsWith('0000') && !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
}

/** Text that is searched in the database, which cannot store U+0000. */
const text = z.string().refine((value) => !value.includes('\0'), 'must not contain the character U+0000');

const TEXT = { pattern: '^[^\\u0000]*$' };

export const namePart = text.meta({
  ...TEXT,
  description:
    'A name or a part of it, in small or large letters. `active`, `reverse`, `hash` and `auctions` lead elsewhere.',
  example: 'example',
});
export const auctionName = text.meta({ ...TEXT, description: 'A name in any spelling.', example: 'myname.chain' });

/** An integer. Text that is not an integer counts as absent (undefined), because existing clients send such values. */
const lenientInteger = z.string().transform((value) => (/^-?\d{1,400}$/.test(value) ? BigInt(value) : undefined));

const lenient = (min: number, message: string, description: string) =>
  lenientInteger
    .refine((value) => value === undefined || value >= BigInt(min), message)
    .meta({
      description: `${description} Text that is no integer counts as absent.`,
      override: { type: 'integer', minimum: min },
    });

export const limit = lenient(
  0,
  'must not be negative',
  'Most entries of the answer; without it all of them, up to a cap.',
);
export const page = lenient(
  1,
  'must be 1 or more',
  'Which part of the list, of `limit` entries each; not read without `limit`.',
);

export const cursor = z.string().meta({
  description: 'Where to go on, from the link to the next page; then `page` is not read.',
  format: 'cursor',
  pattern: '^(th_[1-9A-HJ-NP-Za-km-z]+-[0-9]{1,19})?$',
});

export const rankedCursor = z.string().meta({
  description: 'Where to go on, from the link to the next page; then `page` is not read.',
  format: 'ranked-cursor',
  pattern: '^(-?[0-9]{1,18}\\.[0-9]{1,18}\\.[0-9a-f]{0,1024})?$',
});

export const logCursor = z
  .string()
  .refine((text) => /^(\d{1,19}\.\d{1,9})?$/.test(text), 'must be one that a link to a next page gave')
  .meta({
    description: 'Where to go on, from the link to the next page.',
    format: 'log-cursor',
    pattern: '^([0-9]{1,19}\\.[0-9]{1,9})?$',
  });

const ORDERS = ['newest', 'oldest'] as const;

export const order = z
  .enum(ORDERS, `must be one of ${ORDERS.join(', ')}`)
  .meta({ description: '`newest` first, as without it, or `oldest` first.', example: 'oldest' });

const DIRECTIONS = ['asc', 'desc'] as const;

export const direction = z
  .enum(DIRECTIONS, `must be one of ${DIRECTIONS.join(', ')}`)
  .meta({ description: '`desc`: newest first, as without it; `asc`: oldest first.', example: 'asc' });

/** For lists that are not in the order of the chain. */
export const keyOrder = direction.meta({
  description: '`asc` or `desc`: ascending or descending; the list says what it is without it.',
  example: 'asc',
});

export const keyCursor = z
  .string()
  .max(2_000, 'must be one that a link to a next page gave')
  .meta({
    description: 'Where to go on, from the link to the next page.',
    format: 'key-cursor',
    override: { type: 'string', maxLength: undefined, pattern: '^[0-9A-Za-z_-]{0,2000}$' },
  });

const DAY_PATTERN = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])';
const MOMENT_PATTERN = `^([0-9]{1,15}|${DAY_PATTERN}(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,3})?)?Z)?)$`;
const MOMENT = new RegExp(MOMENT_PATTERN);

/** A time, ms since 1970. Of a day alone it is the first or the last millisecond. */
const moment = (end: 'first' | 'last', description: string) =>
  z
    .string()
    .refine(
      (text) => MOMENT.test(text) && (/^\d+$/.test(text) || isDay(text.slice(0, 10))),
      'must be milliseconds since 1970, or a day or time of UTC such as 2025-12-31 or 2025-12-31T23:59:59Z',
    )
    .transform((text) => {
      if (/^\d+$/.test(text)) return BigInt(text);
      const isWholeDay = text.length === 10;
      return BigInt(Date.parse(text)) + (isWholeDay && end === 'last' ? BigInt(DAY_MS) - 1n : 0n);
    })
    .meta({
      description: `${description} Milliseconds since 1970, or a day or time of UTC as \`2025-12-31\` or \`2025-12-31T23:59:59Z\`; a day alone means its ${end} millisecond.`,
      example: '2025-12-31',
      format: 'moment',
      override: { type: 'string', pattern: MOMENT_PATTERN },
    });

export const fromTime = moment('first', 'From the first block of this time or later.');
export const toTime = moment('last', 'To the last block of this time or earlier.');
export const atTime = moment('last', 'After the last block of this time or earlier.');

export const block = z
  .string()
  .refine((text) => isId(text, 'kh') || isId(text, 'mh'), 'must be the hash of a key block or a micro block')
  .meta({
    description: 'The hash of a key block or a micro block.',
    format: 'block-hash',
    pattern: '^[km]h_[1-9A-HJ-NP-Za-km-z]+$',
    example: 'kh_VtFgDuQ7Awc6BtWRFLmjwo9UfuzL5rxmAxRuddNBYRT6njYnC',
  });

const DIGITS = /^\d{1,78}$/;

/** A word of 256 bits: its decimal digits, or an identifier with 32 bytes. */
const word = (description: string) =>
  z
    .string()
    .refine(
      (text) => isId(text) || (DIGITS.test(text) && BigInt(text) >> 256n === 0n),
      'must be an integer of 256 bits or an identifier',
    )
    .transform((text) => (DIGITS.test(text) ? BigInt(text) : wordOf(text)))
    .meta({ description, format: 'word', pattern: '^([0-9]{1,78}|[a-z]{2}_[0-9A-Za-z+/=]+)$', example: '3' });

export const topic = (place: number) =>
  word(`Only logs with this indexed argument at place ${place}, as decimal digits or as an identifier of 32 bytes.`);

/** The name of an event, or its hash. */
export const event = z
  .string()
  .refine(
    (text) => /^[A-Z]\w{0,255}$/.test(text) || /^[0-9a-f]{64}$/.test(text),
    'must be the name of an event, such as Transfer, or its hash, 64 hexadecimal digits',
  )
  .transform((text) => (/^[0-9a-f]{64}$/.test(text) ? BigInt(`0x${text}`) : eventHash(text)))
  .meta({
    description: 'Only logs of this event: its name, or the hash of it as 64 hexadecimal digits.',
    format: 'event',
    pattern: '^([A-Z][0-9A-Za-z_]{0,255}|[0-9a-f]{64})$',
    example: 'Transfer',
  });

export const ledgerAccount = account.meta({
  ...account.meta(),
  description: 'An account, or a contract or an oracle, which have an account each.',
});

const isKind = (name: string): name is Kind => Object.hasOwn(KINDS, name);

const ANY_KIND = Object.keys(KINDS).join('|');

export const movementKinds = z
  .string()
  .transform((text) => [...new Set(text.split(','))])
  .refine((names) => names.every(isKind), `must be of ${Object.keys(KINDS).join(', ')}, separated by commas`)
  .transform((names) => names.filter(isKind))
  .meta({
    description: `Only changes of these kinds, separated by commas: ${Object.keys(KINDS)
      .map((name) => `\`${name}\``)
      .join(', ')}.`,
    example: 'spend,fee',
    override: { type: 'string', format: 'movement-kinds', pattern: `^(${ANY_KIND})(,(${ANY_KIND}))*$` },
  });

const isIncluded = (name: string): name is Include => INCLUDES.some((one) => one === name);

export const include = z
  .string()
  .transform((text) => [...new Set(text.split(','))])
  .refine((names) => names.every(isIncluded), `must be of ${INCLUDES.join(', ')}, separated by commas`)
  .transform((names) => names.filter(isIncluded))
  .meta({
    description:
      'Also transactions that do not name the account: `inner` those that wrap another one which names it, and those that changed its balance; `signed` those that it signed as an oracle or otherwise. Separated by commas. Then there is no `x-total-count`, and neither `page` nor `txtype`.',
    example: 'inner,signed',
    override: { type: 'string', format: 'include', pattern: '^(inner|signed)(,(inner|signed))*$' },
  });

export const transactionType = text.meta({
  ...TEXT,
  description: 'Only transactions of this type, as the node spells it, in any letters.',
  example: 'SpendTx',
});

export const auctionLength = lenientInteger.meta({
  description: 'Only names of this length in bytes, domain included. Text that is no integer counts as absent.',
  override: { type: 'integer' },
});
const AUCTION_SORTS = ['name', 'max_bid', 'expiration'] as const;

export const auctionSort = z
  .string()
  .transform((text) => AUCTION_SORTS.find((sort) => sort === text))
  .meta({
    description:
      '`name`, `max_bid` (highest first) or `expiration` (soonest first), which is also meant by anything else.',
    example: 'max_bid',
  });
export const reverse = z.string().meta({ description: 'Present with any value: the other way round.' });

export const intAsString = z
  .string()
  .transform((text) => (text === 'true' ? true : text === 'false' ? false : undefined))
  .meta({
    description:
      'With `true` the description of the answers to requests with that parameter; anything else counts as absent.',
    example: 'true',
  });

export const maxLag = lenientInteger
  .refine((value) => value !== undefined && value >= 0n, 'must be a number of key blocks')
  .meta({
    description: 'Not ready when more key blocks than this behind the node.',
    override: { type: 'integer', minimum: 0 },
  });

export const loaded = z
  .string()
  .meta({ description: 'Present with any value: not ready before the first load has reached the top.' });

const TOKEN_ORDERS = ['name', 'symbol', 'creation'] as const;

export const tokenOrder = z
  .enum(TOKEN_ORDERS, `must be one of ${TOKEN_ORDERS.join(', ')}`)
  .meta({ description: 'The order; `name` without it.', example: 'symbol' });

export const prefix = z.string().meta({
  description: 'Only those whose name (with `by=symbol` whose symbol) begins so, in any case.',
  example: 'wrapped',
});
export const exact = z
  .string()
  .meta({ description: 'Only those with this name (with `by=symbol` with this symbol).', example: 'Wrapped AE' });

const HOLDER_ORDERS = ['amount', 'account'] as const;

export const holderOrder = z
  .enum(HOLDER_ORDERS, `must be one of ${HOLDER_ORDERS.join(', ')}`)
  .meta({ description: 'The order; `amount` without it.', example: 'account' });

const COIN_HOLDER_ORDERS = ['balance', 'account'] as const;

export const coinHolderOrder = z
  .enum(COIN_HOLDER_ORDERS, `must be one of ${COIN_HOLDER_ORDERS.join(', ')}`)
  .meta({ description: 'The order; `balance` without it.', example: 'account' });

const ALLOWANCE_SIDES = ['owner', 'spender'] as const;

export const allowanceSide = z
  .enum(ALLOWANCE_SIDES, `must be one of ${ALLOWANCE_SIDES.join(', ')}`)
  .meta({ description: 'What the account is in the rows; `owner` without it.', example: 'spender' });

/** Accounts, and contracts, which have an account of the same bytes. */
const party = (description: string) =>
  account.meta({ ...account.meta(), description: `${description} ${IDENTIFIER.description}` });

export const tokenSender = party('Only what this account sent.');
export const tokenRecipient = party('Only what this account received.');
export const tokenParty = party('Only what this account sent or received.');
