import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

interface Locked {
  name?: string;
  version: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  devOptional?: boolean;
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
  hashes?: { alg: string; content: string }[];
}

/**
 * What is in the image, as a CycloneDX document: the packages of package-lock.json that are needed at run time, what
 * each of them needs, and Node.js. The same packages give the same document: its number is made from what it says, and
 * no time is in it.
 */
export function billOfMaterials(nodeVersion: string) {
  const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const inImage = Object.entries(packages).filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true);
  const refs = new Map(inImage.map(([path, locked]) => [path, `${nameOf(path, locked)}@${locked.version}`]));

  const components = inImage.map(([path, locked]) => component(nameOf(path, locked), locked));
  const dependencies = inImage.map(([path, { dependencies = {}, optionalDependencies = {} }]) => ({
    ref: refs.get(path)!,
    dependsOn: Object.keys({ ...dependencies, ...optionalDependencies })
      .flatMap((name) => refs.get(resolve(path, name, packages) ?? '-') ?? [])
      .sort(),
  }));
  const node = { type: 'platform', 'bom-ref': `node@${nodeVersion}`, name: 'node', version: nodeVersion };
  const [application, ...libraries] = components;
  const content = {
    metadata: { component: { ...application!, type: 'application' } },
    components: unique([...libraries, { ...node, purl: `pkg:generic/node@${nodeVersion}` }], (one) => one['bom-ref']),
    dependencies: unique(dependencies, ({ ref }) => ref),
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
  const [algorithm, digest] = integrity?.split('-') ?? [];
  return {
    type: 'library',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license !== undefined && {
      licenses: /[ (]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }],
    }),
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(digest!, 'base64').toString('hex') }],
    }),
  };
}

/** Where a package finds another one: in its own folder, or in one above. */
function resolve(from: string, name: string, packages: Record<string, Locked>): string | undefined {
  for (let at = from; ; at = at.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (at === '') return undefined;
  }
}

const unique = <T>(all: T[], key: (one: T) => string): T[] =>
  [...new Map(all.map((one) => [key(one), one])).values()].sort((a, b) => (key(a) < key(b) ? -1 : 1));

/** A UUID of version 8, whose bits are free. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

if (process.argv[1]?.endsWith('sbom.ts')) {
  const [, , file, nodeVersion = process.versions.node] = process.argv;
  const text = `${JSON.stringify(billOfMaterials(nodeVersion), null, 2)}\n`;
  if (file === undefined) process.stdout.write(text);
  else writeFileSync(file, text);
}
