/** Checks bodies against the schemas of the node, and answers violations as the node does. */
import { exactInteger, isObject, parseExact, stringifyExact } from '../../../src/chain/encoding/json.js';
import type { Json, JsonObject } from '../../../src/chain/encoding/json.js';
import { MalformedError } from '../../../src/chain/malformed.js';
import { PROOF_LENGTH } from '../../../src/chain/protocol/blocks.js';
import type { Answer } from '../wire/answer.js';
import { refused } from '../wire/answer.js';
import type { Api, Parsed } from '../wire/parameters.js';

/** Kind of a member. Unsigned integers have 16, 32 or 64 bits; `uint` has any size. */
export type Kind =
  | 'uint'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'text'
  | 'texts'
  | 'ttl'
  | 'relative ttl'
  | 'pointers'
  | 'proof'
  | 'object'
  | 'any';

export interface Schema {
  /** Kinds of the known members. Others are ignored. */
  members: Readonly<Record<string, Kind>>;
  /** In the order in which the node reports missing members. */
  required: readonly string[];
}

/** Answer of a node that crashes on a request which its schema accepted. */
export const CRASH = refused(500, 'Internal server error');

const TTL_KINDS: Schema = { members: { type: 'text', value: 'uint64' }, required: ['type', 'value'] };
const POINTER: Schema = { members: { key: 'text', id: 'text' }, required: ['key', 'id'] };
const UNSUPPORTED_TYPE: Answer = { status: 415 };

class Violation extends Error {
  constructor(
    readonly fault: string,
    readonly data: Json,
    readonly path: readonly (string | number)[],
  ) {
    super(fault);
  }
}

/** Returns the body as an object that matches the schema, or the error answer. In `/v3` integers may be texts. */
export function readBody(body: Buffer, contentType: string | undefined, schema: Schema, api: Api): Parsed<JsonObject> {
  if (contentType !== undefined && !/^application\/json\s*(;|$)/i.test(contentType))
    return { answer: UNSUPPORTED_TYPE };
  const text = body.toString();
  let value: Json;
  try {
    value = text === '' ? '' : parseExact(text);
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    return { answer: violation('', `{"data":${JSON.stringify(text)},"error":"invalid_body"}`) };
  }
  try {
    checkObject(value, schema, api, []);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    const info = `{"error":"${error.fault}","data":${stringifyExact(error.data)},"path":${JSON.stringify(error.path)}}`;
    return { answer: violation('body', info) };
  }
  return { value: value as JsonObject };
}

const violation = (parameter: string, info: string): Answer => ({
  status: 400,
  body: `{"info":${info},"parameter":"${parameter}","reason":"validation_error"}`,
});

type Path = readonly (string | number)[];

function checkObject(value: Json, { members, required }: Schema, api: Api, path: Path): void {
  if (!isObject(value)) throw new Violation('wrong_type', value, path);
  for (const [member, kind] of Object.entries(members)) {
    const given = value[member];
    if (given !== undefined) check(given, kind, api, [...path, member]);
  }
  for (const member of required) {
    if (value[member] === undefined) throw new Violation('missing_required_property', member, path);
  }
}

function check(value: Json, kind: Kind, api: Api, path: Path): void {
  switch (kind) {
    case 'uint':
    case 'uint16':
    case 'uint32':
    case 'uint64':
      return checkInteger(value, kind, api, path);
    case 'text':
      return checkText(value, path);
    case 'texts':
      return checkArray(value, path, (item, at) => checkText(item, at));
    case 'pointers':
      return checkArray(value, path, (item, at) => checkObject(item, POINTER, api, at));
    case 'proof':
      checkArray(value, path, (item, at) => checkInteger(item, 'uint32', api, at));
      if ((value as Json[]).length !== PROOF_LENGTH) throw new Violation('wrong_size', value, path);
      return;
    case 'ttl':
    case 'relative ttl': {
      checkObject(value, TTL_KINDS, api, path);
      const { type } = value as { type: string };
      if (type !== 'delta' && (kind === 'relative ttl' || type !== 'block'))
        throw new Violation('not_in_enum', type, [...path, 'type']);
      return;
    }
    case 'object':
      if (!isObject(value)) throw new Violation('wrong_type', value, path);
      return;
    case 'any':
  }
}

function checkText(value: Json, path: Path): void {
  if (typeof value !== 'string') throw new Violation('wrong_type', value, path);
}

function checkArray(value: Json, path: Path, checkItem: (item: Json, path: Path) => void): void {
  if (!Array.isArray(value)) throw new Violation('wrong_type', value, path);
  value.forEach((item, index) => checkItem(item, [...path, index]));
}

/** In `/v3` an integer may be a text. The schema does not check its content. */
function checkInteger(value: Json, kind: Kind, api: Api, path: Path): void {
  if (api === 'v3' && typeof value === 'string') return;
  const exact = exactInteger(value);
  const bits = Number(kind.slice('uint'.length));
  const fits = exact !== undefined && exact >= 0n && (bits === 0 || exact < 1n << BigInt(bits));
  if (fits) return;
  if (api === 'v3') throw new Violation('not_one_schema_valid', value, path);
  throw new Violation(exact === undefined ? 'wrong_type' : 'not_in_range', value, path);
}

/** Value of an integer that the schema accepted; undefined for a text that does not consist of digits. */
export function readInteger(value: Json): bigint | undefined {
  if (typeof value === 'string') return /^\d+$/.test(value) ? BigInt(value) : undefined;
  return exactInteger(value);
}
