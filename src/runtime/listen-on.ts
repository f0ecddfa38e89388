import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { MiddlewareError } from '../observe/errors.js';

/**
 * Max connections that wait to be accepted; the kernel may allow fewer (`net.core.somaxconn`). It drops those above, and clients try again
 * only after seconds. All clients of websockets connect again at once when a server is replaced.
 */
const BACKLOG = 4096;

/** Listens on an address, which `variable` sets. Throws `address_unavailable`. */
export async function listenOn(
  server: Server,
  { host, port }: { host: string; port: number },
  variable: string,
): Promise<AddressInfo> {
  try {
    server.listen({ host, port, backlog: BACKLOG });
    await once(server, 'listening');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${code})`;
    throw new MiddlewareError('address_unavailable', `${variable} ${host}:${port} ${reason}`, { cause });
  }
  return server.address() as AddressInfo;
}
