import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Calls `fn` once, when the answer was sent or its client has left; at once if that has happened before. Returns a function after which
 * `fn` is not called any more.
 */
export function whenClosed(response: ServerResponse, fn: () => void): () => void {
  if (response.destroyed) fn();
  else response.once('close', fn);
  return () => void response.off('close', fn);
}

/** The answers that wait, or waited, behind another one of their connection, in their order. */
const queued = new WeakMap<Socket, ServerResponse[]>();

/**
 * Closes an answer with its connection also if it waits there behind the answer to an earlier request: Node.js closes only the one
 * that is being sent. To be called when the request arrives.
 */
export function closeWithConnection(response: ServerResponse): void {
  if (response.socket !== null) return;
  const { socket } = response.req;
  const known = queued.get(socket);
  if (known !== undefined) {
    while (known[0]?.destroyed === true) known.shift();
    known.push(response);
    return;
  }
  const responses = [response];
  queued.set(socket, responses);
  socket.once('close', () => {
    for (const one of responses) {
      // Sent, or being sent.
      if (one.destroyed || one.socket !== null) continue;
      one.destroy();
      one.emit('close');
    }
  });
}
