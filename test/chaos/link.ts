import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A fault of a network link between two programs. */
export type LinkFault =
  | { kind: 'cut' }
  /** Connections stay open, but no data pass. */
  | { kind: 'frozen' }
  | { kind: 'slow'; delayMs: number }
  | { kind: 'narrow'; bytesPerSecond: number };

/** A network link to an address. It can be cut, frozen, slow or narrow. */
export interface Link {
  port: number;
  /** Sets the fault; undefined ends it, and delayed data pass. */
  suffer(fault: LinkFault | undefined): void;
  close(): void;
}

export async function openLink(target: number): Promise<Link> {
  const sockets = new Set<Socket>();
  let fault: LinkFault | undefined;
  const waiting = new Set<() => void>();

  /** Resolves when a chunk of so many bytes may pass. */
  async function passThrough(bytes: number): Promise<void> {
    while (fault?.kind === 'frozen') await new Promise<void>((resolve) => waiting.add(resolve));
    if (fault?.kind === 'slow') await pause(fault.delayMs);
    if (fault?.kind === 'narrow') await pause((bytes * 1000) / fault.bytesPerSecond);
  }

  async function pump(from: Socket, to: Socket): Promise<void> {
    try {
      for await (const piece of from) {
        await passThrough((piece as Buffer).length);
        if (!to.write(piece as Buffer)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
      }
      to.end();
    } catch {
      to.destroy();
    }
  }

  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (fault?.kind === 'cut') return void client.destroy();
    const other = connect(target, '127.0.0.1').on('error', () => client.destroy());
    for (const socket of [client, other]) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    void pump(client, other);
    void pump(other, client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const breakAll = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    suffer(next) {
      fault = next;
      for (const go of waiting) go();
      waiting.clear();
      if (next?.kind === 'cut') breakAll();
    },
    close() {
      server.close();
      breakAll();
    },
  };
}
