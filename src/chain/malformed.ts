/** The input does not follow the protocol or the node's API. The message names the wrong field. */
export class MalformedError extends Error {
  override readonly name = 'MalformedError';
}
