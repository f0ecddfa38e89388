/**
 * CPU time a call of what the project keeps as its own beside libraries that do the same: docs/decisions/0008-libraries.md. The libraries
 * are not installed with the project:
 *
 *   make build
 *   npm install --prefix FOLDER @aeternity/aepp-calldata @scure/base bs58 rlp rate-limiter-flexible retry
 *   node bench/libraries.mjs FOLDER
 */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { limitRate } from '../dist/src/api/middleware/rate-limit.js';
import { base58Decode, base58Encode } from '../dist/src/chain/encoding/base58.js';
import { decodeId } from '../dist/src/chain/encoding/encoding.js';
import { decodeRlp } from '../dist/src/chain/serialize/decode-rlp.js';
import { encodeRlp } from '../dist/src/chain/serialize/rlp.js';
import { readValue } from '../dist/src/compiler/fate.js';
import { backoffMs } from '../dist/src/runtime/backoff.js';

const ROUNDS = 5;
const CPU_US = 200_000;
const library = createRequire(resolve(process.argv[2], 'package.json'));

const usedUs = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Of the calls of one round, µs each. Inputs vary, so that nothing can be computed once. */
async function round(call, inputs) {
  let calls = 0;
  const start = usedUs();
  while (usedUs() - start < CPU_US) {
    for (const input of inputs) {
      const result = call(input);
      if (result instanceof Promise) await result;
    }
    calls += inputs.length;
  }
  return (usedUs() - start) / calls;
}

async function row(what, inputs, ...calls) {
  const cells = [];
  for (const [name, call] of calls) {
    await round(call, inputs);
    const times = [];
    for (let i = 0; i < ROUNDS; i += 1) times.push(await round(call, inputs));
    cells.push(`${name} ${times.sort((a, b) => a - b)[ROUNDS >> 1].toPrecision(2)}`);
  }
  process.stdout.write(`| ${what} | ${cells.join(' | ')} |\n`);
}

const many = (make) => Array.from({ length: 500 }, (_, i) => make(i));
const bytes = (length, seed) => Uint8Array.from({ length }, (_, i) => (i * 131 + seed * 97 + 1) % 256);

const { base58 } = library('@scure/base');
const bs58 = library('bs58').default;
const keys = many((i) => bytes(36, i));
await row(
  'base58 of an identifier, encode',
  keys,
  ['own', base58Encode],
  ['@scure/base', (key) => base58.encode(key)],
  ['bs58', (key) => bs58.encode(key)],
);
await row(
  'base58 of an identifier, decode',
  keys.map(base58Encode),
  ['own', base58Decode],
  ['@scure/base', (text) => base58.decode(text)],
  ['bs58', (text) => bs58.decode(text)],
);

// A signed spend: version and tag, a list with one signature, the transaction.
const RLP = library('rlp');
const signed = many((i) => [
  Uint8Array.of(11),
  Uint8Array.of(1),
  [bytes(64, i)],
  encodeRlp([1, 12].map((tag) => Uint8Array.of(tag)).concat([33, 33, 8, 6, 3, 2, 40].map((size) => bytes(size, i)))),
]);
await row('RLP of a signed spend, encode', signed, ['own', encodeRlp], ['rlp', (item) => RLP.encode(item)]);
await row('RLP of a signed spend, decode', signed.map(encodeRlp), ['own', decodeRlp], ['rlp', (b) => RLP.decode(b)]);

const { ContractByteArrayEncoder } = library('@aeternity/aepp-calldata');
const calldata = new ContractByteArrayEncoder();
const int = { name: 'int' };
const record = { name: 'tuple', valueTypes: [int, { name: 'string' }, { name: 'account_pubkey' }] };
const account = 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi';
const integers = Array.from({ length: 1000 }, (_, i) => (i % 2 === 0 ? BigInt(i) : 9n ** 30n + BigInt(i)));
for (const [what, values] of [
  ['FATE integer', many((i) => calldata.encodeWithType(BigInt(i) ** 3n, int))],
  ['FATE tuple of three', many((i) => calldata.encodeWithType([BigInt(i), `text ${i}`, account], record))],
  ['FATE list of 1,000 integers', [calldata.encodeWithType(integers, { name: 'list', valuesType: int })]],
]) {
  await row(
    `${what}, decode`,
    values,
    ['own', (value) => readValue(decodeId(value, 'cb'))],
    ['@aeternity/aepp-calldata', (value) => calldata.decode(value)],
  );
}

const { RateLimiterMemory } = library('rate-limiter-flexible');
const limiter = new RateLimiterMemory({ points: 1e9, duration: 1 });
const limit = limitRate(1e9, Date.now);
const next = () => undefined;
await row(
  'rate limit of a request',
  many((i) => ({ req: { socket: { remoteAddress: `10.0.${i >> 8}.${i & 255}` } }, set: next })),
  ['own, with headers', (ctx) => limit(ctx, next)],
  ['rate-limiter-flexible, without', (ctx) => limiter.consume(ctx.req.socket.remoteAddress)],
);

const { createTimeout } = library('retry');
const options = { factor: 2, minTimeout: 100, maxTimeout: 10_000, randomize: false };
await row(
  'pause before a retry',
  many((i) => i % 12),
  ['own', (retries) => backoffMs(retries, 100, 10_000)],
  ['retry', (retries) => createTimeout(retries, options)],
);
process.exit(0);
