import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MiddlewareError } from './errors.js';
import { STARTING } from './startup.js';
import type { Startup } from './startup.js';

export interface ProgressServer {
  address: AddressInfo;
  /** Sets the number of heights done, and of all heights. */
  publish(done: number, total: number): void;
  close(): void;
}

/**
 * Serves the progress of a command under `/readyz`, or why its work has not begun, in the format of servers and populators. Throws
 * `address_unavailable` if it cannot listen on the address.
 */
export async function serveProgress(
  { host, port }: { host: string; port: number },
  startup: Startup,
): Promise<ProgressServer> {
  let progress: { done: number; total: number } | undefined;
  const answers: Record<string, () => [status: number, body: object]> = {
    '/healthz': () => [200, { alive: true }],
    '/readyz': () =>
      progress === undefined
        ? [503, { ready: false, ...(startup.pending() ?? STARTING) }]
        : [200, { ready: true, ...progress }],
  };
  const server = createServer(({ url = '' }, response) => {
    const [status, body] = answers[url]?.() ?? [404, { reason: 'Not found' }];
    const headers = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff', connection: 'close' };
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (cause) {
    const reason = `PROGRESS_ADDRESS ${host}:${port} is not available (${(cause as NodeJS.ErrnoException).code})`;
    throw new MiddlewareError('address_unavailable', reason, { cause });
  }
  // An open connection must not keep the process alive.
  server.unref();
  return {
    address: server.address() as AddressInfo,
    publish: (done, total) => (progress = { done, total }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
