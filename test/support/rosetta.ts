/** A Rosetta interface that answers as a recorded node did, or otherwise. */
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { recordedRosetta } from './recorded-money.js';
import type { WithBalances } from './recorded-money.js';

export interface RosettaAnswer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

export interface RosettaServer {
  url: string;
  /** Key block hashes that were asked for. */
  asked: string[];
  /** Answers instead of the recorded answer. */
  change: ((hash: string, recorded: RosettaAnswer) => RosettaAnswer | Promise<RosettaAnswer>) | undefined;
  maxInFlight: number;
  close(): Promise<void>;
}

const UNKNOWN: RosettaAnswer = { status: 500, body: '{"reason":"Internal server error"}' };

export async function startRosetta(of: WithBalances): Promise<RosettaServer> {
  const answers = recordedRosetta(of);
  let inFlight = 0;
  const server = createServer((request, response) => {
    inFlight += 1;
    found.maxInFlight = Math.max(found.maxInFlight, inFlight);
    void bodyOf(request).then(async (body) => {
      const {
        block_identifier: { hash },
      } = JSON.parse(body) as { block_identifier: { hash: string } };
      found.asked.push(hash);
      const recorded: RosettaAnswer = answers.has(hash) ? { status: 200, body: answers.get(hash)! } : UNKNOWN;
      const answer = (await found.change?.(hash, recorded)) ?? recorded;
      inFlight -= 1;
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const found: RosettaServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    change: undefined,
    maxInFlight: 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return found;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
