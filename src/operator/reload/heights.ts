/** Number of heights in a text such as `1,3-4,6,100-200`, whose parts do not overlap. */
export const parseTotal = (heights: string): number =>
  partsOf(heights).reduce((sum, { from, to }) => sum + to - from + 1, 0);

/** Lowest height of such a text. */
export const lowest = (heights: string): number => Math.min(...partsOf(heights).map(({ from }) => from));

const partsOf = (heights: string): { from: number; to: number }[] =>
  heights.split(',').map((part) => {
    const [from = '0', to = from] = part.split('-');
    return { from: Number(from), to: Number(to) };
  });
