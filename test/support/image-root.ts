import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownArchitecture } from '../../scripts/image/pins.js';
import type { Architecture } from '../../scripts/image/pins.js';
import { run, tool } from './kube-tools.js';
import type { Ran } from './kube-tools.js';

const EMULATORS = { amd64: 'qemu-x86_64-static', arm64: 'qemu-aarch64-static' };

/**
 * Starts Node.js from the root file system of an image, with the linker and the libraries in it, and with an emulator if the machine has another
 * architecture; undefined if there is no emulator.
 */
export function inRoot(root: string, architecture: Architecture): ((args: string[]) => Ran) | undefined {
  const emulator = architecture === ownArchitecture() ? [] : [tool(EMULATORS[architecture])];
  if (emulator.includes(undefined)) return undefined;
  const triplet = readdirSync(join(root, 'lib')).find((name) => name.endsWith('-linux-gnu'))!;
  const libraries = [join(root, 'lib', triplet), join(root, 'usr/lib', triplet)];
  const linker = readdirSync(libraries[0]!).find((name) => name.startsWith('ld-linux'))!;
  const started = [join(libraries[0]!, linker), '--inhibit-cache', '--library-path', libraries.join(':')];
  const [program, ...before] = [...(emulator as string[]), ...started, join(root, 'usr/bin/node')];
  return (args) => run(program, [...before, ...args]);
}
