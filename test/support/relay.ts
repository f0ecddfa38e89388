import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A fixed address of a server that may be stopped, restarted or replaced. */
export interface Relay {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Refuses connections from now on. Open connections are closed. */
  shut(): Promise<void>;
  open(): Promise<void>;
  /** Forwards to another server from now on. Open connections are closed. */
  lead(to: string): void;
  /** Forwards new connections to another server. Open connections stay. */
  leadNew(to: string): void;
  /** Refuses new connections. Open connections stay. */
  refuseNew(): void;
  /** Open connections, except the first, stay open without another byte, as those to a machine that lost its power. */
  freezeAllButFirst(): void;
  /**
   * From now on no byte passes on open connections, in either direction, and none is closed, not even when one side closes its end: a
   * firewall that forgot them. New connections work, unless all are silent, as after a failover that left the address behind. If only
   * new ones are silent, open ones work.
   */
  silence(which?: 'open' | 'new' | 'all'): void;
  /** New connections work again. Those that were silent stay silent. */
  endSilence(): void;
  /**
   * Makes a connection silent when its client has sent certain bytes: they are lost, or they arrive and only the answer is lost.
   * Resolves then.
   */
  silenceWhen(fits: (sent: Buffer) => boolean, bytes: 'lost' | 'arrive'): Promise<void>;
}

interface Moment {
  fits: (sent: Buffer) => boolean;
  bytes: 'lost' | 'arrive';
  reached: () => void;
}

/** Forwards every byte to the server at `target`. */
export async function startRelay(target: string): Promise<Relay> {
  const sockets = new Set<Socket>();
  const pairs: (readonly [Socket, Socket])[] = [];
  let port = 0;
  let server: Server | undefined;
  const silent = new Set<Socket>();
  let isSilent = false;
  let moment: Moment | undefined;
  const mute = (pair: readonly Socket[]): void => {
    for (const end of pair) {
      silent.add(end);
      end.unpipe().pause();
    }
  };
  const pass = (socket: Socket): void => {
    const { hostname, port: at } = new URL(target);
    const other = connect(Number(at), hostname);
    const pair = [socket, other] as const;
    pairs.push(pair);
    const sent = new Transform({
      transform(chunk: Buffer, _, done) {
        const now = moment?.fits(chunk) === true ? moment : undefined;
        if (now !== undefined) {
          moment = undefined;
          if (now.bytes === 'arrive') other.write(chunk);
          mute(pair);
          now.reached();
        }
        done(null, silent.has(other) ? undefined : chunk);
      },
    });
    for (const [from, to] of [pair, [other, socket]] as const) {
      sockets.add(from);
      from
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(from);
          if (!silent.has(from)) to.destroy();
        });
    }
    socket.pipe(sent).pipe(other);
    other.pipe(socket);
    if (isSilent) mute(pair);
  };
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const relay: Relay = {
    url: '',
    async shut() {
      const closed = server?.listening === true ? once(server, 'close') : undefined;
      server?.close();
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
    leadNew(to) {
      target = to;
    },
    refuseNew() {
      server?.close();
    },
    freezeAllButFirst() {
      for (const socket of pairs.slice(1).flat()) socket.unpipe().pause();
    },
    silence(which = 'open') {
      isSilent = which !== 'open';
      if (which !== 'new') for (const pair of pairs) mute(pair);
    },
    endSilence() {
      isSilent = false;
    },
    silenceWhen: (fits, bytes) => new Promise((reached) => (moment = { fits, bytes, reached })),
  };
  await relay.open();
  return Object.assign(relay, { url: `http://127.0.0.1:${port}` });
}
