/** The files that `make release` writes, built twice from clones of the source. */
import { expect } from 'chai';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { ARCHITECTURES, ownArchitecture } from '../../scripts/image/pins.js';
import type { Architecture } from '../../scripts/image/pins.js';
import { nameAndVersion, version } from '../../src/observe/version.js';
import { cloneSource } from '../support/clones.js';
import type { Clone } from '../support/clones.js';
import { commandsOf } from '../support/documents.js';
import { inRoot } from '../support/image-root.js';
import { describeWith, missingTools, output, run, tool } from '../support/kube-tools.js';
import { skipFor } from '../support/skip.js';

const IMAGE = 'registry.example/team/chain-middleware:1.2.3';
const DOWNLOADS = 'https://downloads.example/chain-middleware';
const PREFIX = `chain-middleware-${version}`;

interface Blob {
  digest: string;
  platform?: { architecture: Architecture };
}

interface Plugin {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: {
    version: string;
    shortDescription: string;
    platforms: { selector: { matchLabels: Record<string, string> }; uri: string; sha256: string; bin: string }[];
  };
}

interface Provenance {
  subject: { name: string; digest: { sha256: string } }[];
  predicate: { buildDefinition: { resolvedDependencies: { digest: Record<string, string> }[] } };
}

const missing = missingTools('helm', 'dpkg-deb', 'git', 'ssh-keygen');

describeWith(missing, 'a release', function () {
  this.timeout(1_200_000);
  const clones: Clone[] = [];
  let scratch: string;
  let release: string;

  before(() => {
    scratch = mkdtempSync(join(tmpdir(), 'mdw-release-'));
    // The folder of helm, which may not be in PATH.
    const path = [join(tool('helm')!, '..'), process.env.PATH].join(delimiter);
    const elsewhere = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', USER: 'somebody' };
    clones.push(cloneSource('one', '022', { PATH: path }));
    clones.push(cloneSource('another-folder-with-a-longer-name', '077', { PATH: path, ...elsewhere }));
    for (const clone of clones) {
      clone.run('npm run build');
      clone.run(`npx tsx scripts/release.ts --image ${IMAGE} --downloads ${DOWNLOADS}`);
    }
    release = join(clones[0]!.folder, 'dist/release');
  });
  after(() =>
    [scratch, ...clones.map(({ folder }) => folder)].forEach((folder) => rmSync(folder, { recursive: true })),
  );

  const read = (file: string): string => readFileSync(join(release, file), 'utf8');
  const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
  const unpack = (archive: string, into: string): string => {
    const folder = join(scratch, into);
    mkdirSync(folder, { recursive: true });
    output('tar', ['-xf', join(release, archive), '-C', folder]);
    return folder;
  };

  it('has the same bytes from two clones, independent of builder and folder', () => {
    const [one, other] = clones.map(({ folder }) => readFileSync(join(folder, 'dist/release/SHA256SUMS'), 'utf8'));

    expect(clones[0]!.commit).to.equal(clones[1]!.commit);
    expect(other).to.equal(one);
  });

  it('has the files that docs/releasing.md lists, with their checksums', () => {
    const files = readdirSync(release).sort();
    const document = readFileSync(new URL('../../docs/releasing.md', import.meta.url), 'utf8');
    const summed = read('SHA256SUMS').trim().split('\n');

    expect(summed).to.deep.equal(
      files
        .filter((file) => file !== 'SHA256SUMS')
        .map((file) => `${sha256(readFileSync(join(release, file)))}  ${file}`)
        .sort(),
    );
    for (const file of files) {
      const [, generic] = /^(.*?)-(?:amd64|arm64|darwin)\./.exec(file.replace(version, 'VERSION')) ?? [, file];
      expect(document, file).to.contain(generic.replace(version, 'VERSION'));
    }
    expect(files).to.have.length(12);
  });

  it('is built only from a commit', () => {
    const { folder, run: inClone } = clones[0]!;
    writeFileSync(join(folder, 'README.md'), 'changed');

    expect(() => inClone('npx tsx scripts/release.ts')).to.throw('there are changes that are in none');
    inClone('git checkout README.md');
  });

  it('is signed and checked as docs/releasing.md says, and the check finds changed files', () => {
    const { folder } = clones[0]!;
    const commands = commandsOf('docs/releasing.md').filter((block) => /ssh-keygen|sha256sum/.test(block));
    const shell = (block: string) => run('bash', ['-ceu', block], { cwd: folder });

    for (const block of commands) {
      const { status, stdout, stderr } = shell(block);
      expect(status, block + stdout + stderr).to.equal(0);
    }
    expect(commands).to.have.length(3);
    const check = commands.at(-1)!;
    for (const file of ['SHA256SUMS', 'install.yaml']) {
      const text = read(file);
      writeFileSync(join(release, file), text.replace('1', '2'));
      expect(shell(check).status, file).not.to.equal(0);
      writeFileSync(join(release, file), text);
    }
    rmSync(join(release, 'SHA256SUMS.sig'));
  });

  it('names the commit and packages from which each file was made', () => {
    const { subject, predicate } = JSON.parse(read('provenance.json')) as Provenance;
    const { resolvedDependencies } = predicate.buildDefinition;
    const index = parse(output('tar', ['-xOf', join(release, `${PREFIX}-image.tar`), 'index.json'])) as {
      manifests: Blob[];
    };

    const digests = Object.fromEntries(subject.map(({ name, digest }) => [name, digest.sha256]));
    const files = readdirSync(release).filter((file) => !['SHA256SUMS', 'provenance.json'].includes(file));
    expect(digests).to.deep.equal({
      ...Object.fromEntries(files.map((file) => [file, sha256(readFileSync(join(release, file)))])),
      [IMAGE]: index.manifests[0]!.digest.replace('sha256:', ''),
    });
    expect(resolvedDependencies[0]).to.deep.equal({ name: 'source', digest: { gitCommit: clones[0]!.commit } });
    // The lock file, and for each architecture five Debian packages and Node.js.
    expect(resolvedDependencies).to.have.length(2 + 2 * 6);
  });

  for (const architecture of ARCHITECTURES) {
    it(`has an image for ${architecture} that starts`, function () {
      const layout = unpack(`${PREFIX}-image.tar`, 'layout');
      const blob = <T>({ digest }: Blob): T =>
        JSON.parse(readFileSync(join(layout, 'blobs', digest.replace(':', '/')), 'utf8')) as T;
      const top = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as { manifests: [Blob] };
      const { manifests } = blob<{ manifests: Blob[] }>(top.manifests[0]);
      const manifest = manifests.find(({ platform }) => platform!.architecture === architecture)!;
      const root = join(scratch, architecture);
      mkdirSync(root);
      for (const { digest } of blob<{ layers: Blob[] }>(manifest).layers) {
        output('tar', ['-xf', join(layout, 'blobs', digest.replace(':', '/')), '-C', root]);
      }
      const started = inRoot(root, architecture);
      if (started === undefined) return skipFor('qemu-user-static is not installed', this);

      expect(started([join(root, 'app/bin/mdw.js'), '--version']).stdout).to.equal(`${nameAndVersion}\n`);
      expect(started([join(root, 'app/bin/mdw.js'), 'crd', '--sample']).stdout).to.contain('kind: Middleware');
    });
  }

  it('has a chart that Helm accepts, and that uses the image without further values', () => {
    const chart = join(release, `${PREFIX}.tgz`);
    output(tool('helm')!, ['lint', '--strict', chart]);
    const rendered = output(tool('helm')!, ['template', 'mdw', chart]);
    const files = output('tar', ['-tzf', chart]).trim().split('\n');
    const packaged = mkdtempSync(join(scratch, 'helm-'));
    output(tool('helm')!, ['package', join(clones[0]!.folder, 'charts/chain-middleware'), '--destination', packaged]);
    const byHelm = output('tar', ['-tzf', join(packaged, `${PREFIX}.tgz`)])
      .trim()
      .split('\n');

    expect(files.filter((file) => !file.endsWith('/')).sort()).to.deep.equal(byHelm.sort());
    for (const text of [rendered, read('install.yaml')]) {
      expect([...new Set(text.match(/image: .*/g))].map((line) => line.replace(/["']/g, ''))).to.deep.equal([
        `image: ${IMAGE}`,
      ]);
      expect(text).to.match(new RegExp(`name: MIDDLEWARE_IMAGE\\s+value: "?${IMAGE}`));
      expect(text).not.to.contain('localhost');
    }
  });

  describe('its plugin of kubectl', () => {
    let plugin: Plugin;

    before(() => (plugin = parse(read('mdw.yaml')) as Plugin));

    it('has a valid manifest for krew', () => {
      const { apiVersion, kind, metadata, spec } = plugin;

      expect({ apiVersion, kind, name: metadata.name }).to.deep.equal({
        apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
        kind: 'Plugin',
        name: 'mdw',
      });
      expect(spec.version).to.equal(`v${version}`);
      expect(spec.shortDescription).to.match(/^\S[^\r\n]{1,49}$/);
      // Each platform has one archive.
      const platforms = spec.platforms.map(({ selector }) => selector.matchLabels);
      expect(platforms).to.have.deep.members([
        { os: 'darwin' },
        { os: 'linux', arch: 'amd64' },
        { os: 'linux', arch: 'arm64' },
      ]);
      for (const { uri, sha256: sum } of spec.platforms) {
        expect(uri.startsWith(`${DOWNLOADS}/kubectl-mdw-`)).to.equal(true);
        expect(sum).to.equal(sha256(readFileSync(join(release, uri.slice(DOWNLOADS.length + 1)))));
      }
    });

    it('has a licence and the program in each archive', () => {
      for (const { uri, bin } of plugin.spec.platforms) {
        const folder = unpack(uri.slice(DOWNLOADS.length + 1), `plugin-${uri.split('/').at(-1)}`);
        expect(statSync(join(folder, bin)).mode & 0o111, uri).to.equal(0o111);
        expect(existsSync(join(folder, 'LICENSE'))).to.equal(true);
        expect(existsSync(join(folder, 'bin/node'))).to.equal(uri.includes('linux'));
      }
    });

    it('is run by kubectl, without Node.js on the machine', function () {
      const kubectl = tool('kubectl');
      if (kubectl === undefined) return skipFor('kubectl is not here', this);
      const folder = unpack(`kubectl-mdw-${version}-linux-${ownArchitecture()}.tar.gz`, 'installed');
      const path = join(scratch, 'bin');
      mkdirSync(path);
      // PATH has the plugin, as krew installs it, and the tools of its script, but no Node.js.
      symlinkSync(join(folder, 'bin/kubectl-mdw'), join(path, 'kubectl-mdw'));
      for (const name of ['sh', 'dirname', 'readlink']) symlinkSync(tool(name)!, join(path, name));
      const ran = (...args: string[]) => run(kubectl, ['mdw', ...args], { env: { PATH: path, HOME: scratch } });

      expect(ran('--version')).to.include({ status: 0, stdout: `${nameAndVersion}\n`, stderr: '' });
      expect(ran('crd', '--sample').stdout).to.contain('kind: Middleware');
    });
  });

  it('has a bill of materials for each architecture', () => {
    for (const architecture of ARCHITECTURES) {
      const bom = JSON.parse(read(`${PREFIX}-linux-${architecture}.cdx.json`)) as { components: { purl: string }[] };
      const debian = bom.components.filter(({ purl }) => purl.startsWith('pkg:deb/'));
      expect(debian).to.have.length(5);
      for (const { purl } of debian) expect(purl).to.contain(`?arch=${architecture}&`);
    }
  });

  it('has a bundle below the max size of the manager, with the objects of install.yaml', () => {
    expect(statSync(join(release, `${PREFIX}-olm-bundle.tar.gz`)).size).to.be.below(1 << 20);
    const kinds = parseAllDocuments(read('install.yaml')).map((one) => (one.toJS() as { kind: string }).kind);
    expect(kinds).to.include.members(['CustomResourceDefinition', 'Deployment', 'ClusterRole', 'Role']);
  });
});
