import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { recordedKeyBlock, recording } from './recording.js';
import type { Recording } from './recording.js';

interface Answer {
  status: number;
  body: string;
  headers?: Record<string, string>;
  /** How the body comes, if not at once: in single bytes, or its first half before the connection breaks. */
  sent?: 'slowly' | 'half';
}

/** `garbage` is no HTTP. */
export type ReplayAnswer = Answer | 'reset' | 'silence' | 'garbage';

/** Time between two bytes that are sent slowly, ms. */
const SLOW_MS = 20;

const NOT_RECORDED: Answer = { status: 404, body: '{"reason":"Not recorded"}' };

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
    if (answer === 'garbage') return void request.socket.end('\u0000\r\n\r\n');
    const { status, body, headers, sent } = answer ?? NOT_RECORDED;
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...headers,
    });
    if (sent === 'slowly') sendSlowly(response, Buffer.from(body));
    else if (sent === 'half')
      response.write(body.slice(0, body.length / 2), () => void request.socket.resetAndDestroy());
    else response.end(body);
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

function sendSlowly(response: ServerResponse, body: Buffer): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (sent === body.length) response.end();
    else response.write(body.subarray(sent, (sent += 1)));
  }, SLOW_MS);
  response.once('close', () => clearInterval(timer));
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
