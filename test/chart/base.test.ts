import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInImages, readPackages } from '../../scripts/dependencies.js';
import { fetchBase, fetchDebian, fetchNode } from '../../scripts/image/fetch.js';
import { ARCHITECTURES, PINS } from '../../scripts/image/pins.js';
import { makeSystem } from '../../scripts/image/system.js';
import { inRoot } from '../support/image-root.js';
import { describeWith, missingTools } from '../support/kube-tools.js';
import { skipFor } from '../support/skip.js';

const folderOf = (name: string): string => mkdtempSync(join(tmpdir(), `mdw-${name}-`));

describe('a pinned package of Debian', () => {
  const content = Buffer.from('content of a package');
  const pinned = {
    name: 'libx++',
    version: '1+2',
    path: 'pool/main/x/libx++_1+2_amd64.deb',
    sha256: createHash('sha256').update(content).digest('hex'),
  };
  const asked: string[] = [];
  let server: Server;
  let host: string;
  let cache: string;

  before(async () => {
    server = createServer(({ url }, answer) => {
      asked.push(url!);
      if (url!.startsWith('/gone/')) answer.writeHead(404).end();
      else answer.end(url!.startsWith('/changed/') ? 'another content' : content);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());
  beforeEach(() => {
    cache = folderOf('cache');
    asked.length = 0;
  });
  afterEach(() => rmSync(cache, { recursive: true }));

  const fetched = (...archives: string[]): Promise<string> =>
    fetchDebian(
      pinned,
      cache,
      archives.map((archive) => `${host}/${archive}`),
    );

  it('is fetched once, from the archive that has it', async () => {
    const file = await fetched('gone', 'kept');

    expect(readFileSync(file)).to.deep.equal(content);
    expect(await fetched('gone', 'kept')).to.equal(file);
    expect(asked).to.deep.equal(
      ['gone', 'kept'].map((archive) => `/${archive}/pool/main/x/libx%2B%2B_1%2B2_amd64.deb`),
    );
  });

  it('is fetched again when the cached file has another hash', async () => {
    writeFileSync(await fetched('kept'), 'spoilt');

    expect(readFileSync(await fetched('kept'))).to.deep.equal(content);
    expect(asked).to.have.length(2);
  });

  it('is refused when no archive has it with the pinned hash, with the answer of each archive', async () => {
    const refused = await fetched('gone', 'changed').then(
      () => '',
      (error: Error) => error.message,
    );

    expect(refused).to.match(/^libx\+\+_1\+2_amd64\.deb could not be fetched:\n/);
    expect(refused).to.match(/gone\/.*: status 404\n.*changed\/.*: its sha256 is [0-9a-f]{64} instead of /);
    expect(readdirSync(cache)).to.deep.equal([]);
  });
});

describe('a pinned package of Node.js', () => {
  it('is used from the cache only if it has the pinned hash', () => {
    const cache = folderOf('cache');
    try {
      const content = 'content of a package';
      const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
      // No registry has it.
      const pinned = { name: 'node-linux-none', version: 'not/a/version', integrity };
      mkdirSync(join(cache, 'node-linux-none-not/a'), { recursive: true });
      const file = join(cache, `${pinned.name}-${pinned.version}.tgz`);
      writeFileSync(file, content);

      expect(fetchNode(pinned, cache)).to.equal(file);
      writeFileSync(file, 'spoilt');
      expect(() => fetchNode(pinned, cache)).to.throw();
    } finally {
      rmSync(cache, { recursive: true });
    }
  });
});

describe('the pins', () => {
  it('have the same versions for every architecture', () => {
    const versions = ARCHITECTURES.map((architecture) => {
      const { debian, node } = PINS[architecture];
      return [...debian.map(({ name, version }) => `${name} ${version}`), node.version];
    });

    for (const other of versions) expect(other).to.deep.equal(versions[0]);
  });

  it('are enough for the packages: no package in images depends on the architecture', () => {
    const project = join(import.meta.dirname, '../..');
    const packages = readPackages().locked as Record<string, { cpu?: string[]; dev?: boolean }>;
    const inImages = Object.entries(packages).filter(([path, locked]) => path !== '' && isInImages(locked));
    const native = inImages.filter(
      ([path, { cpu }]) =>
        cpu !== undefined ||
        (existsSync(join(project, path)) &&
          readdirSync(join(project, path), { recursive: true, encoding: 'utf8' }).some((file) => /\.node$/.test(file))),
    );

    expect(native.map(([path]) => path)).to.deep.equal([]);
  });
});

for (const architecture of ARCHITECTURES) {
  describeWith(missingTools('dpkg-deb'), `what the image for ${architecture} runs on`, () => {
    let root: string;

    before(async () => {
      root = folderOf('system');
      await makeSystem(root, await fetchBase(PINS[architecture]));
    });
    after(() => rmSync(root, { recursive: true }));

    it('starts Node.js of the pinned version with only its own files', function () {
      const start = inRoot(root, architecture);
      if (start === undefined) return skipFor('qemu-user-static is not installed', this);

      const script = 'JSON.stringify([process.version, process.arch, process.report.getReport().sharedObjects])';
      const { stdout, stderr } = start(['-p', script]);

      const [started, arch, objects] = JSON.parse(stdout || stderr) as [string, string, string[]];
      expect([started, arch]).to.deep.equal([
        `v${PINS[architecture].node.version}`,
        { amd64: 'x64', arm64: 'arm64' }[architecture],
      ]);
      const foreign = objects.filter((path) => path.startsWith('/') && path.includes('.so') && !path.startsWith(root));
      expect(foreign).to.deep.equal([]);
    });

    it('has the linker at the path that Node.js uses', () => {
      const path = { amd64: 'lib64/ld-linux-x86-64.so.2', arm64: 'lib/ld-linux-aarch64.so.1' }[architecture];
      const target = readlinkSync(join(root, path));
      expect(existsSync(join(root, target.startsWith('/') ? target : join('lib', target))), target).to.equal(true);
      expect(readFileSync(join(root, 'usr/bin/node')).includes(`/${path}\0`)).to.equal(true);
    });

    it('has the licence of each part, and lists its packages for vulnerability scanners', () => {
      for (const { name, version } of PINS[architecture].debian) {
        expect(existsSync(join(root, 'usr/share/doc', name, 'copyright')), name).to.equal(true);
        const status = readFileSync(join(root, 'var/lib/dpkg/status.d', name), 'utf8');
        expect(status).to.contain(`Package: ${name}\n`).and.contain(`Version: ${version}\n`);
        expect(status).to.contain(`Architecture: ${architecture}\n`);
      }
      expect(readFileSync(join(root, 'usr/share/doc/nodejs/LICENSE'), 'utf8')).to.contain('Node.js');
      expect(readFileSync(join(root, 'etc/os-release'), 'utf8')).to.match(/^VERSION_ID="12"$/m);
    });

    it('has no program but Node.js', () => {
      const files = readdirSync(root, { recursive: true, withFileTypes: true });
      const programs = files.filter(({ name, parentPath }) => {
        const path = join(parentPath, name);
        return /(^|\/)s?bin(\/|$)/.test(parentPath.slice(root.length)) && lstatSync(path).isFile();
      });

      expect(programs.map(({ name }) => name)).to.deep.equal(['node']);
    });
  });
}
