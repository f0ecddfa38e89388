import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Base } from './fetch.js';
import { inFolder } from './folder.js';

/** Files of the packages that the image gets: libraries, licences, and the release name, which vulnerability scanners read. */
const KEPT = new RegExp(
  [
    '(usr/)?lib/[^/]+-linux-gnu/[^/]+\\.so[^/]*',
    'lib(64)?/ld-linux[^/]*',
    'usr/share/doc/[^/]+(/copyright)?',
    'usr/share/common-licenses/.*',
    '(etc|usr/lib)/os-release',
  ]
    .map((path) => `^${path}$`)
    .join('|'),
);

/** Writes the base system into `out`: Node.js, the libraries that it is linked to, and a user. */
export async function makeSystem(out: string, { debian, node }: Base): Promise<void> {
  for (const file of debian) await addPackage(out, file);
  await addNode(out, node);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), text);
  };
  write('etc/passwd', 'mdw:x:65532:65532:Chain Middleware:/tmp:/nonexistent\n');
  write('etc/group', 'mdw:x:65532:\n');
  write('etc/nsswitch.conf', 'hosts: files dns\n');
  mkdirSync(join(out, 'tmp'));
  chmodSync(join(out, 'tmp'), 0o1777);
}

async function addPackage(out: string, file: string): Promise<void> {
  await inFolder((scratch) => {
    execFileSync('dpkg-deb', ['--extract', file, scratch]);
    const entries = readdirSync(scratch, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name).slice(scratch.length + 1);
      if (entry.isDirectory() || !KEPT.test(path)) continue;
      cpSync(join(scratch, path), join(out, path), { verbatimSymlinks: true });
    }
  });
  // The list of packages for an image without dpkg: one file for each package, as in other such images.
  const status = join(out, 'var/lib/dpkg/status.d');
  mkdirSync(status, { recursive: true });
  const field = (...names: string[]): string =>
    execFileSync('dpkg-deb', ['--field', file, ...names], { encoding: 'utf8' });
  writeFileSync(join(status, field('Package').trim()), field());
}

/** Copies Node.js and its licence into a root folder. */
export async function addNode(out: string, file: string): Promise<void> {
  await inFolder((scratch) => {
    execFileSync('tar', ['-xzf', file, '-C', scratch, 'package/bin/node', 'package/LICENSE']);
    for (const [from, to, mode] of [
      ['package/bin/node', 'usr/bin/node', 0o755],
      ['package/LICENSE', 'usr/share/doc/nodejs/LICENSE', 0o644],
    ] as const) {
      mkdirSync(dirname(join(out, to)), { recursive: true });
      copyFileSync(join(scratch, from), join(out, to));
      chmodSync(join(out, to), mode);
    }
  });
}
