/** A proxy in front of a server that notes the path and the status of each request, and passes websockets on. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface NotedRequest {
  method: string;
  /** With the query. */
  path: string;
  status: number;
  body: string;
}

export interface NotingProxy {
  url: string;
  /** Answered requests, oldest first. */
  noted: NotedRequest[];
  /** Paths of the websockets that were opened. */
  websockets: string[];
  close(): void;
}

export async function startNotingProxy(to: string): Promise<NotingProxy> {
  const noted: NotedRequest[] = [];
  const websockets: string[] = [];
  const { hostname, port } = new URL(to);
  const proxy = createServer((req, res) => {
    const { method = '', url = '' } = req;
    const passed = request(to + url, { method, headers: req.headers }, (answer) => {
      const parts: Buffer[] = [];
      const { statusCode: status = 0 } = answer;
      res.writeHead(status, answer.headers);
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => noted.push({ method, path: url, status, body: Buffer.concat(parts).toString() }));
      answer.pipe(res);
    });
    passed.on('error', () => res.destroy());
    req.pipe(passed);
  });
  proxy.on('upgrade', (req, socket) => {
    websockets.push(`${req.url}`);
    const other = connect(Number(port), hostname, () => {
      const headers = req.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : []));
      other.write(`${req.method} ${req.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      socket.pipe(other).pipe(socket);
    });
    for (const end of [socket, other]) end.on('error', () => [socket, other].forEach((one) => one.destroy()));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    noted,
    websockets,
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
