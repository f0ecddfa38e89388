import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  folder: string;
  unmount(): void;
}

/** Mounts a small disk in memory, for example of `64m`. Throws if mounting is not allowed. */
export function mountSmallDisk(size: string): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-small-disk-'));
  const remove = (): void => rmSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    remove();
    throw error;
  }
  return {
    folder,
    unmount() {
      execFileSync('umount', [folder]);
      remove();
    },
  };
}

/** Why no small disk can be mounted; false if it can. */
export function noSmallDisk(): string | false {
  try {
    mountSmallDisk('1m').unmount();
    return false;
  } catch {
    return 'mounting a small disk takes root, and the right to mount';
  }
}
