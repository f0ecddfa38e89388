import { writeFileSync } from 'node:fs';
import type { Environment } from '../config.js';

/** How a process ended, for the program that started it. Kubernetes reads it as the termination message of the container. */
export interface TerminationMessage {
  ok: boolean;
  /** Stable code of a fault. */
  code?: string;
  /** The exit status that belongs to the fault. */
  status?: number;
  message?: string;
  [field: string]: unknown;
}

/** The kubelet reads at most this many bytes. */
const MAX_BYTES = 4096;

/**
 * Writes the message as a line of JSON to the file of `TERMINATION_LOG`, shortened if needed. Does nothing without this
 * variable, or if the file cannot be written. Returns whether it was written.
 */
export function writeTerminationMessage(env: Environment, message: TerminationMessage): boolean {
  const file = env['TERMINATION_LOG'];
  if (file === undefined || file === '') return false;
  const texts = [message, essence(message), shortened(message)].map((one) => JSON.stringify(one));
  const text = texts.find((one) => Buffer.byteLength(one) <= MAX_BYTES) ?? texts.at(-1)!;
  try {
    writeFileSync(file, `${text}\n`);
    return true;
  } catch {
    // The exit status is enough then.
    return false;
  }
}

/**
 * Exit status after a fault that was written. A Job that fails sets off the alerts of its cluster, so with `TERMINATION_LOG_ONLY` the
 * message alone tells the fault. A program that was interrupted fails: the pod of an evicted Job is then replaced.
 */
export const statusAfterMessage = (
  env: Environment,
  { code, interrupted, status }: { code?: string | undefined; interrupted?: unknown; status: number },
): number => {
  const isInterrupted = code === 'interrupted' || interrupted === true;
  return env['TERMINATION_LOG_ONLY'] === 'true' && !isInterrupted ? 0 : status;
};

const essence = ({ ok, code, status, message }: TerminationMessage): TerminationMessage => ({
  ok,
  ...(code !== undefined && { code }),
  ...(status !== undefined && { status }),
  ...(message !== undefined && { message }),
});

const shortened = (whole: TerminationMessage): TerminationMessage => {
  const { message, ...rest } = essence(whole);
  return { ...rest, ...(message !== undefined && { message: message.slice(0, 1000) }) };
};
