import { existsSync } from 'node:fs';

/** Commands for development and tests. Each has a folder of its name in `src`. Container images do not contain them. */
export const DEVELOPMENT = ['demo', 'devnode', 'flow', 'key'];

/** Whether the command is one of them and this build does not contain it. */
export const isLeftOut = (command: string): boolean =>
  DEVELOPMENT.includes(command) && !existsSync(new URL(`../${command}`, import.meta.url));
