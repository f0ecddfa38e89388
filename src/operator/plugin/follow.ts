import { printable } from '../../observe/printable.js';
import type { Middleware } from '../types.js';
import { waitOrAbort } from '../../runtime/repeat.js';

interface Screen {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
}

const PAUSE_MS = 1_000;

/**
 * Reads repeatedly until `done` or until the signal aborts, and shows lines: on a terminal they are updated in place,
 * elsewhere only new lines are written. Resolves with the value that was read last.
 */
export async function follow<T>(options: {
  read: () => Promise<T>;
  lines: (value: T) => string[];
  done: (value: T) => boolean;
  screen: Screen;
  signal: AbortSignal;
  pauseMs?: number;
}): Promise<T> {
  const { read, lines, done, screen, signal, pauseMs = PAUSE_MS } = options;
  let shown: string[] = [];
  for (;;) {
    const value = await read();
    // Pods and nodes have written parts of the lines.
    const now = lines(value).map(printable);
    show(screen, shown, now);
    shown = now;
    if (done(value) || signal.aborted) return value;
    await waitOrAbort(pauseMs, signal);
  }
}

function show(screen: Screen, before: readonly string[], now: readonly string[]): void {
  if (screen.isTTY === true) {
    const up = before.length > 0 ? `\x1b[${before.length}A\x1b[J` : '';
    screen.write(`${up}${now.map((line) => `${line}\n`).join('')}`);
    return;
  }
  const known = new Set(before);
  for (const line of now) if (!known.has(line)) screen.write(`${line}\n`);
}

/** Status of the requested reload; undefined until the operator has seen it. */
export const seenReload = ({ spec, status }: Middleware) =>
  status.reload?.id !== undefined && status.reload.id === spec.reload.id ? status.reload : undefined;
