import { appendFileSync, closeSync, ftruncateSync, openSync, readFileSync } from 'node:fs';

/** A file with one entry of JSON in each line. It remains after the process ends. */
export interface Journal {
  /** Appends an entry. It is written when the function returns. */
  append(entry: unknown): void;
  close(): void;
}

const NEWLINE = 10;

/** Opens the journal at `path`, or creates it, and calls `onEntry` with each entry, oldest first. */
export function openJournal(path: string, onEntry: (entry: unknown) => void): Journal {
  const file = openSync(path, 'a+');
  try {
    const bytes = readFileSync(file);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      onEntry(JSON.parse(bytes.toString('utf8', start, end)));
      start = end + 1;
    }
    // A killed process may have written an incomplete last line.
    ftruncateSync(file, start);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return {
    append: (entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`),
    close: () => closeSync(file),
  };
}
