/** Reads the key block of a `POST key-blocks`. */
import { decodeId, isId } from '../../../src/chain/encoding/encoding.js';
import type { IdPrefix } from '../../../src/chain/encoding/encoding.js';
import type { Json, JsonObject } from '../../../src/chain/encoding/json.js';
import { refused } from '../wire/answer.js';
import type { Parsed } from '../wire/parameters.js';
import type { HttpRequest } from '../wire/request.js';
import { printed } from '../ledger/members.js';
import { CRASH, readBody, readInteger } from './schema.js';
import type { Schema } from './schema.js';

const SCHEMA: Schema = {
  members: {
    hash: 'text',
    height: 'uint64',
    prev_hash: 'text',
    prev_key_hash: 'text',
    state_hash: 'text',
    miner: 'text',
    beneficiary: 'text',
    target: 'uint32',
    pow: 'proof',
    nonce: 'uint64',
    time: 'uint64',
    version: 'uint32',
    info: 'text',
  },
  required: [
    'hash',
    'height',
    'prev_hash',
    'prev_key_hash',
    'state_hash',
    'miner',
    'beneficiary',
    'target',
    'time',
    'version',
    'info',
  ],
};

const IDS: readonly (readonly [member: string, ...prefixes: IdPrefix[]])[] = [
  ['prev_hash', 'kh', 'mh'],
  ['prev_key_hash', 'kh'],
  ['state_hash', 'bs'],
  ['miner', 'ak'],
  ['beneficiary', 'ak'],
];
const INTEGERS = ['height', 'target', 'nonce', 'time', 'version'] as const;

const INVALID = { answer: refused(400, 'Invalid block') };

/** Returns the block as the node prints it. `hash` is as posted; the caller must compute it again. */
export function readKeyBlock({ body, contentType, api }: HttpRequest): Parsed<JsonObject> {
  const read = readBody(body, contentType, SCHEMA, api);
  if ('answer' in read) return read;
  const given = read.value;
  if (given['nonce'] === undefined || given['pow'] === undefined) return INVALID;
  if (!IDS.every(([member, ...prefixes]) => isId(given[member] as string, ...prefixes))) return INVALID;
  if (!isInfo(given['info'] as string)) return INVALID;
  const pow = (given['pow'] as Json[]).map(readInteger);
  const integers = INTEGERS.map((member) => [member, readInteger(given[member]!)] as const);
  const crashes =
    pow.includes(undefined) || pow.every((edge) => edge === 0n) || integers.some(([, value]) => value === undefined);
  if (crashes) return { answer: CRASH };
  const exact = Object.fromEntries(integers.map(([member, value]) => [member, printed(value!)]));
  return { value: { ...given, ...exact, pow: pow.map(Number) } };
}

/** Whether `info` is empty or the release of a node as four bytes. */
function isInfo(info: string): boolean {
  if (!isId(info, 'cb')) return false;
  const { length } = decodeId(info, 'cb');
  return length === 0 || length === 4;
}
