import { closeSync, constants, fstatSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An append-only file whose contents are read by offset. */
interface TextFile {
  /** Appends bytes, or a text in UTF-8, and returns their offset. */
  append(content: string | Uint8Array): number;
  read(offset: number, length: number): Buffer;
  /** Total size, bytes. */
  readonly size: number;
  /** Writes the buffer to the file, so that it is not lost when the process ends. */
  flush(): void;
  close(): void;
}

const BUFFER_BYTES = 1 << 20;
/** Max bytes of UTF-8 for a unit of UTF-16. */
const MAX_BYTES_PER_UNIT = 3;

/** Opens the file at `path`. Without a path it is a temporary file, which is deleted when the process ends. */
export function createTextFile(path?: string): TextFile {
  const file = path === undefined ? openNameless() : openSync(path, constants.O_RDWR | constants.O_CREAT);
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let written = fstatSync(file).size;
  let buffered = 0;

  function write(bytes: Uint8Array): void {
    let done = 0;
    while (done < bytes.length) done += writeSync(file, bytes, done, bytes.length - done, written + done);
    written += bytes.length;
  }

  function flush(): void {
    write(buffer.subarray(0, buffered));
    buffered = 0;
  }

  return {
    get size() {
      return written + buffered;
    },
    flush,
    append(content) {
      const offset = written + buffered;
      const max = typeof content === 'string' ? content.length * MAX_BYTES_PER_UNIT : content.length;
      if (max > BUFFER_BYTES - buffered) flush();
      if (max > BUFFER_BYTES) write(typeof content === 'string' ? Buffer.from(content) : content);
      else if (typeof content === 'string') buffered += buffer.write(content, buffered, 'utf8');
      else {
        buffer.set(content, buffered);
        buffered += content.length;
      }
      return offset;
    },
    read(offset, length) {
      if (offset + length > written + buffered)
        throw new RangeError(`the chain file has no data at ${offset + length}`);
      const bytes = Buffer.allocUnsafe(length);
      if (offset >= written) {
        buffer.copy(bytes, 0, offset - written, offset - written + length);
        return bytes;
      }
      if (offset + length > written) flush();
      let done = 0;
      while (done < length) {
        const count = readSync(file, bytes, done, length - done, offset + done);
        if (count === 0) throw new Error(`the chain file ends at ${offset + done}`);
        done += count;
      }
      return bytes;
    },
    close: () => closeSync(file),
  };
}

function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'devnode-'));
  const file = openSync(join(folder, 'chain'), 'wx+');
  rmSync(folder, { recursive: true });
  return file;
}
