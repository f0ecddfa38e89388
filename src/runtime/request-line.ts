import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { whenClosed } from './when-closed.js';

/**
 * Answers the requests of each connection one after the other: the next one begins when the answer before it was handed to
 * the network. So a client that sends many requests, and reads no answers, costs the memory of one answer. Node.js alone
 * would begin all of them at once.
 */
export interface RequestLine {
  /** Calls `answer` when it is the request's turn, which for nearly all requests is at once. */
  enter(request: IncomingMessage, response: ServerResponse, answer: () => void): void;
  /** Calls back when all requests before are answered: at once if there are none, never if the connection ends before. */
  whenAnswered(socket: Socket, callback: () => void): void;
  /**
   * Handles bytes that are no request, and requests that come too slowly. `refuse` may answer them only if no answer is
   * under way; otherwise the answers before are finished, and the connection ends.
   */
  malformed(socket: Socket, refuse: () => void): void;
}

/** Max requests of one connection that wait while it is still read. Only then is it noticed that a client leaves. */
const READ_AHEAD = 4;
/** Max requests of one connection that wait. Node.js may read this many from one packet before it can be stopped. */
const MAX_WAITING = 1_000;
/** Max requests of all connections that wait: about 60 MB. Above it, each connection still has `READ_AHEAD` of them. */
const MAX_ALL_WAITING = 10_000;

/** Max listeners for one event of an answer before Node.js warns of a leak: layers, streams and this file each have one. */
const MAX_LISTENERS = 20;

interface Request {
  request: IncomingMessage;
  response: ServerResponse;
  answer: () => void;
}

/** The requests of one connection. */
interface Connection {
  current: Request | undefined;
  waiting: Request[];
  /** Called after the last answer. */
  afterwards: (() => void) | undefined;
  /** Whether the listener that keeps it from reading was added. */
  isGuarded: boolean;
  /** Whether it ends after the last answer. */
  isEnding: boolean;
}

const CONNECTION = Symbol('connection');

/** A property, because a weak map would cost each request more. */
type Tracked = Socket & { [CONNECTION]?: Connection };

export function createRequestLine(): RequestLine {
  let allWaiting = 0;

  function begin(socket: Tracked, connection: Connection, next: Request): void {
    connection.current = next;
    next.response.setMaxListeners(MAX_LISTENERS);
    whenClosed(next.response, () => proceed(socket, connection));
    if (connection.current === next) next.answer();
  }

  function proceed(socket: Tracked, connection: Connection): void {
    if (!socket.writable) return clear(connection);
    const { waiting, afterwards } = connection;
    const next = waiting.shift();
    connection.current = next;
    if (next !== undefined) {
      allWaiting -= 1;
      // Others who wait for the end of the answer before hear of it first: they release what this request may need.
      setImmediate(begin, socket, connection, next);
    }
    if (afterwards === undefined) {
      if (connection.isGuarded && waiting.length < READ_AHEAD) socket.resume();
    } else if (next === undefined) {
      connection.afterwards = undefined;
      afterwards();
    }
  }

  function clear(connection: Connection): void {
    allWaiting -= connection.waiting.length;
    connection.waiting = [];
    connection.current = undefined;
    connection.afterwards = undefined;
  }

  return {
    enter(request, response, answer) {
      const socket: Tracked = request.socket;
      // An answer before it said that it is the last one.
      if (!socket.writable) return;
      const connection = connectionOf(socket);
      const entered = { request, response, answer };
      if (connection.current === undefined) return begin(socket, connection, entered);
      if (connection.waiting.length >= (allWaiting >= MAX_ALL_WAITING ? READ_AHEAD : MAX_WAITING)) {
        clear(connection);
        socket.destroy();
        return;
      }
      allWaiting += 1;
      connection.waiting.push(entered);
      if (connection.waiting.length >= READ_AHEAD) stopReading(socket, connection);
    },
    whenAnswered(socket: Tracked, callback) {
      const connection = connectionOf(socket);
      if (connection.current === undefined) callback();
      else handOver(socket, connection, callback);
    },
    malformed(socket: Tracked, refuse) {
      const connection = connectionOf(socket);
      const { current, waiting } = connection;
      if (current === undefined) return refuse();
      if (!current.request.complete) {
        if (current.response.headersSent) socket.destroy();
        else refuse();
        return;
      }
      if (waiting.at(-1)?.request.complete === false) {
        waiting.pop();
        allWaiting -= 1;
      }
      connection.isEnding = true;
      connection.afterwards = () => socket.destroySoon();
      stopReading(socket, connection);
    },
  };
}

function connectionOf(socket: Tracked): Connection {
  return (socket[CONNECTION] ??= {
    current: undefined,
    waiting: [],
    afterwards: undefined,
    isGuarded: false,
    isEnding: false,
  });
}

/** Stops to read while many requests wait. Node.js resumes after each answer, so it is stopped again then. */
function stopReading(socket: Tracked, connection: Connection): void {
  socket.pause();
  if (connection.isGuarded) return;
  connection.isGuarded = true;
  socket.on('resume', () => {
    if (connection.waiting.length < READ_AHEAD && !connection.isEnding) return;
    socket.pause();
    // The stream may know that it is paused, although Node.js has just begun to read again.
    socket.emit('pause');
  });
}

/** Keeps the socket as it is until the last answer has been sent, then calls back. */
function handOver(socket: Tracked, connection: Connection, callback: () => void): void {
  // Node.js has removed its own listeners, and the bytes that come meanwhile belong to the next reader.
  const keep = (): void => undefined;
  const fail = (): void => void socket.destroy();
  const relay = (): void => void connection.current?.response.emit('drain');
  socket.on('readable', keep).on('error', fail).on('timeout', fail).on('drain', relay);
  connection.afterwards = () => {
    socket.off('readable', keep).off('timeout', fail).off('drain', relay);
    // Until then, the stream does not know that nobody listens for `readable`.
    setImmediate(() => {
      socket.off('error', fail);
      if (!socket.destroyed) callback();
    });
  };
}
