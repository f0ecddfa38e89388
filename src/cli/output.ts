/** Ends a command that prints a result when it can no longer be printed. A reader that closes the pipe early (`mdw -v | head`) is no error. */
const endWithoutReader = ({ code }: NodeJS.ErrnoException): void => process.exit(code === 'EPIPE' ? 0 : 1);

/** Listens for faults of standard output and standard error, which would be unhandled otherwise. Called once, before any output. */
export function watchOutputs(): void {
  process.stdout.on('error', endWithoutReader);
  // What is printed there is less important than the work.
  process.stderr.on('error', () => undefined);
}

/**
 * Resolves when a command's results are written. A pipe takes 64 KiB at a time, and `process.exit` would drop the rest. A service does not
 * wait: the reader of its log may have stopped.
 */
export async function flushOutputs(): Promise<void> {
  if (!process.stdout.listeners('error').includes(endWithoutReader)) return;
  const outputs = [process.stdout, process.stderr];
  await Promise.all(outputs.map((output) => new Promise((resolve) => output.write('', resolve))));
}

/** For a service: it goes on when its terminal, or the reader of its log, is gone. */
export function surviveWithoutReader(): void {
  process.stdout.off('error', endWithoutReader).on('error', () => undefined);
}
