import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PrefixProxy {
  /** `http://127.0.0.1:<port><prefix>` */
  url: string;
  close(): void;
}

/** A proxy that serves another server below a path prefix. */
export async function startPrefixProxy(to: string, prefix: string): Promise<PrefixProxy> {
  const proxy = createServer((req, res) => {
    if (!req.url!.startsWith(`${prefix}/`)) return void res.writeHead(404).end();
    const passed = request(to + req.url!.slice(prefix.length), { headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(res);
      res.once('close', () => answer.destroy());
    });
    passed.end();
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${prefix}`,
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
