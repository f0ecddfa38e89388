import { printableLines } from './printable.js';
import type { StreamName } from './screen.js';

/** Prints lines. What others have written in them (a node, a pod, a file) cannot control the terminal. */
export const print = (stream: StreamName, lines: string): void =>
  void process[stream].write(`${printableLines(lines)}\n`);

/** Standard output for lines that are updated in place, if it is a terminal. The text must be printable already, except what moves the cursor. */
export const updatedOutput = (inPlace: boolean): { isTTY: boolean; write(text: string): unknown } => ({
  isTTY: inPlace && process.stdout.isTTY,
  write: (text) => process.stdout.write(text),
});
