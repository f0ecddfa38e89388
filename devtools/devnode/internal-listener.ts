/** The listener of the internal API: recorded answers, or answers from a live chain. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createInternal } from './builders/internal.js';
import type { Source } from './source.js';
import type { ChainStore } from './store/chain-store.js';
import type { Answer } from './wire/answer.js';
import { INTERNAL_ERROR, NOT_FOUND } from './wire/answer.js';
import { TOO_BIG } from './http/posting.js';
import { readBody } from './http/read-body.js';
import type { HttpRequest } from './wire/request.js';
import { unescaped } from './http/router.js';
import { send } from './http/server.js';

export function createInternalListener(
  { internal, internalApi }: Source,
  store: ChainStore,
): (request: IncomingMessage, response: ServerResponse) => void {
  const answerInternal = internalApi === undefined ? undefined : createInternal(internalApi);

  function answerTo(request: IncomingMessage, body: Buffer): Answer {
    const url = request.url ?? '/';
    const known = request.method === 'GET' ? internal(url) : undefined;
    if (known !== undefined || answerInternal === undefined) return known ?? NOT_FOUND;
    const asked = parsed(request, url, body);
    return asked === undefined ? NOT_FOUND : answerInternal(asked);
  }

  return (request, response) => {
    readBody(request).then(
      (body) => {
        const reply = (said: Answer): void => send(response, said, store.height());
        try {
          reply(body === undefined ? TOO_BIG : answerTo(request, body));
        } catch {
          reply(INTERNAL_ERROR);
        }
      },
      () => response.destroy(),
    );
  };
}

function parsed(request: IncomingMessage, url: string, body: Buffer): HttpRequest | undefined {
  const [path, query = ''] = url.split('?', 2);
  const [root, api, ...parts] = path!.split('/');
  if (root !== '' || (api !== 'v2' && api !== 'v3')) return undefined;
  const { method = 'GET', headers } = request;
  return { method, api, path: parts.map(unescaped), query, body, contentType: headers['content-type'] };
}
