/** For `mocha --parallel`: ends the control planes of all processes after the last file. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binaries, planeFolder, run } from '../../support/kube-tools.js';

/** Sets the folder in which each process creates its control plane. */
export const PLANES = 'TEST_PLANES';

export function mochaGlobalSetup(): void {
  if (process.env['KUBECONFIG'] !== undefined || planeFolder === undefined) return;
  // Unpacked here once, not by each process at the same time.
  binaries();
  process.env[PLANES] = mkdtempSync(join(tmpdir(), 'mdw-planes-'));
}

export function mochaGlobalTeardown(): void {
  const folder = process.env[PLANES];
  if (folder === undefined) return;
  for (const plane of readdirSync(folder)) run(join(planeFolder ?? '', 'stop'), [join(folder, plane), '--wipe']);
  rmSync(folder, { recursive: true, force: true });
}
