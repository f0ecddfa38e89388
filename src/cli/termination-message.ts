import { writeFileSync } from 'node:fs';
import type { Environment } from '../config.js';

/** How a process ended, for its starter; Kubernetes reads it as the termination message of the container. */
export interface TerminationMessage {
  ok: boolean;
  /** Stable code of a fault. */
  code?: string;
  message?: string;
  [field: string]: unknown;
}

/** The kubelet reads no more than this. */
const MAX_BYTES = 4096;

/** Writes a line of JSON to the file that `TERMINATION_LOG` names; nothing without it, or where it cannot be written. */
export function writeTerminationMessage(env: Environment, message: TerminationMessage): void {
  const file = env['TERMINATION_LOG'];
  if (file === undefined || file === '') return;
  const text = JSON.stringify(message);
  const short = Buffer.byteLength(text) <= MAX_BYTES ? text : JSON.stringify(shortened(message));
  try {
    writeFileSync(file, `${short}\n`);
  } catch {
    // The exit status must be enough then.
  }
}

const shortened = ({ ok, code, message }: TerminationMessage): TerminationMessage => ({
  ok,
  ...(code !== undefined && { code }),
  ...(message !== undefined && { message: message.slice(0, 1000) }),
});
