export type Fault = 'bad_request' | 'not_found' | 'conflict' | 'unavailable' | 'internal';

/** Every error raised on purpose. `fault` alone decides HTTP status, exit code and whether to retry; `code` is stable. */
export class MiddlewareError extends Error {
  override readonly name = 'MiddlewareError';
  readonly details: Record<string, unknown>;

  constructor(
    readonly fault: Fault,
    readonly code: string,
    message: string,
    extra: { cause?: unknown; details?: Record<string, unknown> } = {},
  ) {
    super(message, { cause: extra.cause });
    this.details = extra.details ?? {};
  }
}
