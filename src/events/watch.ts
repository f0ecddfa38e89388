import { WebSocket } from 'ws';
import { maskLogins } from '../config/masks.js';
import { backoffMs } from '../runtime/backoff.js';
import { waitOrAbort } from '../runtime/repeat.js';

interface WatchOptions {
  /** Servers of the same chain. When the connection is lost, the next one is tried. */
  urls: readonly string[];
  /** Kinds of events, and identifiers of objects. */
  subscriptions: string[];
  since?: string | undefined;
  from?: number | undefined;
  /** Called with the text of each event. */
  onFrame: (frame: string) => void;
  /** Called with messages for people, for example about a lost connection. */
  onNotice: (notice: string) => void;
  /** Called with the address, without credentials, when the subscriptions of a connection begin. */
  onConnected?: (url: string) => void;
  signal: AbortSignal;
}

const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
/** Max time without anything from the service, ms. The service pings every 20 s, so the connection is dead then. */
const MAX_SILENCE_MS = 45_000;
/** Max time until a connection is open, ms: something may accept it and say nothing. */
const OPENING_MS = 10_000;
/** Max time for the answer to our closing frame, ms. */
const CLOSING_MS = 1_000;

/**
 * Follows events until it is aborted. When the connection is lost, it reconnects and continues after the last event. Throws
 * the message of the service if that refuses the first subscription.
 */
export async function watchEvents(options: WatchOptions): Promise<void> {
  const { urls, onNotice, signal } = options;
  const start = { since: options.since, from: options.from, accepted: false };
  for (let failures = 0, attempt = 0; !signal.aborted; failures++, attempt++) {
    const wasAccepted = start.accepted;
    const result = await follow(urls[attempt % urls.length]!, options, start);
    if (signal.aborted) return;
    if (result.refused !== undefined) {
      if (!wasAccepted) throw new Error(result.refused);
      onNotice(`Events may be missing from here: ${result.refused}`);
      Object.assign(start, { since: undefined, from: undefined });
    }
    if (result.subscribed) failures = 0;
    const wait = backoffMs(failures, MIN_PAUSE_MS, MAX_PAUSE_MS) * (0.5 + Math.random());
    onNotice(`${result.reason}; trying again in ${Math.round(wait)} ms`);
    await waitOrAbort(wait, signal);
  }
}

/** The point from which the next connection begins. Each event moves it. */
interface StartPoint {
  since: string | undefined;
  from: number | undefined;
  /** Whether the service has ever accepted a subscription. */
  accepted: boolean;
}

/** How a connection ended. */
interface ConnectionEnd {
  reason: string;
  /** Whether the service had accepted the subscription. */
  subscribed: boolean;
  /** The message with which it refused the subscription; absent if it did not. */
  refused?: string;
}

/** Opens one connection and reads events until it ends. */
function follow(
  url: string,
  { subscriptions, onFrame, onConnected, signal }: WatchOptions,
  start: StartPoint,
): Promise<ConnectionEnd> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { handshakeTimeout: OPENING_MS });
    let subscribed = false;
    let reason = 'Connection lost';
    let refused: string | undefined;
    let silence: NodeJS.Timeout | undefined;
    const restartTimer = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => socket.terminate(), MAX_SILENCE_MS);
    };
    const stop = (): void => {
      socket.close(1000);
      setTimeout(() => socket.terminate(), CLOSING_MS).unref();
    };
    signal.addEventListener('abort', stop, { once: true });

    socket.on('open', () => {
      restartTimer();
      const { since, from } = start;
      socket.send(JSON.stringify({ op: 'subscribe', subscriptions, cursors: true, reply: 'lean', since, from }));
    });
    socket.on('ping', restartTimer);
    socket.on('message', (data: Buffer) => {
      restartTimer();
      const text = data.toString();
      const frame = read(text);
      if (frame === undefined) return;
      if (typeof frame['error'] === 'string') {
        refused = frame['error'];
        socket.close(1000);
        return;
      }
      if (frame['ok'] !== undefined) {
        if (!subscribed) onConnected?.(maskLogins(url));
        subscribed = true;
        start.accepted = true;
      } else if (frame['subscription'] !== undefined) onFrame(text);
      if (typeof frame['cursor'] === 'string') Object.assign(start, { since: frame['cursor'], from: undefined });
    });
    socket.on(
      'error',
      (error) => (reason = `${maskLogins(url)}: ${error.message || (error as NodeJS.ErrnoException).code}`),
    );
    socket.on('close', (code, text) => {
      clearTimeout(silence);
      signal.removeEventListener('abort', stop);
      if (text.length > 0) reason = `Connection closed (${code}: ${text.toString()})`;
      resolve({ reason, subscribed, ...(refused !== undefined && { refused }) });
    });
  });
}

/** Reads a message; undefined if it is not JSON, as a greeting may be. */
function read(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
