import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { planeFolder } from './kube-tools.js';

export interface Tunnel {
  /** `127.0.0.1:PORT` of this machine, which is forwarded to an address of the cluster. */
  to(host: string, port: number): Promise<string>;
  close(): void;
}

/** A tunnel to addresses of pods and Services in the network of the real node, which is separate from that of the machine. */
export async function openTunnel(plane: string): Promise<Tunnel> {
  const socket = join(plane, 'tunnel.sock');
  const program = fileURLToPath(new URL('tunnel.mjs', import.meta.url));
  const agent = spawn(join(planeFolder!, 'in-plane'), [plane, process.execPath, program, socket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(agent.stdout, 'data');
  const servers: Server[] = [];
  return {
    async to(host, port) {
      const server = createServer((client) => {
        const inner = connect(socket, () => inner.write(`${host} ${port}\n`));
        client.on('error', () => inner.destroy()).on('close', () => inner.destroy());
        // Data that is still being sent must not be lost.
        inner.on('error', () => client.destroy()).on('close', () => client.destroySoon());
        // The first line contains the address. The data of the client follows it.
        inner.once('connect', () => client.pipe(inner).pipe(client));
      }).listen(0, '127.0.0.1');
      servers.push(server);
      await once(server, 'listening');
      return `127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    close() {
      for (const server of servers) server.close();
      agent.kill();
    },
  };
}
