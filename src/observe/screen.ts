/** Standard output and standard error of a process, and the bar that may stand at the bottom of a terminal. */

interface Stream {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

export interface Screen {
  /** Whether a bar may be shown: standard error is a terminal that can renew a line. */
  readonly hasBars: boolean;
  isTerminal(stream: StreamName): boolean;
  /** Whether lines on that stream may be coloured. */
  hasColors(stream: StreamName): boolean;
  /** Writes whole lines, above the bar where there is one. */
  print(stream: StreamName, text: string): void;
  /** Puts what `line` makes of the width of the terminal in the place of the bar before. */
  showBar(line: (columns: number) => string): void;
  removeBar(): void;
}

export type StreamName = 'stdout' | 'stderr';

interface ScreenOptions {
  streams?: Readonly<Record<StreamName, Stream>>;
  env: Readonly<Record<string, string | undefined>>;
  /** Whether bars are wanted. */
  bars?: boolean;
}

/** Prints one line after the other on a stream. */
export const sayOn =
  (screen: Screen, stream: StreamName) =>
  (line: string): void =>
    screen.print(stream, `${line}\n`);

const USUAL_COLUMNS = 80;
const RENEW = '\r\x1b[K';

export function createScreen({ streams = process, env, bars = true }: ScreenOptions): Screen {
  const isDumb = env['TERM'] === 'dumb';
  const isTerminal = (stream: StreamName): boolean => streams[stream].isTTY === true;
  let shown: string | undefined;

  function removeBar(): void {
    if (shown !== undefined) streams.stderr.write(RENEW);
    shown = undefined;
  }

  return {
    hasBars: bars && isTerminal('stderr') && !isDumb,
    isTerminal,
    hasColors: (stream) => isTerminal(stream) && !isDumb && (env['NO_COLOR'] ?? '') === '',
    print(stream, text) {
      if (shown === undefined || !isTerminal(stream)) return void streams[stream].write(text);
      streams.stderr.write(RENEW);
      streams[stream].write(text);
      streams.stderr.write(shown);
    },
    showBar(line) {
      // A terminal goes to the next line when something stands in its last column.
      const text = line((streams.stderr.columns || USUAL_COLUMNS) - 1);
      streams.stderr.write(RENEW + text);
      shown = text;
    },
    removeBar,
  };
}
