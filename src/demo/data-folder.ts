import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { MiddlewareError } from '../observe/errors.js';
import { reachable, serverUser } from './postgres-binaries.js';

/** Where root keeps the data when the database's user cannot enter the working directory. */
const SYSTEM_FOLDER = '/var/lib/chain-middleware';

/** `.data` below `folder`, or a folder of its own for each `folder` that the database's user cannot enter. */
export function dataFolder(folder: string): string {
  const local = resolve(folder, '.data');
  mkdirSync(local, { recursive: true });
  const user = serverUser();
  if (user === undefined || reachable(local, user)) return local;
  const name = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 12);
  const elsewhere = join(SYSTEM_FOLDER, name);
  mkdirSync(elsewhere, { recursive: true });
  if (statSync(elsewhere).uid === 0 && reachable(elsewhere, user)) return elsewhere;
  throw new MiddlewareError('internal', 'no_data_folder', `Cannot keep the data in ${local}, nor in ${elsewhere}`);
}

/** What `make` gives at the first call, and the same ever after; kept in `file`. */
export function remembered<T>(file: string, make: () => T): T {
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify(make())}\n`);
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}
