import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../src/observe/root.js';

/**
 * How a shell in `folder` starts this program. `npx mdw` finds it only in its own folder and where it is installed; elsewhere it would ask a
 * registry for a package of that name.
 */
export function commandIn(folder: string): string {
  const program = realpathSync(ROOT);
  const isFoundByNpx = [folder, join(folder, 'node_modules', 'chain-middleware')].some((one) => isSame(one, program));
  return isFoundByNpx ? 'npx mdw' : `'${join(program, 'bin', 'mdw.js')}'`;
}

function isSame(folder: string, other: string): boolean {
  try {
    return realpathSync(folder) === other;
  } catch {
    return false;
  }
}
