import { MiddlewareError } from '../../observe/errors.js';

/** A refusal of the API server. `status` is the HTTP status, or 0 if there was no answer. */
export class KubeError extends Error {
  override readonly name = 'KubeError';
  /** The body of the refusal, unchanged. */
  readonly body: string | undefined;

  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
    /** Time after which the request may be repeated, s. */
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
export const isForbidden = is(403);
export const isConflict = is(409);
/** An object of the same name exists. */
export const isAlreadyExists = (error: unknown): boolean => isConflict(error) && error.reason === 'AlreadyExists';
/** The object is invalid. */
export const isInvalid = is(422);
/**
 * Whether the same object would be refused again, because the API server cannot read it or names faulty fields. Refusals by
 * policies and quotas name no fields; others may change these.
 */
export function isLastingRefusal(error: unknown): error is KubeError {
  if (!(error instanceof KubeError)) return false;
  if (error.status === 400) return true;
  const causes = isInvalid(error) ? causesIn(error.body) : [];
  return causes.length > 0 && causes.every(({ field }) => field !== undefined);
}

/** Whether a write was refused because the namespace is being deleted, with everything in it. */
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

/** The version from which a list or watch was to start has expired. */
export const isGone = is(410);

/** Causes of errors, as labels for metrics. */
export const CAUSES = [
  'unreachable',
  'forbidden',
  'not_found',
  'conflict',
  'gone',
  'invalid',
  'throttled',
  'server_error',
  'other',
  'internal',
] as const;

export const causeOf = (error: unknown): (typeof CAUSES)[number] =>
  error instanceof KubeError ? kindOf(error.status) : 'internal';

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

/** The error with a code that commands can report. */
export function asMiddlewareError(error: KubeError): MiddlewareError {
  return new MiddlewareError(`kubernetes_${kindOf(error.status)}`, error.message, { cause: error });
}
