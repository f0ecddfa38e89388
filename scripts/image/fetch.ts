import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { sha512Of } from './hash.js';
import { ARCHIVES } from './pins.js';
import type { DebianPackage, NodePackage, Pins } from './pins.js';

/** Paths of the pinned files. */
export interface Base {
  debian: readonly string[];
  node: string;
}

interface Hash {
  algorithm: 'sha256' | 'sha512';
  hex: string;
}

/** Folder of fetched files. They are not fetched again. */
export const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'chain-middleware');

/** Fetches the pinned files into the cache. Without a request to a network if all of them are cached. */
export async function fetchBase({ debian, node }: Pins, cache = CACHE): Promise<Base> {
  const files: string[] = [];
  for (const one of debian) files.push(await fetchDebian(one, cache));
  return { debian: files, node: fetchNode(node, cache) };
}

/** Fetches a package from the first archive that has it with the pinned hash. */
export async function fetchDebian(
  { path, sha256 }: DebianPackage,
  cache: string,
  archives: readonly string[] = ARCHIVES,
): Promise<string> {
  const file = join(cache, basename(path));
  const hash: Hash = { algorithm: 'sha256', hex: sha256 };
  if (isThere(file, hash)) return file;
  const reasons: string[] = [];
  for (const archive of archives) {
    const url = `${archive}/${path.split('/').map(encodeURIComponent).join('/')}`;
    try {
      const answer = await fetch(url);
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      keep(file, hash, Buffer.from(await answer.arrayBuffer()));
      return file;
    } catch (error) {
      reasons.push(`${url}: ${reasonOf(error)}`);
    }
  }
  throw new Error(`${basename(path)} could not be fetched:\n${reasons.join('\n')}`);
}

/** Fetches Node.js from the registry that npm is configured for. */
export function fetchNode({ name, version, integrity }: NodePackage, cache: string): string {
  const file = join(cache, `${name}-${version}.tgz`);
  const hash: Hash = { algorithm: 'sha512', hex: sha512Of(integrity) };
  if (isThere(file, hash)) return file;
  const folder = mkdtempSync(join(tmpdir(), 'mdw-node-'));
  try {
    execFileSync('npm', ['pack', `${name}@${version}`, '--pack-destination', folder, '--loglevel=error'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    keep(file, hash, readFileSync(join(folder, readdirSync(folder)[0]!)));
    return file;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const hashOf = (content: Buffer, { algorithm }: Hash): string => createHash(algorithm).update(content).digest('hex');

const isThere = (file: string, hash: Hash): boolean =>
  existsSync(file) && hashOf(readFileSync(file), hash) === hash.hex;

function keep(file: string, hash: Hash, content: Buffer): void {
  const found = hashOf(content, hash);
  if (found !== hash.hex) throw new Error(`its ${hash.algorithm} is ${found} instead of ${hash.hex}`);
  mkdirSync(dirname(file), { recursive: true });
  // Renaming is atomic: a second build at the same time sees the whole file or none.
  const part = `${file}.${process.pid}`;
  writeFileSync(part, content);
  renameSync(part, file);
}

/** The reason of an error. `fetch` puts it into the cause. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error);
