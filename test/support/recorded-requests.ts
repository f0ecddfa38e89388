/** Requests of the recordings as the node's own handlers see them. */
import type { HttpRequest } from '../../devtools/devnode/wire/request.js';
import type { RecordedLine } from './realnode.js';

export type Asked = Pick<RecordedLine, 'method' | 'path' | 'port' | 'request_body' | 'note'>;

/** For the message of an assertion. */
export const described = ({ method, path, port, note, request_body }: Asked): string =>
  `${method} ${path} at ${port}${note === undefined ? '' : ` (${note})`} ${request_body ?? ''}`;

/** The request as the API passes it to handlers. */
export function asHandled({ method, path, request_body = '' }: Asked): HttpRequest {
  const url = new URL(path, 'http://node');
  const [, api, ...rest] = url.pathname.split('/');
  return {
    method,
    api: api as 'v2' | 'v3',
    path: rest.map(decodeURIComponent),
    query: url.search.slice(1),
    body: Buffer.from(request_body),
    contentType: request_body === '' ? undefined : 'application/json',
  };
}
