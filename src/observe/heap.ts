import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap at most double between two collections, where V8 would let it grow up to fourfold: a long load makes
 * much garbage of short life, and would otherwise look as if it needed that memory.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
