import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { recording } from './recording.js';

/** The recorded chain on a real port, for programs under test. */
export async function replayServer(): Promise<{ url: string; close(): Promise<void> }> {
  const answers = recording();
  const server = createServer((request, response) => {
    const answer = answers.get(`${request.method} ${request.url}`);
    response.writeHead(answer?.status ?? 404, { 'content-type': 'application/json' });
    response.end(answer?.body ?? '{"reason":"Not recorded"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
