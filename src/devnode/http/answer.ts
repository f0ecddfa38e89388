/** What the node says to a request; headers follow from it. */
export interface Answer {
  status: number;
  /** Absent for an answer without a body. */
  body?: Buffer | string;
  /** Methods of a path, for 405. */
  allow?: string;
  /** Seconds after which to try again. */
  retryAfter?: number;
  /** The node crashed on this request: it sends none of its usual headers. */
  bare?: boolean;
}

export const ok = (body: Buffer | string): Answer => ({ status: 200, body });

export const NOT_FOUND: Answer = { status: 404 };
/** What a handler did not foresee. */
export const INTERNAL_ERROR: Answer = { status: 500, body: '{"reason":"Internal server error"}' };
export const CRASHED: Answer = { status: 500, bare: true };

/** `{"reason"}` with the `error_code` that newer nodes add in many places. */
export function refused(status: number, reason: string, code?: string): Answer {
  return { status, body: JSON.stringify(code === undefined ? { reason } : { error_code: code, reason }) };
}

/** A path or query parameter that fails the schema; `data` is JSON text. */
export function invalid(parameter: string, error: 'wrong_type' | 'not_in_range' | 'not_in_enum', data: string): Answer {
  return {
    status: 400,
    body: `{"info":{"data":${data},"error":"${error}"},"parameter":"${parameter}","reason":"validation_error"}`,
  };
}
