/** What came in is not what the protocol or the node's interface says it is; the message names the offending field. */
export class MalformedError extends Error {
  override readonly name = 'MalformedError';
}
