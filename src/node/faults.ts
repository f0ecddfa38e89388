import { MiddlewareError } from '../observe/errors.js';

/** What went wrong between here and a node. All of them are outages: nothing may be concluded about the chain. */
export type NodeFaultCode =
  /** No connection, or one that broke. */
  | 'node_unreachable'
  /** No answer, or not all of it, within the time allowed. */
  | 'node_timeout'
  /** An answer outside the node's interface: 5xx, a redirect, a page of some proxy. */
  | 'node_error'
  /** 429 or 503; `retryAfterMs` tells for how long, if the node said so. */
  | 'node_busy'
  /** JSON that is cut off, ill-formed or without the fields it must have; or too much of it. */
  | 'node_malformed'
  /** A well-formed answer to another question: wrong height or wrong hash. */
  | 'node_lies'
  | 'node_wrong_network'
  | 'node_wrong_genesis'
  /** `close` was called or the process is ending. */
  | 'node_closed';

export type NodeFault = MiddlewareError & { code: NodeFaultCode };

export function nodeFault(
  code: NodeFaultCode,
  message: string,
  extra: { cause?: unknown; details?: Record<string, unknown> } = {},
): NodeFault {
  return new MiddlewareError('unavailable', code, message, extra) as NodeFault;
}

export const isNodeFault = (error: unknown): error is NodeFault =>
  error instanceof MiddlewareError && error.code.startsWith('node_');

/** Milliseconds the node asked to be left alone, if it did. */
export function retryAfterMs(error: unknown): number | undefined {
  const asked = isNodeFault(error) ? error.details['retryAfterMs'] : undefined;
  return typeof asked === 'number' ? asked : undefined;
}

/** Most telling first: what an operator has to mend comes before what passes by itself. */
const BY_WEIGHT: readonly NodeFaultCode[] = [
  'node_closed',
  'node_wrong_network',
  'node_wrong_genesis',
  'node_lies',
  'node_malformed',
  'node_busy',
  'node_error',
  'node_timeout',
  'node_unreachable',
];

/** Of several failures the one that tells most. `faults` must not be empty. */
export function mostTelling(faults: readonly NodeFault[]): NodeFault {
  return [...faults].sort((a, b) => BY_WEIGHT.indexOf(a.code) - BY_WEIGHT.indexOf(b.code))[0]!;
}
