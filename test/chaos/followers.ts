/** Clients that receive all events, over websockets or as server-sent events, and continue after each lost connection. */
import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { EVENT_KINDS, TOPIC_KINDS } from '../../src/chain/event-kinds.js';
import { watchEvents } from '../../src/events/watch.js';
import { receive } from './checks.js';
import type { ReceivedEvent, Received } from './checks.js';

/** Each event of the log once: what is made of events of another topic has their numbers. */
const EVERYTHING = TOPIC_KINDS.filter((topic) => Object.values(EVENT_KINDS).some((kind) => kind.topic === topic));

export interface Follower {
  name: string;
  received: Received;
  reconnects: number;
}

interface Following {
  /** `http://host:port` of each server that it may use. */
  urls: readonly string[];
  since: string;
  /** Number of the event at the cursor `since`. */
  first: number;
  /** Hashes of all blocks at that moment. */
  chain: readonly string[];
  signal: AbortSignal;
  onEvent?: (seq: number, event: ReceivedEvent) => void;
}

const newFollower = (name: string, { first, chain }: Following): Follower => ({
  name,
  received: { last: first, chain: [...chain], counts: new Map(), logs: new Map(), faults: [] },
  reconnects: 0,
});

const numberOf = (cursor: string): number => Number(cursor.split('.')[0]);

export function followOverWebsocket(name: string, following: Following): Follower {
  const follower = newFollower(name, following);
  watchEvents({
    urls: following.urls.map((url) => `${url.replace('http', 'ws')}/websocket`),
    subscriptions: EVERYTHING,
    since: following.since,
    signal: following.signal,
    onNotice(notice) {
      if (notice.includes('trying again')) follower.reconnects += 1;
      else follower.received.faults.push(notice);
    },
    onFrame(frame) {
      const event = JSON.parse(frame) as ReceivedEvent & { cursor: string };
      receive(follower.received, numberOf(event.cursor), event);
      following.onEvent?.(numberOf(event.cursor), event);
    },
  }).catch((error: Error) => follower.received.faults.push(error.message));
  return follower;
}

export function followAsStream(name: string, following: Following): Follower {
  const follower = newFollower(name, following);
  const { urls, signal } = following;
  let cursor = following.since;
  void (async () => {
    for (let turn = 0; !signal.aborted; turn++) {
      const refused = await readStream(urls[turn % urls.length]!, cursor, signal, (id, event) => {
        cursor = id;
        receive(follower.received, numberOf(id), event);
      });
      if (refused !== undefined) follower.received.faults.push(refused);
      follower.reconnects += 1;
      await pause(300);
    }
  })();
  return follower;
}

/** Max time without data: servers send a comment every 15 s, and two of them may be lost. */
const SILENCE_MS = 45_000;

/** Reads one connection until it ends. @returns a fault if it is refused with another status than 503. */
function readStream(
  url: string,
  cursor: string,
  signal: AbortSignal,
  onEvent: (id: string, event: ReceivedEvent) => void,
): Promise<string | undefined> {
  const path = `${url}/middleware/events?kinds=${EVERYTHING.join(',')}`;
  return new Promise((resolve) => {
    let refused: string | undefined;
    const request = get(path, { agent: false, signal, headers: { 'last-event-id': cursor } }, (response) => {
      const { statusCode: status = 0 } = response;
      if (status !== 200 && status !== 503) refused = `${path} after ${cursor}: ${status}`;
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        const blocks = (text + part).split('\n\n');
        text = blocks.pop()!;
        for (const block of blocks) {
          // Texts of the chain may contain line separators of JavaScript that are none in SSE.
          const [, id, data] = /^id: (.*?)\ndata: (.*)$/s.exec(block) ?? [];
          if (id !== undefined) onEvent(id, JSON.parse(data!) as ReceivedEvent);
        }
      });
      response.on('error', () => undefined);
    });
    request.setTimeout(SILENCE_MS, () => request.destroy());
    request.on('error', () => undefined).on('close', () => resolve(refused));
  });
}
