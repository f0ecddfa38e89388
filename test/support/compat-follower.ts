/** A client of the compatible websocket that reconnects and resumes: each of its subscriptions after the last event that it got. */
import { WebSocket } from 'ws';
import { backoffMs } from '../../src/runtime/backoff.js';
import { waitOrAbort } from '../../src/runtime/repeat.js';

interface CompatFollowerOptions {
  /** Servers of the same chain, `ws://…/mdw/v3/websocket`. When the connection is lost, the next one is tried. */
  urls: readonly string[];
  /** Ids whose transactions it gets, besides all blocks and transactions. */
  targets: readonly string[];
  /** The point after which all subscriptions begin. */
  since: string;
  /** `subscription`: a channel, or a target. `seq`: the number of the event. */
  onEvent: (subscription: string, seq: number, payload: string) => void;
  onFault: (fault: string) => void;
  onReconnect: () => void;
  signal: AbortSignal;
}

export const CHANNELS = ['KeyBlocks', 'MicroBlocks', 'Transactions'] as const;

const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
/** The service pings every 20 s: the connection is dead after this time without anything, ms. */
const MAX_SILENCE_MS = 45_000;

/** Follows until it is aborted. */
export async function followCompat(options: CompatFollowerOptions): Promise<void> {
  const { urls, targets, since, signal, onReconnect } = options;
  const cursors = new Map<string, string>([...CHANNELS, ...targets].map((name) => [name, since]));
  for (let failures = 0, attempt = 0; !signal.aborted; failures++, attempt++) {
    if (attempt > 0) onReconnect();
    if (await connection(urls[attempt % urls.length]!, cursors, options)) failures = 0;
    await waitOrAbort(backoffMs(failures, MIN_PAUSE_MS, MAX_PAUSE_MS) * (0.5 + Math.random()), signal);
  }
}

/** Reads events from one connection until it ends. Resolves with whether all subscriptions were accepted. */
function connection(
  url: string,
  cursors: Map<string, string>,
  { onEvent, onFault, signal }: CompatFollowerOptions,
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { handshakeTimeout: 10_000 });
    const unanswered = [...cursors.keys()];
    let silence: NodeJS.Timeout | undefined;
    const restartTimer = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => socket.terminate(), MAX_SILENCE_MS);
    };
    const stop = (): void => socket.terminate();
    signal.addEventListener('abort', stop, { once: true });
    socket.on('open', () => {
      restartTimer();
      // As today's clients do: all requests at once, and the answers in order. Only `since` and `cursors` are additions.
      for (const [name, since] of cursors) {
        const channel = (CHANNELS as readonly string[]).includes(name);
        const what = channel ? { payload: name } : { payload: 'Object', target: name };
        socket.send(JSON.stringify({ op: 'Subscribe', source: 'mdw', ...what, since, cursors: true }));
      }
    });
    socket.on('ping', restartTimer);
    socket.on('message', (data: Buffer) => {
      restartTimer();
      const frame = data.toString();
      const event = parseEvent(frame);
      if (event === undefined) {
        const expected = JSON.stringify([unanswered.shift()]);
        if (frame !== expected) onFault(`answered ${frame.slice(0, 200)} instead of ${expected}`);
        return;
      }
      if (unanswered.includes(event.subscription)) onFault(`${event.subscription} before the answer`);
      cursors.set(event.subscription, event.cursor);
      onEvent(event.subscription, event.seq, event.payload);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(silence);
      signal.removeEventListener('abort', stop);
      resolve(unanswered.length === 0);
    });
  });
}

const BEGIN = /^\{"subscription":"(\w+)","payload":/;
const END = /,"source":"mdw"(?:,"target":"(\w+)")?,"cursor":"((\d+)\.[^"]*)"\}$/;

/** Reads only what surrounds the payload: a thousand clients get the same ones. */
function parseEvent(frame: string): { subscription: string; seq: number; payload: string; cursor: string } | undefined {
  const begin = BEGIN.exec(frame.slice(0, 60));
  if (begin === null) return undefined;
  const tail = frame.slice(-300);
  const end = END.exec(tail);
  if (end === null) throw new Error(`not an event of the compatible API: ${frame}`);
  return {
    subscription: begin[1] === 'Object' ? end[1]! : begin[1]!,
    seq: Number(end[3]),
    payload: frame.slice(begin[0].length, frame.length - tail.length + end.index),
    cursor: end[2]!,
  };
}
