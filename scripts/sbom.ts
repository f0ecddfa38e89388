import { writeFileSync } from 'node:fs';
import { isInImages, readPackages } from './dependencies.js';
import { sha256, sha512Of } from './image/hash.js';
import { DEBIAN_RELEASE, PINS, ownArchitecture } from './image/pins.js';
import type { Architecture, DebianPackage, NodePackage } from './image/pins.js';

interface Locked {
  name?: string;
  version: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

interface Component {
  type: string;
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  licenses?: { license: { id: string } }[] | { expression: string }[];
  hashes?: Hash[];
}

interface Hash {
  alg: string;
  content: string;
}

/**
 * The contents of the image for an architecture, as a CycloneDX document: the packages of package-lock.json that are needed at
 * run time, with their dependencies, Node.js, and the packages of Debian. The same packages give the same document: the serial
 * number is a hash of the content, and the document contains no time.
 */
export function billOfMaterials(architecture: Architecture) {
  const packages = readPackages().locked as Record<string, Locked>;
  const inImage = Object.entries(packages).filter(([, locked]) => isInImages(locked));
  const refs = new Map(inImage.map(([path, locked]) => [path, `${nameOf(path, locked)}@${locked.version}`]));

  const components = inImage.map(([path, locked]) => component(nameOf(path, locked), locked));
  const dependencies = inImage.map(([path, { dependencies = {}, optionalDependencies = {} }]) => ({
    ref: refs.get(path)!,
    dependsOn: Object.keys({ ...dependencies, ...optionalDependencies })
      .flatMap((name) => refs.get(resolve(path, name, packages) ?? '-') ?? [])
      .sort(),
  }));
  const { debian, node } = PINS[architecture];
  const system = debian.map((one) => debianComponent(one, architecture));
  const runtime = {
    ref: nodeComponent(node)['bom-ref'],
    dependsOn: system.map((one) => one['bom-ref']).filter((ref) => ref.startsWith('lib')),
  };
  const [application, ...libraries] = components;
  const content = {
    metadata: { component: { ...application!, type: 'application' } },
    components: unique([...libraries, nodeComponent(node), ...system], (one) => one['bom-ref']),
    dependencies: unique([...dependencies, runtime], ({ ref }) => ref),
  };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
    ...content,
  };
}

const nameOf = (path: string, { name }: Locked): string => name ?? path.replace(/^.*node_modules\//, '');

function component(name: string, { version, license, integrity }: Locked): Component {
  return {
    type: 'library',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license !== undefined && {
      licenses: /[ (]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }],
    }),
    ...(integrity?.startsWith('sha512-') === true && { hashes: [hashOf(integrity)] }),
  };
}

const hashOf = (integrity: string): Hash => ({
  alg: 'SHA-512',
  content: sha512Of(integrity),
});

/** The hash is that of the npm package that contains Node.js. */
const nodeComponent = ({ version, integrity }: NodePackage): Component => ({
  type: 'platform',
  'bom-ref': `node@${version}`,
  name: 'node',
  version,
  purl: `pkg:generic/node@${version}`,
  hashes: [hashOf(integrity)],
});

/** The hash is that of the file of the package. */
const debianComponent = ({ name, version, sha256 }: DebianPackage, architecture: Architecture): Component => ({
  type: 'library',
  'bom-ref': `${name}@${version}`,
  name,
  version,
  purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=debian-${DEBIAN_RELEASE}`,
  hashes: [{ alg: 'SHA-256', content: sha256 }],
});

/** Path of a dependency as Node.js finds it: in the folder of the package, or in a folder above. */
function resolve(from: string, name: string, packages: Record<string, Locked>): string | undefined {
  for (let at = from; ; at = at.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (at === '') return undefined;
  }
}

const unique = <T>(all: T[], key: (one: T) => string): T[] =>
  [...new Map(all.map((one) => [key(one), one])).values()].sort((a, b) => (key(a) < key(b) ? -1 : 1));

/** A UUID of version 8, whose bits can be chosen freely. */
function uuidOf(text: string): string {
  const hex = sha256(text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

if (process.argv[1]?.endsWith('sbom.ts')) {
  const [, , file] = process.argv;
  const text = `${JSON.stringify(billOfMaterials(ownArchitecture()), null, 2)}\n`;
  if (file === undefined) process.stdout.write(text);
  else writeFileSync(file, text);
}
