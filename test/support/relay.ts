import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** An address that stays while what is behind it goes, comes back, or is replaced. */
export interface Relay {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** From now on connections are refused; those that are open break. */
  shut(): Promise<void>;
  open(): Promise<void>;
  /** From now on another server answers here; open connections break. */
  lead(to: string): void;
}

/** Passes every byte on to the server at `target`. */
export async function startRelay(target: string): Promise<Relay> {
  const sockets = new Set<Socket>();
  let port = 0;
  let server: Server | undefined;
  const pass = (socket: Socket): void => {
    const { hostname, port: at } = new URL(target);
    const other = connect(Number(at), hostname);
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
  };
  await relay.open();
  return Object.assign(relay, { url: `http://127.0.0.1:${port}` });
}
