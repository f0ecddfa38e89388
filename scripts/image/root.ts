import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImageConfig } from './oci.js';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

const { name, version, description, license } = JSON.parse(
  readFileSync(join(PROJECT, 'package.json'), 'utf8'),
) as Record<'name' | 'version' | 'description' | 'license', string>;

/** The Containerfile says the same; a test compares them. */
export const CONFIG: ImageConfig = {
  user: '65532:65532',
  workdir: '/app',
  entrypoint: ['/usr/bin/node', '/app/bin/mdw.js'],
  env: { PATH: '/usr/bin', HOME: '/tmp', NODE_ENV: 'production' },
  labels: {
    'org.opencontainers.image.title': name,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.description': description,
    'org.opencontainers.image.licenses': license,
  },
  ports: ['3020', '8080', '9090'],
};

/** What of the project runs. */
const APP = ['package.json', 'oclif.manifest.json', 'LICENSE', 'bin', 'dist', 'migrations', 'crds'];

/** What only compilers and readers look at, and what other targets of the Makefile put into dist. */
const UNUSED =
  /(\.d\.[cm]?ts|\.map|\.md|\.markdown|\.tsbuildinfo)$|\/node_modules\/\.(bin|package-lock\.json)$|\/dist\/(image\.tar|sbom\.json|install\.yaml)$/;

/**
 * Puts the whole file system of the image into `out`, which is emptied before: Node.js with the libraries it is linked
 * to, the built program, and the packages it needs at run time. There is no shell and no package manager in it.
 */
export function makeRoot(out: string, node: string): void {
  rmSync(out, { recursive: true, force: true });
  const folder = (path: string): string => {
    const made = join(out, path);
    mkdirSync(made, { recursive: true });
    return made;
  };

  copyFileSync(realpathSync(node), join(folder('usr/bin'), 'node'));
  chmodSync(join(out, 'usr/bin/node'), 0o755);
  for (const library of librariesOf(node)) {
    copyFileSync(realpathSync(library), join(folder(dirname(library)), basename(library)));
  }
  writeFileSync(join(folder('etc'), 'passwd'), 'mdw:x:65532:65532:Chain Middleware:/tmp:/nonexistent\n');
  writeFileSync(join(out, 'etc/group'), 'mdw:x:65532:\n');
  writeFileSync(join(out, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  chmodSync(folder('tmp'), 0o1777);

  const app = folder('app');
  for (const part of APP) {
    const from = join(PROJECT, part);
    if (existsSync(from)) cpSync(from, join(app, part), { recursive: true, filter: (path) => !UNUSED.test(path) });
  }
  copyFileSync(join(PROJECT, 'package-lock.json'), join(app, 'package-lock.json'));
  execFileSync(
    'npm',
    ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: app,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  rmSync(join(app, 'package-lock.json'));
  // Without it each start would load all commands to find out what there is.
  execFileSync(join(PROJECT, 'node_modules/.bin/oclif'), ['manifest', app], { cwd: PROJECT, stdio: 'ignore' });
  prune(app);
}

function prune(app: string): void {
  const packages = join(app, 'node_modules');
  const kept = `${packages}.kept`;
  cpSync(packages, kept, { recursive: true, verbatimSymlinks: true, filter: (path) => !UNUSED.test(path) });
  rmSync(packages, { recursive: true });
  renameSync(kept, packages);
}

/** Absolute paths, as the dynamic linker finds them. */
export function librariesOf(program: string): string[] {
  const lines = execFileSync('ldd', [program], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1] ?? []);
}
