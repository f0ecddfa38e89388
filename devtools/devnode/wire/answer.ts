/** The answer to a request. Its headers are derived from it. */
export interface Answer {
  status: number;
  /** Absent for an answer without a body. */
  body?: Buffer | string;
  /** Allowed methods of the path, for status 405. */
  allow?: string;
  /** Header `retry-after`, seconds. */
  retryAfter?: number;
  /** True if the node crashes on this request and sends none of its usual headers. */
  bare?: boolean;
}

export const ok = (body: Buffer | string): Answer => ({ status: 200, body });

export const NOT_FOUND: Answer = { status: 404 };
/** Answer to an unexpected error in a handler. */
export const INTERNAL_ERROR: Answer = { status: 500, body: '{"reason":"Internal server error"}' };
export const CRASHED: Answer = { status: 500, bare: true };

/** An error answer `{"reason"}`, with the `error_code` that newer nodes often add. */
export function refused(status: number, reason: string, code?: string): Answer {
  return { status, body: JSON.stringify(code === undefined ? { reason } : { error_code: code, reason }) };
}

/** Answer to a path or query parameter that violates the schema. `data` is JSON text. */
export function invalid(parameter: string, error: 'wrong_type' | 'not_in_range' | 'not_in_enum', data: string): Answer {
  return {
    status: 400,
    body: `{"info":{"data":${data},"error":"${error}"},"parameter":"${parameter}","reason":"validation_error"}`,
  };
}
