import { createHash } from 'node:crypto';

/** SHA-256 in hexadecimal digits. */
export const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');

/** SHA-512 in hexadecimal digits, from an integrity `sha512-…` of npm and package-lock.json. */
export const sha512Of = (integrity: string): string =>
  Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
