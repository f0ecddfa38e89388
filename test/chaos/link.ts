import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What is wrong with a way between two programs. */
export type Trouble =
  | { kind: 'cut' }
  /** Connections stay, and nothing comes through. */
  | { kind: 'frozen' }
  | { kind: 'slow'; delayMs: number }
  | { kind: 'narrow'; bytesPerSecond: number };

/** A way to an address that can be cut, frozen, made slow or narrow. */
export interface Link {
  port: number;
  /** Undefined: it is well again. What was held back comes through then. */
  suffer(trouble: Trouble | undefined): void;
  close(): void;
}

export async function openLink(target: number): Promise<Link> {
  const sockets = new Set<Socket>();
  let trouble: Trouble | undefined;
  const held = new Set<() => void>();

  /** Until a piece of so many bytes is through. */
  async function passage(bytes: number): Promise<void> {
    while (trouble?.kind === 'frozen') await new Promise<void>((resolve) => held.add(resolve));
    if (trouble?.kind === 'slow') await pause(trouble.delayMs);
    if (trouble?.kind === 'narrow') await pause((bytes * 1000) / trouble.bytesPerSecond);
  }

  async function pump(from: Socket, to: Socket): Promise<void> {
    try {
      for await (const piece of from) {
        await passage((piece as Buffer).length);
        if (!to.write(piece as Buffer)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
      }
      to.end();
    } catch {
      to.destroy();
    }
  }

  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (trouble?.kind === 'cut') return void client.destroy();
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
      trouble = next;
      for (const go of held) go();
      held.clear();
      if (next?.kind === 'cut') breakAll();
    },
    close() {
      server.close();
      breakAll();
    },
  };
}
