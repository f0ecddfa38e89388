/** Parameters of the compatible API: how each is read, and what the description says of it. */
import { z } from 'zod';
import { decodeId, isId } from '../../chain/encoding/encoding.js';
import type { IdPrefix } from '../../chain/encoding/encoding.js';
import { MAX_HEIGHT } from '../../chain/position.js';
import { nameHashOf } from '../../chain/protocol/ids.js';
import { invalid } from './errors.js';

export interface Parameter<Value> {
  schema: z.ZodType;
  /** Throws `invalid_input`. Of a parameter that is given several times the last value counts, unless `readAll` is there. */
  read(text: string): Value;
  readAll?(texts: readonly string[]): Value;
}

export type Parameters = Record<string, Parameter<unknown>>;

/** The values of parameters. */
export type Values<P extends Parameters> = {
  [Name in keyof P]: P[Name] extends Parameter<infer Value> ? Value : never;
};

const identifier = (description: string, prefixes: readonly string[]) =>
  z.string().meta({ description, pattern: `^(${prefixes.join('|')})_[0-9A-Za-z+/=]+$` });

/** An identifier of one of these kinds. */
export const id = (description: string, ...prefixes: readonly [IdPrefix, ...IdPrefix[]]): Parameter<string> => ({
  schema: identifier(description, prefixes),
  read(text) {
    if (!isId(text, ...prefixes)) throw invalid('id', text);
    return text;
  },
});

/** A hash of a block or transaction. */
export const hash = (description: string, ...prefixes: readonly [IdPrefix, ...IdPrefix[]]): Parameter<string> => ({
  schema: identifier(description, prefixes),
  read(text) {
    if (!isId(text, ...prefixes)) throw invalid('hash', text);
    return text;
  },
});

/** Kinds of objects and accounts. */
const OBJECTS: readonly [IdPrefix, ...IdPrefix[]] = ['ak', 'ct', 'ok', 'nm', 'ch', 'oq', 'cm'];

/** Any identifier of 32 bytes: filters compare these bytes, whatever the kind. */
export const anyId = (description: string): Parameter<string> => ({
  schema: identifier(description, OBJECTS),
  read(text) {
    if (!isId(text, ...OBJECTS) || decodeId(text).length !== 32) throw invalid('id', text);
    return text;
  },
});

/** `nm_` of a name that is given as such, or in any spelling; `.chain` may be left out. */
export const nameId = (description: string): Parameter<string> => ({
  schema: z.string().meta({ description }),
  read(text) {
    if (isId(text, 'nm')) return text;
    const hash = nameHashOf(text.includes('.') ? text : `${text}.chain`);
    if (text === '' || text.includes('\0') || hash === '') throw invalid('id', text);
    return hash;
  },
});

/** One of some words. */
export const word = <Word extends string>(
  name: string,
  description: string,
  words: readonly [Word, ...Word[]],
): Parameter<Word> => ({
  schema: z.enum(words).meta({ description }),
  read(text) {
    const found = words.find((one) => one === text);
    if (found === undefined) throw invalid('query', `${name}=${text}`);
    return found;
  },
});

const MAX_TEXT = 1000;

/** Text that is compared with stored text. */
export const text = (name: string, description: string): Parameter<string> => ({
  schema: z.string().max(MAX_TEXT).meta({ description }),
  read(value) {
    if (value === '' || value.length > MAX_TEXT || value.includes('\0')) throw invalid('query', `${name}=${value}`);
    return value;
  },
});

/** A flag: anything but `false` sets it. */
export const flag = (description: string): Parameter<boolean> => ({
  schema: z.boolean().meta({ description }),
  read: (value) => value !== 'false',
});

/** A height or the hash of a key block. A number that is no height is one that no block has. */
export const keyBlockId: Parameter<{ height: number } | { hash: string }> = {
  schema: z.string().meta({ description: 'A height, or the hash of a key block.' }),
  read(text) {
    if (/^-?\d{1,30}$/.test(text)) {
      const height = Number(text);
      return { height: height >= 0 && height <= MAX_HEIGHT ? height : -1 };
    }
    if (!isId(text, 'kh')) throw invalid('hash', text);
    return { hash: text };
  },
};
