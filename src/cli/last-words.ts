import { writeFileSync } from 'node:fs';
import type { Environment } from '../config.js';

/** What a process leaves for those who started it; Kubernetes reads it as the termination message of the container. */
export interface LastWords {
  ok: boolean;
  /** Stable code of a fault. */
  code?: string;
  message?: string;
  [field: string]: unknown;
}

/** The kubelet reads no more than this. */
const LONGEST_BYTES = 4096;

/** Writes a line of JSON to the file that `TERMINATION_LOG` names; nothing without it, or where it cannot be written. */
export function leaveWords(env: Environment, words: LastWords): void {
  const file = env['TERMINATION_LOG'];
  if (file === undefined || file === '') return;
  const text = JSON.stringify(words);
  const short = Buffer.byteLength(text) <= LONGEST_BYTES ? text : JSON.stringify(shortened(words));
  try {
    writeFileSync(file, `${short}\n`);
  } catch {
    // The exit status tells as much as can be told then.
  }
}

const shortened = ({ ok, code, message }: LastWords): LastWords => ({
  ok,
  ...(code !== undefined && { code }),
  ...(message !== undefined && { message: message.slice(0, 1000) }),
});
