import { MiddlewareError } from '../../observe/errors.js';

/** What the API server says when it refuses; `status` is that of HTTP, 0 when there was no answer. */
export class KubeError extends Error {
  override readonly name = 'KubeError';
  /** The body of the refusal, unchanged. */
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
/**
 * The same object would be refused again: the API server cannot read it, or names fields of it. Policies and quotas, which
 * others may change, name none.
 */
export function isLastingRefusal(error: unknown): error is KubeError {
  if (!(error instanceof KubeError)) return false;
  if (error.status === 400) return true;
  const causes = isInvalid(error) ? causesIn(error.body) : [];
  return causes.length > 0 && causes.every(({ field }) => field !== undefined);
}

/** The namespace is being deleted: nothing can be made in it any more, and all that is there goes. */
export const isNamespaceTerminating = (error: unknown): boolean =>
  error instanceof KubeError &&
  error.status === 403 &&
  causesIn(error.body).some(({ reason }) => reason === 'NamespaceTerminating');

interface Cause {
  reason?: string;
  field?: string;
}

function causesIn(body = ''): Cause[] {
  try {
    return (JSON.parse(body) as { details?: { causes?: Cause[] } }).details?.causes ?? [];
  } catch {
    return [];
  }
}

/** The version from which a list or watch starts has expired. */
export const isGone = is(410);

/** A short word for metrics, from a small closed set. */
export const causeOf = (error: unknown): string => (error instanceof KubeError ? kindOf(error.status) : 'internal');

function kindOf(status: number) {
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
  return new MiddlewareError(`kubernetes_${kindOf(error.status)}`, error.message, { cause: error });
}
