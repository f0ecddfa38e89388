import { appendFileSync, closeSync, ftruncateSync, openSync, readFileSync } from 'node:fs';

/** Lines of JSON on disk, one an entry, that outlive the process. */
export interface Journal {
  /** Writes an entry behind all others before it returns. */
  append(entry: unknown): void;
  close(): void;
}

const NEWLINE = 10;

/** Opens the journal at `path`, which is made when missing, and hands over the entries that are there, the oldest first. */
export function openJournal(path: string, onEntry: (entry: unknown) => void): Journal {
  const file = openSync(path, 'a+');
  try {
    const bytes = readFileSync(file);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      onEntry(JSON.parse(bytes.toString('utf8', start, end)));
      start = end + 1;
    }
    // A process that was killed may have left half a line.
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
