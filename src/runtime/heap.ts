import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap double between two collections, where V8 would let it grow fourfold: a long load, many requests, or passes
 * over many resources make much garbage of short life, and would otherwise look as if they needed that memory.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=100');
}

/**
 * Keeps the part of the heap for new objects as small as it begins: V8 lets it grow to 32 MiB under load and does not give
 * that back. Not for programs that must be fast: it is collected more often.
 */
export function boundNewSpace(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
