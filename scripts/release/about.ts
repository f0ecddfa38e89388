import { readFileSync } from 'node:fs';
import { image, version } from '../../src/observe/version.js';

/** Where a release will be published. */
export interface Places {
  /** HOST/REPOSITORY:TAG */
  image: string;
  /** URL of the folder with the files of the release. */
  downloads: string;
}

const { name, description } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  name: string;
  description: string;
};

/** Description of the release, used in all its parts. */
export const ABOUT = { name, title: 'Chain Middleware', version, description, image } as const;

/** Prefix of file names. */
export const PREFIX = `${name}-${version}`;
