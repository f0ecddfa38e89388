/** Standard output and standard error of a process, with a progress bar at the bottom of a terminal. */
import { printable } from './printable.js';

interface Stream {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

export interface Screen {
  /** Whether a bar can be shown: standard error is a terminal that can rewrite a line. */
  readonly hasBars: boolean;
  isTerminal(stream: StreamName): boolean;
  /** Whether lines on that stream may have colors. */
  hasColors(stream: StreamName): boolean;
  /** Writes whole lines, above the bar if there is one. */
  print(stream: StreamName, text: string): void;
  /** Shows or replaces the bar. `line` returns its text for the width of the terminal. */
  showBar(line: (columns: number) => string): void;
  removeBar(): void;
}

export type StreamName = 'stdout' | 'stderr';

interface ScreenOptions {
  streams?: Readonly<Record<StreamName, Stream>>;
  env: Readonly<Record<string, string | undefined>>;
  /** False to show no bars. */
  bars?: boolean;
}

/** A function that prints lines on a stream. A line may contain text of others. */
export const linePrinter =
  (screen: Screen, stream: StreamName) =>
  (line: string): void =>
    screen.print(stream, `${printable(line)}\n`);

const DEFAULT_COLUMNS = 80;
const ERASE_LINE = '\r\x1b[K';

export function createScreen({ streams = process, env, bars = true }: ScreenOptions): Screen {
  const isDumb = env['TERM'] === 'dumb';
  const isTerminal = (stream: StreamName): boolean => streams[stream].isTTY === true;
  let shown: string | undefined;

  function removeBar(): void {
    if (shown !== undefined) streams.stderr.write(ERASE_LINE);
    shown = undefined;
  }

  return {
    hasBars: bars && isTerminal('stderr') && !isDumb,
    isTerminal,
    hasColors: (stream) => isTerminal(stream) && !isDumb && (env['NO_COLOR'] ?? '') === '',
    print(stream, text) {
      if (shown === undefined || !isTerminal(stream)) return void streams[stream].write(text);
      streams.stderr.write(ERASE_LINE);
      streams[stream].write(text);
      streams.stderr.write(shown);
    },
    showBar(line) {
      // A terminal moves to the next line if its last column is used.
      const text = line((streams.stderr.columns || DEFAULT_COLUMNS) - 1);
      streams.stderr.write(ERASE_LINE + text);
      shown = text;
    },
    removeBar,
  };
}
