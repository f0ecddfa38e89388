import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { MiddlewareError } from '../observe/errors.js';
import { reachable, serverUser } from '../local-postgres/binaries.js';

/** Where root keeps the data when the database's user cannot enter the working directory. */
const SYSTEM_FOLDER = '/var/lib/chain-middleware';

/** `.data` below `folder`, or a folder of its own for each `folder` that the database's user cannot enter. */
export function dataFolder(folder: string): string {
  const local = resolve(folder, '.data');
  makeFolder(local);
  const user = serverUser();
  if (user === undefined || reachable(local, user)) return local;
  const name = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 12);
  const elsewhere = join(SYSTEM_FOLDER, name);
  makeFolder(elsewhere);
  if (statSync(elsewhere).uid === 0 && reachable(elsewhere, user)) return elsewhere;
  throw new MiddlewareError('no_data_folder', `Cannot keep the data in ${local}, nor in ${elsewhere}`);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code;
    const message = `Cannot keep the data in ${folder} (${reason}): it has to be a folder that this user may write to`;
    throw new MiddlewareError('no_data_folder', message, { cause });
  }
}

/** Data of demos of earlier versions, which did not keep the chain but made it again at each start. */
export function refuseOldData(folder: string): void {
  if (!existsSync(join(folder, 'chain.json'))) return;
  const message = `The data in ${folder} is of an older version of the demo: remove the folder to begin again`;
  throw new MiddlewareError('old_data', message);
}

/** What `make` returns at the first call, and the same at all later ones; kept in `file`. */
export function remembered<T>(file: string, make: () => T): T {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    // Whole or not at all, whenever the process ends.
    writeFileSync(`${file}.new`, `${JSON.stringify(make())}\n`);
    renameSync(`${file}.new`, file);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}
