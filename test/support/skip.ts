/** Skips the test, or from a `before` those of its suite, with the reason in their titles. */
export function skipFor(reason: string, context: Mocha.Context): never {
  const test = context.test as Mocha.Hook | Mocha.Test;
  const tests = test.type === 'hook' ? test.parent!.tests : [test];
  for (const one of tests) one.title += ` (skipped: ${reason})`;
  return context.skip();
}
