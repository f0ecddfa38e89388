/** A request with its body. */
export interface HttpRequest {
  method: string;
  api: 'v2' | 'v3';
  /** Unescaped segments after the prefix: `/v2/debug/names/claim` gives `['debug', 'names', 'claim']`. */
  path: readonly string[];
  /** Text after the question mark; empty if there is none. */
  query: string;
  /** Raw body; empty if there is none. */
  body: Buffer;
  contentType: string | undefined;
}
