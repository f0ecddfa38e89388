import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap grow by this share between two garbage collections, percent; by default V8 lets it grow fourfold. A load or many requests make
 * much short-lived garbage, so the process would use far more memory than it needs.
 */
export function boundHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/**
 * For a process for which memory matters more than speed. The heap grows by 40 % between two garbage collections, and the space for new objects
 * keeps its initial size; by default V8 lets it grow to 32 MiB under load and does not shrink it again.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=40');
  setFlagsFromString('--semi-space-growth-factor=1');
}
