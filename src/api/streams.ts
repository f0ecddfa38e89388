import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { whenClosed } from '../runtime/when-closed.js';

/** The long answers that are being sent: exports, and answers of the node. */
export interface Streams {
  /** Adds an answer; it is removed when it ends. */
  add(response: ServerResponse): void;
  /** Whether a long answer is being sent on this connection, or waits there. */
  has(socket: Socket): boolean;
  hasAny(): boolean;
}

export function createStreams(): Streams {
  /** Number of long answers by connection: some may wait behind another one. */
  const counts = new Map<Socket, number>();
  return {
    add(response) {
      const { socket } = response.req;
      counts.set(socket, (counts.get(socket) ?? 0) + 1);
      whenClosed(response, () => {
        const others = counts.get(socket)! - 1;
        if (others === 0) counts.delete(socket);
        else counts.set(socket, others);
      });
    },
    has: (socket) => counts.has(socket),
    hasAny: () => counts.size > 0,
  };
}
