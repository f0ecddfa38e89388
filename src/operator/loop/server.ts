import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Address } from '../../config/checks.js';
import { createRequestLine } from '../../runtime/request-line.js';
import type { Operator } from './operator.js';
import type { OperatorMetrics } from '../metrics.js';

/** Serves `/metrics`, `/healthz` and `/readyz` of the operator. `/healthz` does not depend on the API server. */
export async function serveHealth(
  { host, port }: Address,
  operator: () => Operator | undefined,
  metrics: OperatorMetrics,
): Promise<{ address: AddressInfo; close(): Promise<void> }> {
  const answer = async (path: string): Promise<[status: number, type: string, body: string]> => {
    if (path === '/healthz') return [200, 'application/json', '{"alive":true}'];
    if (path === '/readyz') {
      const [ready, leader] = [operator()?.ready() === true, operator()?.acts() === true];
      const reason = ready ? undefined : 'the cache of the cluster is not up to date';
      return [ready ? 200 : 503, 'application/json', JSON.stringify({ ready, leader, reason })];
    }
    if (path === '/metrics') {
      operator()?.measure();
      return [200, metrics.registry.contentType, await metrics.registry.metrics()];
    }
    return [404, 'application/json', '{"reason":"There are /metrics, /healthz and /readyz"}'];
  };
  const line = createRequestLine();
  const server = createServer((request, response) =>
    line.enter(request, response, () => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      answer(path).then(
        ([status, type, body]) =>
          response.writeHead(status, { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' }).end(body),
        () => response.writeHead(500).end(),
      );
    }),
  );
  server.listen({ host, port });
  await once(server, 'listening');
  return {
    address: server.address() as AddressInfo,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
