import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { backoffMs } from '../runtime/backoff.js';

interface WatchOptions {
  /** Servers of the same chain; after a lost connection the next one is tried. */
  urls: readonly string[];
  /** Entries of a subscription list: kinds and identifiers. */
  subscriptions: string[];
  since?: string | undefined;
  from?: number | undefined;
  /** Called with the frame of each event, unchanged. */
  onFrame: (frame: string) => void;
  /** Called with messages for people, such as a lost connection. */
  onNotice: (notice: string) => void;
  signal: AbortSignal;
}

const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
/** The service pings every 20 s: if it is silent for longer than this, the connection is dead. */
const SILENCE_MS = 45_000;

/**
 * Follows events until aborted: reconnects after every loss of the connection, and continues where it was. Throws the
 * service's own message if it refuses the first subscription.
 */
export async function watchEvents(options: WatchOptions): Promise<void> {
  const { urls, onNotice, signal } = options;
  const place = { since: options.since, from: options.from, known: false };
  for (let failures = 0, turn = 0; !signal.aborted; failures++, turn++) {
    const known = place.known;
    const end = await follow(urls[turn % urls.length]!, options, place);
    if (signal.aborted) return;
    if ('refused' in end) {
      if (!known) throw new Error(end.refused);
      onNotice(`Events may be missing from here: ${end.refused}`);
      Object.assign(place, { since: undefined, from: undefined });
    }
    if (end.subscribed) failures = 0;
    const wait = backoffMs(failures, MIN_PAUSE_MS, MAX_PAUSE_MS) * (0.5 + Math.random());
    onNotice(`${end.why}; trying again in ${Math.round(wait)} ms`);
    await pause(wait, undefined, { signal }).catch(() => undefined);
  }
}

interface Place {
  since: string | undefined;
  from: number | undefined;
  /** Whether the service has accepted it before. */
  known: boolean;
}

type End = { why: string; subscribed: boolean } | { why: string; subscribed: boolean; refused: string };

/** One connection, until it ends. */
function follow(url: string, { subscriptions, onFrame, signal }: WatchOptions, place: Place): Promise<End> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url);
    let subscribed = false;
    let why = 'Connection lost';
    let refused: string | undefined;
    let silence: NodeJS.Timeout | undefined;
    const heard = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => socket.terminate(), SILENCE_MS);
    };
    const stop = (): void => socket.close(1000);
    signal.addEventListener('abort', stop, { once: true });

    socket.on('open', () => {
      heard();
      const { since, from } = place;
      socket.send(JSON.stringify({ op: 'subscribe', subscriptions, cursors: true, reply: 'lean', since, from }));
    });
    socket.on('ping', heard);
    socket.on('message', (data: Buffer) => {
      heard();
      const text = data.toString();
      const frame = read(text);
      if (frame === undefined) return;
      if (typeof frame['error'] === 'string') {
        refused = frame['error'];
        socket.close(1000);
        return;
      }
      if (frame['ok'] !== undefined) {
        subscribed = true;
        place.known = true;
      } else if (frame['subscription'] !== undefined) onFrame(text);
      if (typeof frame['cursor'] === 'string') Object.assign(place, { since: frame['cursor'], from: undefined });
    });
    socket.on('error', (error) => (why = `${url}: ${error.message || (error as NodeJS.ErrnoException).code}`));
    socket.on('close', (code, reason) => {
      clearTimeout(silence);
      signal.removeEventListener('abort', stop);
      if (reason.length > 0) why = `Connection closed (${code}: ${reason.toString()})`;
      resolve({ why, subscribed, ...(refused !== undefined && { refused }) });
    });
  });
}

/** Undefined if it is not JSON: a greeting may be any text. */
function read(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
