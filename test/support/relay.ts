import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A fixed address of a server that may be stopped, restarted or replaced. */
export interface Relay {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Refuses connections from now on. Open connections are closed. */
  shut(): Promise<void>;
  open(): Promise<void>;
  /** Forwards to another server from now on. Open connections are closed. */
  lead(to: string): void;
  /** Open connections, except the first, stay open without another byte, as those to a machine that lost its power. */
  freezeAllButFirst(): void;
}

/** Forwards every byte to the server at `target`. */
export async function startRelay(target: string): Promise<Relay> {
  const sockets = new Set<Socket>();
  const pairs: (readonly [Socket, Socket])[] = [];
  let port = 0;
  let server: Server | undefined;
  const pass = (socket: Socket): void => {
    const { hostname, port: at } = new URL(target);
    const other = connect(Number(at), hostname);
    pairs.push([socket, other]);
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(from);
      from
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
      from.pipe(to);
    }
  };
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const relay: Relay = {
    url: '',
    async shut() {
      if (server === undefined) return;
      const closed = once(server, 'close');
      server.close();
      server = undefined;
      breakAll();
      await closed;
    },
    async open() {
      server = createServer(pass).listen(port, '127.0.0.1');
      await once(server, 'listening');
      ({ port } = server.address() as AddressInfo);
    },
    lead(to) {
      target = to;
      breakAll();
    },
    freezeAllButFirst() {
      for (const socket of pairs.slice(1).flat()) socket.unpipe().pause();
    },
  };
  await relay.open();
  return Object.assign(relay, { url: `http://127.0.0.1:${port}` });
}
