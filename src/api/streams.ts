import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Long answers that are sent piece by piece: exports, and downloads from the node. */
export interface Streams {
  begin(response: ServerResponse): void;
  /** Whether one is being sent on this connection now. */
  carries(socket: Socket): boolean;
  open(): boolean;
}

export function createStreams(): Streams {
  const sockets = new Set<Socket>();
  return {
    begin(response) {
      const { socket } = response;
      if (socket === null) return;
      sockets.add(socket);
      response.once('close', () => sockets.delete(socket));
    },
    carries: (socket) => sockets.has(socket),
    open: () => sockets.size > 0,
  };
}
