import { readFileSync } from 'node:fs';

const { name, version: number } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  name: string;
  version: string;
};

/** Version of the service, as `mdw --version` prints it and the status answers it. */
export const version = number;

/** `<name> <version>` */
export const nameAndVersion = `${name} ${number}`;

/**
 * The image of this version, as `make image` writes it and the chart asks for it. The name begins with a host, so that no
 * program completes it by the host of a registry: the kubelet finds the image under the name that it was loaded with.
 */
export const image = `localhost/${name}:${number}`;
