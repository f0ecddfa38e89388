import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap double between two collections, where V8 would let it grow fourfold: a long load or many requests
 * make much garbage of short life, and would otherwise look as if they needed that memory.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=100');
}

/**
 * For a program that has time: the heap grows by two fifths between two collections, and the part of it for new objects
 * stays as small as it begins. V8 lets that grow to 32 MiB under load and does not give it back.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=40');
  setFlagsFromString('--semi-space-growth-factor=1');
}
