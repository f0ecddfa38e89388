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
const APP = ['package.json', 'LICENSE', 'bin', 'dist', 'migrations', 'crds'];

/** What only compilers and readers look at, and what other targets of the Makefile put into dist. */
const UNUSED =
  /(\.d\.[cm]?ts|\.map|\.md|\.markdown|\.tsbuildinfo)$|\/node_modules\/\.(bin|package-lock\.json)$|\/dist\/(image\.tar|devnode\.tar|sbom\.json|install\.yaml|release)$/;

/** What is for development and tests alone: the commands, what they run, and the PostgreSQL that the demo starts. */
const FOR_DEVELOPMENT = new RegExp(
  `/dist/(((commands/)?(${DEVELOPMENT.join('|')})|local-postgres)(/|\\.js$|$)|cli/(flow-command|live-flags)\\.js$)`,
);

/** Puts the built program into the folder `app` of `out`, with the packages that it needs at run time. */
export function makeApp(out: string): void {
  const app = join(out, 'app');
  mkdirSync(app, { recursive: true });
  copyProgram(app);
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
  writeManifest(app);
  prune(app);
}

/** Puts into a folder what of the project runs in a container. */
export function copyProgram(app: string): void {
  for (const part of APP) {
    const from = join(PROJECT, part);
    const filter = (path: string): boolean => !UNUSED.test(path) && !FOR_DEVELOPMENT.test(path);
    if (existsSync(from)) cpSync(from, join(app, part), { recursive: true, filter });
  }
}

/** Adds to a root what is for development. */
export function addDevelopment(root: string): void {
  const filter = (path: string): boolean => !UNUSED.test(path);
  cpSync(join(PROJECT, 'dist'), join(root, 'app/dist'), { recursive: true, filter });
  writeManifest(join(root, 'app'));
}

/** Lists the commands that are there: without it each start would load all of them to find out. */
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
