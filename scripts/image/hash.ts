import { createHash } from 'node:crypto';

/** In hexadecimal digits. */
export const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');

/** Of an integrity as npm and package-lock.json write it, `sha512-…`, in hexadecimal digits. */
export const sha512Of = (integrity: string): string =>
  Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
