import { readFileSync } from 'node:fs';
import { ROOT } from './root.js';

const { name, version: number } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
  name: string;
  version: string;
};

/** Version of the service, as in `mdw --version` and in the status. */
export const version = number;

/** `<name> <version>` */
export const nameAndVersion = `${name} ${number}`;

/**
 * Name of the image of this version, as `make image` and the chart use it. It begins with a host, so that no program adds the host of a
 * registry: the kubelet then finds the image under the name with which it was loaded.
 */
export const image = `localhost/${name}:${number}`;
