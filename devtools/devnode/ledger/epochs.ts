/** Where the epochs of a generated hyperchain end. */

/** Key blocks of an epoch unless the options say otherwise. */
const LENGTH = 10;

export interface Epochs {
  /** Whether the key block of a height is the last one of an epoch. */
  isLast(height: number): boolean;
  /** The newest epoch that has ended with the key block of a height; epoch 0 is the genesis block. */
  lastEnded(height: number): { epoch: number; height: number };
}

/** `lengths`: key blocks of each epoch in turn, again and again. The first epoch begins with key block 1. */
export function createEpochs(lengths: readonly number[] = [LENGTH]): Epochs {
  const all = lengths.reduce((sum, length) => sum + length, 0);
  const lastEnded = (height: number): { epoch: number; height: number } => {
    const rounds = Math.floor(height / all);
    let end = { epoch: rounds * lengths.length, height: rounds * all };
    for (const length of lengths) {
      if (end.height + length > height) break;
      end = { epoch: end.epoch + 1, height: end.height + length };
    }
    return end;
  };
  return { lastEnded, isLast: (height) => height > 0 && lastEnded(height).height === height };
}
