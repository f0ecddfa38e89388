import { readFileSync } from 'node:fs';
import { image, version } from '../../src/observe/version.js';

/** Where what is released will be. */
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

/** What all parts of a release say of it. */
export const ABOUT = { name, title: 'Chain Middleware', version, description, image } as const;

/** Beginning of the names of files. */
export const PREFIX = `${name}-${version}`;
