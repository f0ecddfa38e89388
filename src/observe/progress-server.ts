import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MiddlewareError } from './errors.js';

export interface ProgressServer {
  address: AddressInfo;
  /** Heights done, and all there are. */
  tell(done: number, total: number): void;
  close(): void;
}

/**
 * Tells under `/readyz` how far work with an end is, in the form in which servers and populators tell of themselves.
 * Throws when the address cannot be had.
 */
export async function serveProgress({ host, port }: { host: string; port: number }): Promise<ProgressServer> {
  let told = { done: 0, total: 0 };
  const server = createServer((request, response) => {
    const isKnown = request.url === '/readyz' || request.url === '/healthz';
    const body = isKnown ? JSON.stringify({ ready: true, ...told }) : '{"reason":"Not found"}';
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json', connection: 'close' }).end(body);
  });
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (cause) {
    const reason = `PROGRESS_ADDRESS ${host}:${port} cannot be listened on (${(cause as NodeJS.ErrnoException).code})`;
    throw new MiddlewareError('unavailable', 'address_unavailable', reason, { cause });
  }
  // Whoever asks must not keep the work from ending.
  server.unref();
  return {
    address: server.address() as AddressInfo,
    tell: (done, total) => (told = { done, total }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
