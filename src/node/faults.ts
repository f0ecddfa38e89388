import { ERRORS, MiddlewareError, isFrom } from '../observe/errors.js';
import type { CodeFrom } from '../observe/errors.js';
import { printable } from '../observe/printable.js';

/** What went wrong between here and a node. All of them are outages: nothing may be concluded about the chain. */
export type NodeFaultCode = CodeFrom<'node'>;

export type NodeFault = MiddlewareError & { code: NodeFaultCode };

/** The message may repeat what the node answered. */
export function nodeFault(
  code: NodeFaultCode,
  message: string,
  extra: { cause?: unknown; details?: Record<string, unknown> } = {},
): NodeFault {
  return new MiddlewareError(code, printable(message), extra) as NodeFault;
}

export const isNodeFault = (error: unknown): error is NodeFault => isFrom('node', error);

/** Milliseconds the node asked to be left alone, if it did. */
export function retryAfterMs(error: unknown): number | undefined {
  const asked = isNodeFault(error) ? error.details['retryAfterMs'] : undefined;
  return typeof asked === 'number' ? asked : undefined;
}

/** What an administrator must correct comes before what passes by itself: the order of the table. */
const WEIGHT = Object.keys(ERRORS);

/** Of several failures the one that says most about the cause. `faults` must not be empty. */
export function mostSpecific(faults: readonly NodeFault[]): NodeFault {
  return [...faults].sort((a, b) => WEIGHT.indexOf(a.code) - WEIGHT.indexOf(b.code))[0]!;
}
