import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

const BLOCK = 512;

interface Entry {
  /** Path without a leading slash. */
  path: string;
  kind: 'file' | 'folder' | 'link';
  mode: number;
  content: Buffer;
  target: string;
}

/**
 * A reproducible tar archive of the files below `root`: paths are sorted, times are 0, all files belong to root. Equal files
 * give equal bytes. Only paths for which `under` is true are included.
 */
export function tarOf(root: string, under: (path: string) => boolean = () => true): Buffer {
  const parts = entriesOf(root, '')
    .filter(({ path }) => under(path))
    .flatMap((entry) => [header(entry), padded(entry.content)]);
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

/** A tar archive of files in memory, by path. */
export function tarOfContents(contents: Record<string, Buffer>): Buffer {
  const parts = Object.entries(contents).flatMap(([path, content]) => [
    header({ path, kind: 'file', mode: 0o644, content, target: '' }),
    padded(content),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function entriesOf(root: string, folder: string): Entry[] {
  const names = readdirSync(join(root, folder)).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return names.flatMap((name): Entry[] => {
    const path = folder === '' ? name : `${folder}/${name}`;
    const local = join(root, path);
    const stat = lstatSync(local);
    const none = Buffer.alloc(0);
    if (stat.isSymbolicLink()) {
      return [{ path, kind: 'link', mode: 0o777, content: none, target: readlinkSync(local) }];
    }
    // The archive must not depend on the umask of the building user; only the sticky bit of /tmp is kept.
    if (stat.isDirectory()) {
      const mode = (stat.mode & 0o1000) === 0 ? 0o755 : 0o1777;
      return [{ path, kind: 'folder', mode, content: none, target: '' }, ...entriesOf(root, path)];
    }
    const mode = (stat.mode & 0o100) === 0 ? 0o644 : 0o755;
    return [{ path, kind: 'file', mode, content: readFileSync(local), target: '' }];
  });
}

const TYPE = { file: '0', link: '2', folder: '5' } as const;

function header({ path, kind, mode, content, target }: Entry): Buffer {
  const block = Buffer.alloc(BLOCK);
  const { name, prefix } = split(kind === 'folder' ? `${path}/` : path);
  block.write(name, 0);
  block.write(octal(mode, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(content.length, 12), 124);
  block.write(octal(0, 12), 136);
  block.write('        ', 148);
  block.write(TYPE[kind], 156);
  block.write(target, 157);
  block.write('ustar\u000000', 257);
  block.write(prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`;

/** Splits a path into the fields of the format: 100 bytes for the name, 155 for the folders before it. */
function split(path: string): { name: string; prefix: string } {
  if (Buffer.byteLength(path) <= 100) return { name: path, prefix: '' };
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
    const prefix = path.slice(0, at);
    const name = path.slice(at + 1);
    if (name !== '' && Buffer.byteLength(name) <= 100 && Buffer.byteLength(prefix) <= 155) return { name, prefix };
  }
  throw new Error(`The path is too long for a tar archive: ${path}`);
}

function padded(content: Buffer): Buffer {
  const rest = content.length % BLOCK;
  return rest === 0 ? content : Buffer.concat([content, Buffer.alloc(BLOCK - rest)]);
}
