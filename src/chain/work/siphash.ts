/**
 * Computes all endpoints of a graph at once, for miners. It is SipHash-2-4 as in `endpoint`, but in WebAssembly, whose 64-bit integers make it
 * about ten times as fast. The code is assembled when the module is loaded.
 */
import type { GraphKeys } from './cuckoo.js';

interface Exports {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  fill(k0: bigint, k1: bigint, k2: bigint, k3: bigint, count: number, side: bigint, at: number): void;
}
/** The used part of the global `WebAssembly`, which the type definitions of Node.js 20 do not have. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

interface Endpoints {
  /** For each side, the number of the graph node of each edge. The caller must mask it to the edge bits. */
  readonly sides: readonly [Uint32Array, Uint32Array];
  /** Computes the endpoints of a graph into `sides`. */
  fill(keys: GraphKeys): void;
}

const PAGE_BYTES = 65536;
const WORD_BYTES = 4;

const [LOOP, BR_IF, END, GET, SET, TEE] = [0x03, 0x0d, 0x0b, 0x20, 0x21, 0x22];
const [I32_CONST, I64_CONST, I32_ADD, I32_SUB, ADD, XOR, ROTATE_LEFT] = [0x41, 0x42, 0x6a, 0x6b, 0x7c, 0x85, 0x89];
const STORE_LOW_HALF = [0x3e, 2, 0];
const [I32, I64, NOTHING] = [0x7f, 0x7e, 0x40];

/** Indexes of the parameters and then of the local variables of the function. */
const [K0, K1, K2, K3, COUNT, SIDE, AT, A, B, C, D] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
/** The parameter `side` is reused for the number to hash: 2 * edge + side. */
const NONCE = SIDE;

const add = (to: number, by: number): number[] => [GET, to, GET, by, ADD, SET, to];
const rotate = (word: number, bits: number): number[] => [GET, word, I64_CONST, bits, ROTATE_LEFT, SET, word];
const mix = (word: number, bits: number, other: number): number[] => [
  ...rotate(word, bits),
  ...[GET, word, GET, other, XOR, SET, word],
];

const ROUND = [
  ...[add(A, B), add(C, D), mix(B, 13, A), mix(D, 16, C), rotate(A, 32)],
  ...[add(C, B), add(A, D), mix(B, 17, C), mix(D, 21, A), rotate(C, 32)],
].flat();

const BODY = [
  ...[LOOP, NOTHING],
  ...[GET, K0, SET, A, GET, K1, SET, B, GET, K2, SET, C, GET, K3, GET, NONCE, XOR, SET, D],
  ...[...ROUND, ...ROUND],
  // 0xff, in the signed form of constants.
  ...[GET, A, GET, NONCE, XOR, SET, A, GET, C, I64_CONST, 0xff, 0x01, XOR, SET, C],
  ...[...ROUND, ...ROUND, ...ROUND, ...ROUND],
  ...[GET, AT, GET, A, GET, B, XOR, GET, C, XOR, GET, D, XOR, I64_CONST, 17, ROTATE_LEFT, ...STORE_LOW_HALF],
  ...[GET, AT, I32_CONST, WORD_BYTES, I32_ADD, SET, AT, GET, NONCE, I64_CONST, 2, ADD, SET, NONCE],
  ...[GET, COUNT, I32_CONST, 1, I32_SUB, TEE, COUNT, BR_IF, 0, END],
];

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function assemble(): Exports {
  const section = (id: number, content: number[]): number[] => [id, ...unsigned(content.length), ...content];
  const name = (text: string): number[] => [text.length, ...Buffer.from(text)];
  const body = [1, 4, I64, ...BODY, END];
  const bytes = [
    ...[0, ...Buffer.from('asm'), 1, 0, 0, 0],
    ...section(1, [1, 0x60, 7, I64, I64, I64, I64, I32, I64, I32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 0]),
    ...section(7, [2, ...name('memory'), 2, 0, ...name('fill'), 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ];
  return new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes))).exports as Exports;
}

/** Allocates memory for graphs with so many edges. It is reused for each graph. */
export function createEndpoints(edges: number): Endpoints {
  const { memory, fill } = assemble();
  memory.grow(Math.ceil((2 * edges * WORD_BYTES) / PAGE_BYTES));
  const sides = [0, 1].map((side) => new Uint32Array(memory.buffer, side * edges * WORD_BYTES, edges));
  return {
    sides: [sides[0]!, sides[1]!],
    fill(keys) {
      const word = (i: number): bigint => BigInt(keys[2 * i]!) | (BigInt(keys[2 * i + 1]!) << 32n);
      const [k0, k1, k2, k3] = [word(0), word(1), word(2), word(3)];
      fill(k0, k1, k2, k3, edges, 0n, 0);
      fill(k0, k1, k2, k3, edges, 1n, edges * WORD_BYTES);
    },
  };
}
