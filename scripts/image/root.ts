import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEVELOPMENT } from '../../src/cli/development.js';
import type { ImageConfig } from './oci.js';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

const { name, version, description, license } = JSON.parse(
  readFileSync(join(PROJECT, 'package.json'), 'utf8'),
) as Record<'name' | 'version' | 'description' | 'license', string>;

/** Configuration of the image. The Containerfile has the same; a test compares them. */
export const CONFIG: ImageConfig = {
  user: '65532:65532',
  workdir: '/app',
  entrypoint: ['/usr/bin/node', '/app/bin/mdw.js'],
  env: { PATH: '/usr/bin', HOME: '/tmp', NODE_ENV: 'production', METRICS_ADDRESS: '0.0.0.0:9090' },
  labels: {
    'org.opencontainers.image.title': name,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.description': description,
    'org.opencontainers.image.licenses': license,
  },
  ports: ['3020', '8080', '9090'],
};

/** Files and folders of the project that the program needs. */
const APP = ['package.json', 'LICENSE', 'bin', 'dist', 'migrations', 'crds'];

/** Files that only compilers and readers need, and files that other targets of the Makefile put into dist. */
const UNUSED =
  /(\.d\.[cm]?ts|\.map|\.md|\.markdown|\.tsbuildinfo)$|\/node_modules\/\.(bin|package-lock\.json)$|\/dist\/(image\.tar|devnode\.tar|sbom\.json|install\.yaml|release)$/;

/** Files only for development and tests: commands, the code that they run, and the PostgreSQL that the demo starts. */
const FOR_DEVELOPMENT = new RegExp(
  `/dist/(((commands/)?(${DEVELOPMENT.join('|')})|local-postgres)(/|\\.js$|$)|cli/(flow-command|live-flags)\\.js$)`,
);

/** Copies the built program into the folder `app` of `out`, and installs the packages that it needs at run time. */
export function makeApp(out: string): void {
  const app = join(out, 'app');
  mkdirSync(app, { recursive: true });
  copyProgram(app);
  copyFileSync(join(PROJECT, 'package-lock.json'), join(app, 'package-lock.json'));
  execFileSync(
    'npm',
    [
      ...['ci', '--omit=dev', '--omit=optional', '--ignore-scripts', '--prefer-offline'],
      ...['--no-audit', '--no-fund', '--loglevel=error'],
    ],
    {
      cwd: app,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  rmSync(join(app, 'package-lock.json'));
  writeManifest(app);
  prune(app);
}

/** Copies the files that run in a container into a folder. */
export function copyProgram(app: string): void {
  for (const part of APP) {
    const from = join(PROJECT, part);
    const filter = (path: string): boolean => !UNUSED.test(path) && !FOR_DEVELOPMENT.test(path);
    if (existsSync(from)) cpSync(from, join(app, part), { recursive: true, filter });
  }
}

/** Adds the files for development to a root folder. */
export function addDevelopment(root: string): void {
  const filter = (path: string): boolean => !UNUSED.test(path);
  cpSync(join(PROJECT, 'dist'), join(root, 'app/dist'), { recursive: true, filter });
  writeManifest(join(root, 'app'));
}

/** Writes the list of commands. Without it each start would load all commands to list them. */
export function writeManifest(app: string): void {
  execFileSync(join(PROJECT, 'node_modules/.bin/oclif'), ['manifest', app], { cwd: PROJECT, stdio: 'ignore' });
}

function prune(app: string): void {
  const packages = join(app, 'node_modules');
  const kept = `${packages}.kept`;
  cpSync(packages, kept, { recursive: true, verbatimSymlinks: true, filter: (path) => !UNUSED.test(path) });
  rmSync(packages, { recursive: true });
  renameSync(kept, packages);
}
