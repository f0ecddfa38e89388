import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { backoffMs } from '../observe/backoff.js';

export interface WatchOptions {
  /** Servers of the same chain; after a loss the next one is tried. */
  urls: readonly string[];
  /** Entries of a subscription list: kinds and identifiers. */
  subscriptions: string[];
  since?: string | undefined;
  from?: number | undefined;
  /** Told each event's frame as it came. */
  onFrame: (frame: string) => void;
  /** Told what somebody who looks on may want to know. */
  onNotice: (notice: string) => void;
  signal: AbortSignal;
}

const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** The service pings every 20 s: after that long without a word it is gone. */
const SILENCE_MS = 45_000;

/**
 * Follows events until aborted: comes back after every loss of the connection, and goes on where it was. Throws the
 * service's own words if it refuses the first subscription.
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
    const wait = backoffMs(failures, SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS) * (0.5 + Math.random());
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

/** A greeting is no JSON. */
function read(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
