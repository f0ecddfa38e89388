/** The package with the commands for development, a plugin of this program. Images and archives of releases do not contain it. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Its folder is beside that of the program, both in the source and in `dist`. */
const ABOUT = new URL('../../devtools/package.json', import.meta.url);

/** Undefined if this installation does not contain the package. */
export const devtoolsFolder = existsSync(ABOUT) ? fileURLToPath(new URL('.', ABOUT)) : undefined;

/** What each command of the package does, by name. */
export const devtoolsHelp = (): Record<string, string> =>
  devtoolsFolder === undefined
    ? {}
    : (JSON.parse(readFileSync(ABOUT, 'utf8')) as { help: Record<string, string> }).help;
