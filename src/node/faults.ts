import { ERRORS, MiddlewareError, isFrom } from '../observe/errors.js';
import type { CodeFrom } from '../observe/errors.js';
import { printable } from '../observe/printable.js';

/** What went wrong between this process and a node. All of them are outages: they say nothing about the chain. */
export type NodeFaultCode = CodeFrom<'node'>;

export type NodeFault = MiddlewareError & { code: NodeFaultCode };

/** Makes control characters in the message printable, because it may repeat text of the node. */
export function nodeFault(
  code: NodeFaultCode,
  message: string,
  extra: { cause?: unknown; details?: Record<string, unknown> } = {},
): NodeFault {
  return new MiddlewareError(code, printable(message), extra) as NodeFault;
}

export const isNodeFault = (error: unknown): error is NodeFault => isFrom('node', error);

/** Milliseconds of the node's `retry-after`; undefined if it sent none. */
export function retryAfterMs(error: unknown): number | undefined {
  const ms = isNodeFault(error) ? error.details['retryAfterMs'] : undefined;
  return typeof ms === 'number' ? ms : undefined;
}

/** Most specific first. In the table, faults that an administrator must correct come before faults that end by themselves. */
const ORDER = Object.keys(ERRORS);

/** The fault that says most about the cause. `faults` must not be empty. */
export function mostSpecific(faults: readonly NodeFault[]): NodeFault {
  return [...faults].sort((a, b) => ORDER.indexOf(a.code) - ORDER.indexOf(b.code))[0]!;
}
