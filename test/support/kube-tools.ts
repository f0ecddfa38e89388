import { spawnSync } from 'node:child_process';
import type { SpawnSyncOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Folder of the scripts that start a control plane: `start`, `start-node`, `stop`, `unpack`, `load-image`, `in-plane`. */
export const planeFolder = process.env.KUBE_PLANE;

let folder: string | undefined;

/** Folder of kubectl, helm and the control plane's programs; unpacked once when no variable names it. */
export function binaries(): string | undefined {
  if (folder !== undefined) return folder;
  if (process.env.KUBEBUILDER_ASSETS !== undefined) folder = process.env.KUBEBUILDER_ASSETS;
  else if (planeFolder !== undefined) {
    const into = join(tmpdir(), 'kube-bin');
    const { status, stderr } = spawnSync(join(planeFolder, 'unpack'), [into], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`unpack: ${stderr}`);
    folder = into;
  }
  return folder;
}

/** Path of a program, from the folder above or from PATH; undefined when it is in neither. */
export function tool(name: string): string | undefined {
  const folders = [binaries() ?? '', ...(process.env.PATH ?? '').split(delimiter)];
  return folders
    .filter((candidate) => candidate !== '')
    .map((candidate) => join(candidate, name))
    .find(existsSync);
}

export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

export function run(program: string, args: string[], options: SpawnSyncOptions = {}): Ran {
  return spawnSync(program, args, { ...options, encoding: 'utf8', maxBuffer: 256 << 20 });
}

/** Returns the standard output of a program. Throws with its whole output if it fails. */
export function output(program: string, args: string[], options: SpawnSyncOptions = {}): string {
  const { status, stdout, stderr } = run(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${status}\n${stdout}${stderr}`);
  return stdout;
}

/** A suite that needs something that may be missing. If it is missing, one skipped test says what. */
export function describeWith(missing: string | false, title: string, define: (this: Mocha.Suite) => void): void {
  if (missing === false) describe(title, define);
  else describe(title, () => it.skip(`skipped: ${missing}`));
}

/** Why the programs cannot be used, for `describeWith`. */
export function missingTools(...names: string[]): string | false {
  const missing = names.filter((name) => tool(name) === undefined);
  return missing.length > 0 && `${missing.join(' and ')} are neither in PATH nor below KUBE_PLANE`;
}
