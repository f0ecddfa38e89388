/**
 * BLAKE2b with 32 bytes of output and no key (RFC 7693). JavaScript has no fast 64-bit integers, WebAssembly has: the compression function
 * is assembled here when the module is loaded, in under a millisecond, and runs more than ten times as fast as one on halves of words.
 */
interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
interface Exports {
  memory: Memory;
  compress(block: number, counter: number, last: number): void;
}
/** The part of the global that is used; the type definitions of Node.js 20 lack it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

const HASH_BYTES = 32;
const BLOCK_BYTES = 128;
const PAGE_BYTES = 65536;
const WORDS = 8;
/** The eight words of the state lie at 0 in the memory, the message behind them. */
const MESSAGE = 64;

const IV = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
];
/** Word of the message for each half step of a round; rounds 11 and 12 are like the first two. */
const SIGMA = [
  '0123456789abcdef',
  'ea489fd61c02b753',
  'b8c052fdae367194',
  '7931dcbe265a40f8',
  '905724afe1bc683d',
  '2c6a0b834d75fe19',
  'c51fed4a0763928b',
  'db7ec13950f4862a',
  '6fe9b308c2d714a5',
  'a2847615fb9e3cd0',
];
const ROUNDS = 12;
/** Columns, then diagonals, of the four by four words. */
const STEPS = ['048c', '159d', '26ae', '37bf', '05af', '16bc', '278d', '349e'];

const GET = 0x20;
const SET = 0x21;
const TEE = 0x22;
const LOAD = [0x29, 3];
const STORE = [0x37, 3];
const I32_CONST = 0x41;
const I64_CONST = 0x42;
const ADD = 0x7c;
const XOR = 0x85;
const ROTATE_RIGHT = 0x8a;
const EXTEND_SIGNED = 0xac;
const END = 0x0b;
const I32 = 0x7f;
const I64 = 0x7e;

/** Parameters of the function, and the first of its sixteen working words. */
const [BLOCK, COUNTER, LAST, V] = [0, 1, 2, 3] as const;

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: bigint): number[] {
  const low = Number(value & 127n);
  const rest = value >> 7n;
  return rest === (low & 64 ? -1n : 0n) ? [low] : [low | 128, ...signed(rest)];
}

const constant = (value: bigint): number[] => [I64_CONST, ...signed(BigInt.asIntN(64, value))];
const word = (index: number): number[] => [I32_CONST, 0, ...LOAD, ...unsigned(index * 8)];
const digits = (hex: string): number[] => [...hex].map((digit) => parseInt(digit, 16));

function halfStep([a, b, c, d]: number[], message: number, first: bigint, second: bigint): number[] {
  return [
    ...[GET, V + a!, GET, V + b!, ADD, GET, BLOCK, ...LOAD, ...unsigned(message * 8), ADD, TEE, V + a!],
    ...[GET, V + d!, XOR, ...constant(first), ROTATE_RIGHT, TEE, V + d!],
    ...[GET, V + c!, ADD, TEE, V + c!],
    ...[GET, V + b!, XOR, ...constant(second), ROTATE_RIGHT, SET, V + b!],
  ];
}

/** `compress(block, counter, last)`: `counter` is the bytes of the message up to the end of this block, `last` -1 for the last one, else 0. */
function compression(): number[] {
  const code: number[] = [];
  for (let i = 0; i < WORDS; i += 1) {
    code.push(...word(i), SET, V + i, ...constant(IV[i]!));
    if (i === 4) code.push(GET, COUNTER, EXTEND_SIGNED, XOR);
    if (i === 6) code.push(GET, LAST, EXTEND_SIGNED, XOR);
    code.push(SET, V + WORDS + i);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = digits(SIGMA[round % SIGMA.length]!);
    STEPS.map(digits).forEach((step, i) => {
      code.push(...halfStep(step, order[2 * i]!, 32n, 24n), ...halfStep(step, order[2 * i + 1]!, 16n, 63n));
    });
  }
  for (let i = 0; i < WORDS; i += 1) {
    code.push(I32_CONST, 0, ...word(i), GET, V + i, XOR, GET, V + WORDS + i, XOR, ...STORE, ...unsigned(i * 8));
  }
  return [1, 2 * WORDS, I64, ...code, END];
}

function assemble(): Exports {
  const section = (id: number, content: number[]): number[] => [id, ...unsigned(content.length), ...content];
  const name = (text: string): number[] => [text.length, ...Buffer.from(text)];
  const body = compression();
  const bytes = [
    ...[0, ...Buffer.from('asm'), 1, 0, 0, 0],
    ...section(1, [1, 0x60, 3, I32, I32, I32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, ...name('memory'), 2, 0, ...name('compress'), 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ];
  return new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes))).exports as Exports;
}

const { memory, compress } = assemble();
let bytes = new Uint8Array(memory.buffer);

/** State before the first block: the constants, with length of the hash, no key, and one lane mixed in. */
const START = new Uint8Array(BigUint64Array.from([IV[0]! ^ BigInt(0x01010000 + HASH_BYTES), ...IV.slice(1)]).buffer);

/** Hash of the concatenated parts. */
export function blake2b(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  // The last block is filled up with zeros; an empty message has one, too.
  const end = MESSAGE + Math.max(1, Math.ceil(length / BLOCK_BYTES)) * BLOCK_BYTES;
  if (end > bytes.length) {
    memory.grow(Math.ceil((end - bytes.length) / PAGE_BYTES));
    bytes = new Uint8Array(memory.buffer);
  }
  bytes.set(START);
  let at = MESSAGE;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  bytes.fill(0, at, end);
  let block = MESSAGE;
  for (; block + BLOCK_BYTES < end; block += BLOCK_BYTES) compress(block, block + BLOCK_BYTES - MESSAGE, 0);
  compress(block, length, -1);
  return bytes.slice(0, HASH_BYTES);
}
