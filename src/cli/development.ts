import { existsSync } from 'node:fs';

/** Commands for development and tests; each has a folder of its name in src. Container images leave them out. */
export const DEVELOPMENT = ['demo', 'devnode', 'flow', 'key'];

/** Whether this build of the program does not carry the command. */
export const isLeftOut = (command: string): boolean =>
  DEVELOPMENT.includes(command) && !existsSync(new URL(`../${command}`, import.meta.url));
