import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

/** Files and folders of the project that the program needs. The list of commands saves that each start loads all commands. */
const APP = [
  ...['package.json', 'oclif.manifest.json', 'LICENSE', 'bin', 'migrations', 'presets', 'crds'],
  ...['dist/src', 'dist/explorer', 'dist/guide'],
];

/** The built package for development. */
const DEVTOOLS = 'dist/devtools';

/** Files that only compilers and readers need. */
const UNUSED = /(\.d\.[cm]?ts|\.map|\.md|\.markdown)$|\/node_modules\/\.(bin|package-lock\.json)$/;

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
  prune(app);
}

/** Copies the files that run in a container into a folder. */
export function copyProgram(app: string): void {
  for (const part of APP) copyPart(app, part);
}

/** Adds the package for development to a root folder. */
export const addDevelopment = (root: string): void => copyPart(join(root, 'app'), DEVTOOLS);

function copyPart(app: string, part: string): void {
  cpSync(join(PROJECT, part), join(app, part), { recursive: true, filter: (path) => !UNUSED.test(path) });
}

function prune(app: string): void {
  const packages = join(app, 'node_modules');
  const kept = `${packages}.kept`;
  cpSync(packages, kept, { recursive: true, verbatimSymlinks: true, filter: (path) => !UNUSED.test(path) });
  rmSync(packages, { recursive: true });
  renameSync(kept, packages);
}
