import { readFileSync } from 'node:fs';

const { name, version: number } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  name: string;
  version: string;
};

/** Version of the service, as `mdw --version` and the status answer tell it. */
export const version = number;

/** `<name> <version>` */
export const nameAndVersion = `${name} ${number}`;
