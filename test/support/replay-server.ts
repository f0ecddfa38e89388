import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { recordedKeyBlock, recording } from './recording.js';
import type { Recording } from './recording.js';

interface Answer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

export type ReplayAnswer = Answer | 'reset' | 'silence';

interface ReplayServer {
  url: string;
  /** Requests so far. */
  asked: string[];
  close(): Promise<void>;
}

/** The recorded chain on a real port, for programs under test. `instead`: other answers than the recorded ones, by path with and without prefix. */
export async function replayServer(
  of: Recording = 'realnode',
  instead: (path: string, url: string) => ReplayAnswer | undefined = () => undefined,
): Promise<ReplayServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url!.replace(/^\/v[23]/, '');
    asked.push(path);
    const answer = instead(path, request.url!) ?? answerOf(`${request.method}`, request.url!, path, of);
    if (answer === 'silence') return;
    if (answer === 'reset') return void request.socket.resetAndDestroy();
    response.writeHead(answer?.status ?? 404, { 'content-type': 'application/json', ...answer?.headers });
    response.end(answer?.body ?? '{"reason":"Not recorded"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Most answers are the same below `/v2` and `/v3`, and recorded only once. */
function answerOf(method: string, url: string, path: string, of: Recording): Answer | undefined {
  const answers = recording(of);
  const answer =
    answers.get(`${method} ${url}`) ?? answers.get(`${method} /v2${path}`) ?? answers.get(`${method} /v3${path}`);
  const height = /^\/key-blocks\/height\/(\d+)$/.exec(path)?.[1];
  if (answer !== undefined || height === undefined || !answers.has(`GET /v2/generations/height/${height}`))
    return answer;
  return { status: 200, body: recordedKeyBlock(Number(height), of) };
}
