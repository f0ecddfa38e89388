import { expect } from 'chai';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isInImages, readPackages } from '../../scripts/dependencies.js';
import { imageArchive } from '../../scripts/image/oci.js';
import { image } from '../../src/observe/version.js';
import { PINS } from '../../scripts/image/pins.js';
import { CONFIG, copyProgram } from '../../scripts/image/root.js';
import { tarOf } from '../../scripts/image/tar.js';
import { billOfMaterials } from '../../scripts/sbom.js';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

const archiveOf = (name: string, layer: Buffer): Buffer =>
  imageArchive(name, [{ architecture: 'amd64', layers: [layer] }], CONFIG).archive;
const partOf = (archive: Buffer, file: string): Record<string, unknown> =>
  JSON.parse(execFileSync('tar', ['-xOf', '-', file], { input: archive, encoding: 'utf8' })) as Record<string, unknown>;

interface Descriptor {
  digest: string;
  size: number;
  platform?: { architecture: string };
}

describe('the image', () => {
  const folders: string[] = [];

  afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

  /** The same files, made at another time, in another order, under another umask. */
  const tree = (time: number, mode: number, ...order: string[]): string => {
    const folder = mkdtempSync(join(tmpdir(), 'mdw-tree-'));
    folders.push(folder);
    for (const path of order) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), `content of ${path}`, { mode });
      utimesSync(join(folder, path), time, time);
    }
    symlinkSync('b/two', join(folder, 'link'));
    return folder;
  };
  const deep = `${'long-name/'.repeat(12)}file`;

  it('has the same bytes when its files are the same, independent of time and builder', () => {
    const one = tarOf(tree(1_000, 0o644, 'a/one', 'b/two', deep));
    const other = tarOf(tree(2_000, 0o600, deep, 'b/two', 'a/one'));

    expect(one.equals(other)).to.equal(true);
    expect(archiveOf('localhost/x:1', one).equals(archiveOf('localhost/x:1', other))).to.equal(true);
  });

  it('consists of archives that tar can read, with all files, owned by root', () => {
    const archive = tarOf(tree(1_000, 0o755, 'a/one', 'b/two', deep));
    const listed = execFileSync('tar', ['--numeric-owner', '-tvf', '-'], { input: archive, encoding: 'utf8' });

    for (const path of ['a/one', 'b/two', deep, 'link -> b/two']) expect(listed).to.contain(` ${path}\n`);
    expect(listed.match(/ 0\/0 /g)).to.have.length(listed.trim().split('\n').length);
    const unpacked = execFileSync('tar', ['-xOf', '-', deep], { input: archive, encoding: 'utf8' });
    expect(unpacked).to.equal(`content of ${deep}`);
  });

  it('has one name for containerd, for Docker and for Podman', () => {
    const archive = archiveOf(image, tarOf(tree(1_000, 0o644, 'a/one')));
    const parsed = (file: string): unknown => partOf(archive, file);
    const { manifests } = parsed('index.json') as { manifests: { annotations: object }[] };
    const [docker] = parsed('manifest.json') as { Config: string; RepoTags: string[]; Layers: string[] }[];

    expect(manifests.map(({ annotations }) => annotations)).to.deep.equal([
      { 'io.containerd.image.name': image, 'org.opencontainers.image.ref.name': image.split(':').at(-1) },
    ]);
    expect(docker!.RepoTags).to.deep.equal([image]);
    const { rootfs } = parsed(docker!.Config) as { rootfs: { diff_ids: string[] } };
    expect(docker!.Layers).to.deep.equal(rootfs.diff_ids.map((id) => `blobs/${id.replace(':', '/')}`));
  });

  it('is one index of all architectures, which share common layers', () => {
    const [amd64, arm64, shared] = ['one', 'two', 'three'].map((file) => tarOf(tree(1_000, 0o644, file)));
    const { archive, digest } = imageArchive(
      image,
      [
        { architecture: 'amd64', layers: [amd64!, shared!] },
        { architecture: 'arm64', layers: [arm64!, shared!] },
      ],
      CONFIG,
    );
    const blob = (named: Descriptor): Record<string, unknown> => {
      const path = `blobs/${named.digest.replace(':', '/')}`;
      const content = execFileSync('tar', ['-xOf', '-', path], { input: archive });
      expect([content.length, createHash('sha256').update(content).digest('hex')]).to.deep.equal([
        named.size,
        named.digest.replace('sha256:', ''),
      ]);
      return JSON.parse(content.toString()) as Record<string, unknown>;
    };
    const files = execFileSync('tar', ['-tf', '-'], { input: archive, encoding: 'utf8' }).trim().split('\n');

    const [top, ...others] = partOf(archive, 'index.json').manifests as Descriptor[];
    expect(others).to.deep.equal([]);
    expect(top).to.include({ digest, mediaType: 'application/vnd.oci.image.index.v1+json' });
    const listed = blob(top!).manifests as Descriptor[];
    expect(listed.map(({ platform }) => platform)).to.deep.equal([
      { architecture: 'amd64', os: 'linux' },
      { architecture: 'arm64', os: 'linux' },
    ]);
    const layers = listed.map((manifest) => {
      const { config, layers } = blob(manifest) as { config: Descriptor; layers: Descriptor[] };
      expect(blob(config)).to.include({ architecture: manifest.platform!.architecture, os: 'linux' });
      return layers.map(({ digest }) => digest);
    });
    expect(layers[0]![0]).not.to.equal(layers[1]![0]);
    expect(layers[0]![1]).to.equal(layers[1]![1]);
    // Index, two manifests, two configurations, three layers.
    expect(files.filter((file) => file.startsWith('blobs/'))).to.have.length(8);
    expect(files).not.to.include('manifest.json');
  });

  const refused = [
    'chain-middleware:1.0.0',
    'team/chain-middleware:1.0.0',
    'localhost/chain-middleware',
    'localhost/:1',
  ];
  for (const name of refused) {
    it(`refuses the name ${name}, by which the kubelet would not find it`, () => {
      expect(() => imageArchive(name, [], CONFIG)).to.throw(`${name}: HOST/REPOSITORY:TAG is needed`);
    });
  }

  it('is the same in the Containerfile and in make image', () => {
    const file = read('Containerfile').replace(/\\\n\s*/g, '');
    const wordsOf = (instruction: string): string[] =>
      [...file.matchAll(new RegExp(`^${instruction} (.*)$`, 'gm'))].map(([, rest]) => rest!);
    const { version } = JSON.parse(read('package.json')) as { version: string };

    expect(wordsOf('USER')).to.deep.equal([CONFIG.user]);
    expect(JSON.parse(wordsOf('ENTRYPOINT')[0]!)).to.deep.equal(CONFIG.entrypoint);
    expect(wordsOf('WORKDIR').at(-1)).to.equal(CONFIG.workdir);
    expect(wordsOf('EXPOSE')).to.deep.equal([CONFIG.ports.join(' ')]);
    expect(wordsOf('ENV')[0]!.split(' ').sort()).to.deep.equal(
      Object.entries(CONFIG.env)
        .map(([variable, value]) => `${variable}=${value}`)
        .sort(),
    );
    const labels = [...wordsOf('LABEL')[0]!.matchAll(/(\S+?)="([^"]*)"/g)].map(([, label, value]) => [
      label,
      value!.replace('${VERSION}', version),
    ]);
    expect(Object.fromEntries(labels)).to.deep.equal(CONFIG.labels);
    expect(wordsOf('ARG')).to.include(`VERSION=${version}`);
    expect(wordsOf('# podman build')).to.deep.equal([`-t ${image} .        (buildah, docker: the same)`]);
  });

  it('runs as a numeric user other than root', () => {
    expect(CONFIG.user).to.match(/^[1-9]\d*:[1-9]\d*$/);
  });

  it('contains nothing for development: no devnode, no flows, no demo', () => {
    const app = mkdtempSync(join(tmpdir(), 'mdw-app-'));
    folders.push(app);
    copyProgram(app);
    symlinkSync(join(import.meta.dirname, '../../node_modules'), join(app, 'node_modules'));
    const run = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(app, 'bin/mdw.js'), ...args], {
        encoding: 'utf8',
      });
      return { status, stdout, stderr };
    };

    const help = run('--help').stdout;
    const { commands } = JSON.parse(readFileSync(join(app, 'oclif.manifest.json'), 'utf8')) as { commands: object };
    for (const name of ['demo', 'devnode', 'flow', 'key']) {
      expect(help).not.to.match(new RegExp(`^  ${name} `, 'm'));
      expect(Object.keys(commands).filter((id) => id.split(':')[0] === name)).to.deep.equal([]);
      const { status, stderr } = run(name, '--help');
      expect(status).to.equal(2);
      expect(stderr).to.contain(`There is no command ${name}`).and.contain('are in the npm package: npx mdw');
    }
    expect(existsSync(join(app, 'dist/devtools'))).to.equal(false);
    // The files in the image do not need the omitted files.
    for (const id of Object.keys(commands)) {
      const { status, stdout } = run(...id.split(':'), '--help');
      expect([id, status, stdout.includes('USAGE')]).to.deep.equal([id, 0, true]);
    }
    expect(help)
      .to.match(/^ {2}migrate /m)
      .and.match(/^ {2}doctor /m);
  });

  it('has a reproducible bill of materials that lists the production packages', () => {
    const bom = billOfMaterials('arm64');
    const packages = readPackages().locked as Record<string, { version: string; name?: string }>;
    const installed = Object.entries(packages)
      .filter(([path, locked]) => path !== '' && isInImages(locked))
      .map(([path, { version, name }]) => `${name ?? path.replace(/^.*node_modules\//, '')}@${version}`);

    const { debian, node } = PINS.arm64;
    const runtime = `node@${node.version}`;
    const system = debian.map(({ name, version }) => `${name}@${version}`);

    const listed = bom.components.map(({ name, version }) => `${name}@${version}`);
    expect(bom.bomFormat).to.equal('CycloneDX');
    expect(bom.metadata.component).to.include({ type: 'application', name: 'chain-middleware' });
    expect(listed).to.deep.equal([...new Set([...installed, runtime, ...system])].sort());
    // Every part other than the runtime, licences and release name is needed by another part of the list.
    const needed = new Set(bom.dependencies.flatMap(({ dependsOn }) => dependsOn));
    expect(listed.filter((ref) => !needed.has(ref))).to.deep.equal([
      ...system.filter((ref) => !ref.startsWith('lib')),
      runtime,
    ]);
    expect(bom.components.find(({ name }) => name === 'libstdc++6')).to.include({
      purl: `pkg:deb/debian/libstdc%2B%2B6@${encodeURIComponent(debian.at(-1)!.version)}?arch=arm64&distro=debian-12`,
    });
    expect(billOfMaterials('arm64')).to.deep.equal(bom);
    expect(billOfMaterials('amd64').serialNumber).not.to.equal(bom.serialNumber);
  });
});
