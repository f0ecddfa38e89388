import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Consensus } from '../../src/chain/protocol/generations.js';
import { MiddlewareError } from '../../src/observe/errors.js';
import { canEnter, serverUser } from '../local-postgres/binaries.js';

/** Folder for the data of root, if the user of the database cannot enter the working directory. */
const SYSTEM_FOLDER = '/var/lib/chain-middleware';

/**
 * Returns `.data` in `folder`, or `.data-CONSENSUS` for another consensus than `pow`. If the user of the database cannot enter it, returns a
 * separate system folder for this one, and makes it a link to that, so that users find their data and the key in the same place.
 */
export function dataFolder(folder: string, consensus: Consensus = 'pow'): string {
  const suffix = consensus === 'pow' ? '' : `-${consensus}`;
  const local = resolve(folder, `.data${suffix}`);
  makeFolder(local);
  const user = serverUser();
  if (user === undefined || canEnter(local, user)) return local;
  const name = createHash('sha256')
    .update(`${resolve(folder)}${suffix}`)
    .digest('hex')
    .slice(0, 12);
  const elsewhere = join(SYSTEM_FOLDER, name);
  makeFolder(elsewhere);
  if (statSync(elsewhere).uid === 0 && canEnter(elsewhere, user)) {
    linkTo(elsewhere, local);
    return elsewhere;
  }
  throw new MiddlewareError('no_data_folder', `Cannot store the data in ${local} or in ${elsewhere}`);
}

/** Replaces an empty folder with a link. */
function linkTo(target: string, folder: string): void {
  if (lstatSync(folder).isSymbolicLink() || readdirSync(folder).length > 0) return;
  rmdirSync(folder);
  symlinkSync(target, folder);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code;
    const message = `Cannot store the data in ${folder} (${reason}): it must be a folder that this user may write to`;
    throw new MiddlewareError('no_data_folder', message, { cause });
  }
}

/** Throws for data of earlier versions of the demo, which did not store the chain but made it again at each start. */
export function refuseOldData(folder: string): void {
  if (!existsSync(join(folder, 'chain.json'))) return;
  const message = `The data in ${folder} is from an older version of the demo: remove the folder to start again`;
  throw new MiddlewareError('old_data', message);
}

/** Returns the value in `file`. If the file does not exist, creates it with the result of `make`. */
export function loadOrCreate<T>(file: string, make: () => T): T {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    // The rename makes sure that the file is complete, even if the process is killed.
    writeFileSync(`${file}.new`, `${JSON.stringify(make())}\n`);
    renameSync(`${file}.new`, file);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}
