import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../runtime/backoff.js';
import { createSemaphore } from '../runtime/semaphore.js';
import type { Logger } from '../observe/logger.js';
import type { Queryable } from '../store/connection/database.js';
import { factsAfter, loadRollback } from '../store/queries/events.js';
import type { EventRow, StoredPoint } from '../store/queries/events.js';
import { chainEvent } from './chain-event.js';
import type { ChainEvent } from './chain-event.js';
import { rewind, subscriptionsOf } from './client.js';
import type { Client, Reason, Replay, Subscription } from './client.js';
import { concerned } from './client-index.js';
import type { Feed } from './feed.js';
import { renderFrame } from './frames.js';

interface CatchUpDeps {
  db: Queryable;
  feed: Feed;
  logger: Logger;
  send: (client: Client, frame: Buffer) => void;
  close: (client: Client, reason: Reason) => void;
}

const BATCH = 200;
/** Nothing more is read for a client while its backlog is larger, bytes. */
const ENOUGH = 256 * 1024;
/** Max clients that read from the database at a time. */
const READERS = 2;
const WAIT_MS = 20;
/** Pause between two looks for new blocks during the first load, ms. */
const LOADING_MS = 500;
const MAX_PAUSE_MS = 2_000;

/**
 * Makes the function that sends a client what it missed, at the pace at which it reads, until it has reached the end of
 * the log and is live. Each subscription gets each event at most once, in the order of the chain.
 */
export function createCatchUp({ db, feed, logger, send, close }: CatchUpDeps): (client: Client) => Promise<void> {
  const readers = createSemaphore({ max: READERS });
  const busy = new WeakSet<Client>();

  return async function catchUp(client) {
    if (busy.has(client)) return;
    busy.add(client);
    let failures = 0;
    while (!client.closed && !client.live) {
      try {
        if (client.transport.backlog() > ENOUGH) await pause(WAIT_MS);
        else if (client.replays[0] !== undefined) await replayOn(client, client.replays[0]);
        else await readOn(client);
        failures = 0;
      } catch (error) {
        logger.debug({ err: error }, 'Cannot read what a client missed, will try again');
        await pause(backoffMs(failures++, 50, MAX_PAUSE_MS));
      }
    }
    busy.delete(client);
  };

  async function reading<T>(read: () => Promise<T>): Promise<T> {
    const leave = await readers.enter();
    try {
      return await read();
    } finally {
      leave();
    }
  }

  async function readOn(client: Client): Promise<void> {
    const position = feed.position();
    if (client.seq >= position) {
      const ahead = [...subscriptionsOf(client)].some(({ after }) => after > position);
      // Another server was faster: the client already has these events, so they are not sent again.
      if (!ahead) client.live = true;
      else await feed.looked().then(() => pause(WAIT_MS));
      return;
    }
    const { seq: from, mark } = client;
    const events = await reading(() => feed.readAfter({ seq: from, mark }, BATCH));
    // Meanwhile a message of the client may have moved it back.
    if (client.closed || client.seq !== from || client.replays.length > 0) return;
    if (events === undefined || events.length === 0) return close(client, 'lost');
    for (const event of events) {
      if (event.seq > feed.position() || client.closed) return;
      if (event.announced) publish(client, event, ({ after }) => after < event.seq);
      client.seq = event.seq;
      client.mark = event.mark;
    }
  }

  async function replayOn(client: Client, replay: Replay): Promise<void> {
    const present = new Set(subscriptionsOf(client));
    const wanted = [...replay.subscriptions].filter((one) => present.has(one));
    if (wanted.length === 0) return endReplay(client, replay, feed.position());
    const facts = await reading(() => factsAfter(db, replay.sent, kindsOf(wanted, replay), BATCH));
    if (client.closed) return;
    if (facts.takenBack !== null) {
      const { seq, announced } = facts.takenBack;
      // The log continues from there: it has the blocks that replaced those taken back.
      return announced ? endReplay(client, replay, seq - 1) : takeBack(client, replay, seq);
    }
    for (const row of facts.rows) {
      const moved = row.kind === 'transaction' && replay.removed.has(row.hash);
      publish(client, chainEvent(moved ? { ...row, kind: 'tx_update' } : row), (one) => replay.subscriptions.has(one));
      replay.sent = sentWith(replay.sent, row);
    }
    replay.sent = { ...replay.sent, seq: facts.head };
    if (facts.rows.length === BATCH) return;
    if (facts.live) endReplay(client, replay, facts.head);
    else await pause(LOADING_MS);
  }

  /** A reorg during the first load: the blocks that replaced the removed ones are stored, but not in the log. */
  async function takeBack(client: Client, replay: Replay, seq: number): Promise<void> {
    const { rollback, left } = await reading(() => loadRollback(db, seq, replay.sent.transaction));
    if (client.closed) return;
    for (const row of [rollback, ...left]) {
      publish(client, chainEvent(row, rollback.hash), (one) => replay.subscriptions.has(one));
      if (row !== rollback) replay.removed.add(row.hash);
    }
    const last = rollback.position - 1n;
    replay.sent = { block: last, transaction: rollback.position, position: last, seq: left.at(-1)?.seq ?? seq };
  }

  function endReplay(client: Client, replay: Replay, seq: number): void {
    client.replays.splice(client.replays.indexOf(replay), 1);
    rewind(client, seq, feed.position());
    for (const subscription of replay.subscriptions) subscription.after = seq;
  }

  function publish(client: Client, event: ChainEvent, counts: (one: Subscription) => boolean): void {
    for (const { name } of concerned(client, event, counts)) send(client, renderFrame(event, name, client.style));
  }
}

const kindsOf = (subscriptions: readonly Subscription[], { removed }: Replay): Parameters<typeof factsAfter>[2] => {
  const kinds = new Set(subscriptions.map(({ kind }) => kind));
  return {
    keyBlocks: kinds.has('key_blocks'),
    microBlocks: kinds.has('micro_blocks'),
    transactions: kinds.has('transactions') || kinds.has('object') || (kinds.has('tx_update') && removed.size > 0),
  };
};

function sentWith(sent: StoredPoint, { kind, position }: EventRow): StoredPoint {
  return kind === 'transaction'
    ? { ...sent, transaction: position + 1n, position }
    : { ...sent, block: position, transaction: position, position };
}
