import { MiddlewareError } from '../../observe/errors.js';
import type { Fault } from '../../observe/errors.js';

/** What the API server says when it refuses; `status` is that of HTTP, 0 when there was no answer. */
export class KubeError extends Error {
  override readonly name = 'KubeError';
  /** What came with the refusal, as it came. */
  readonly body: string | undefined;

  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
    /** Time after which it may be asked again, s. */
    readonly retryAfterSeconds?: number,
    extra: { cause?: unknown; body?: string } = {},
  ) {
    super(message, { cause: extra.cause });
    this.body = extra.body;
  }
}

const is =
  (status: number) =>
  (error: unknown): error is KubeError =>
    error instanceof KubeError && error.status === status;

export const isNotFound = is(404);
export const isConflict = is(409);
/** The object would not be valid. */
export const isInvalid = is(422);
/** What a list or watch starts from is no longer kept. */
export const isGone = is(410);

/** A short word for metrics, from a small closed set. */
export function causeOf(error: unknown): string {
  if (!(error instanceof KubeError)) return 'internal';
  const { status } = error;
  if (status === 0) return 'unreachable';
  if (status === 401 || status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 409) return 'conflict';
  if (status === 410) return 'gone';
  if (status === 422 || status === 400) return 'invalid';
  if (status === 429) return 'throttled';
  return status >= 500 ? 'server_error' : 'other';
}

/** For commands: the same in the program's own terms. */
export function asMiddlewareError(error: KubeError): MiddlewareError {
  const faults: Record<number, Fault> = { 0: 'unavailable', 404: 'not_found', 409: 'conflict', 429: 'unavailable' };
  const fault = faults[error.status] ?? (error.status >= 500 ? 'unavailable' : 'bad_request');
  return new MiddlewareError(fault, `kubernetes_${causeOf(error)}`, error.message, { cause: error });
}
