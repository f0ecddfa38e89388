/** Prints how long something took, with `FIGURES=1`. Nothing asserts it: a busy machine is slow. */
export function printFigures(what: string, milliseconds: Record<string, number>): void {
  if (process.env['FIGURES'] !== '1') return;
  const texts = Object.entries(milliseconds).map(([name, ms]) => `${name} ${(ms / 1000).toFixed(1)} s`);
  process.stdout.write(`      ${what}: ${texts.join(', ')}\n`);
}
