import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The long answers that are being sent: exports, and answers of the node. */
export interface Streams {
  /** Adds an answer; it is removed when it ends. */
  add(response: ServerResponse): void;
  /** Whether a long answer is being sent on this connection. */
  has(socket: Socket): boolean;
  hasAny(): boolean;
}

export function createStreams(): Streams {
  const sockets = new Set<Socket>();
  return {
    add(response) {
      const { socket } = response;
      if (socket === null) return;
      sockets.add(socket);
      response.once('close', () => sockets.delete(socket));
    },
    has: (socket) => sockets.has(socket),
    hasAny: () => sockets.size > 0,
  };
}
